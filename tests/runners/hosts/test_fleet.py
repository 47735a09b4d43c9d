"""Which hosts may measure, and what is said of the others."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from waltax.base.errors import UsageError
from waltax.runners.campaign import Campaign
from waltax.runners.hosts import agreement
from waltax.runners.hosts.fleet import Fleet
from waltax.runners.hosts.where import HostsError
from workers import FakeClient, worker

Answer = Callable[..., dict[str, Any]]


def _alive(fleet: Fleet) -> set[str]:
    return {host.name for host in fleet.alive}


def test_hosts_that_agree_measure(fleet: Fleet) -> None:
    fleet.gather()
    assert _alive(fleet) == {"a", "b"}


@pytest.mark.parametrize(
    "what", ["waltax", "the profile", "the tap", "the program linkbench", "the model of nvme"]
)
def test_a_host_with_another_of_anything_is_refused_by_name(
    fleet: Fleet, client: FakeClient, answer: Answer, planned: Campaign, what: str
) -> None:
    facts = agreement.facts(planned)
    client.answers["a"] = answer(agreement=facts | {what: "0123456789ab"})
    fleet.gather()
    assert _alive(fleet) == {"b"}
    (told,) = fleet.words()
    assert told.startswith(f"host a is left out: {what} is another than here (0123456789ab, here ")


def test_a_worker_with_several_threads_is_told_how_to_start(
    fleet: Fleet, client: FakeClient
) -> None:
    client.workers["tcp://a"] = worker("a", threads=4)
    fleet.gather()
    (told,) = fleet.words()
    assert told == ("host a is left out: it has 4 threads, want one: start it with waltax worker")


def test_a_scheduler_without_workers_says_how_to_start_one(
    fleet: Fleet, client: FakeClient
) -> None:
    client.workers.clear()
    with pytest.raises(UsageError, match="has no worker; type on each host: waltax worker tcp://"):
        fleet.gather()


def test_a_scheduler_that_has_gone_is_named(fleet: Fleet, client: FakeClient) -> None:
    client.status = "closed"
    with pytest.raises(HostsError, match="the scheduler at tcp://head:1 has gone"):
        fleet.ended()


def test_a_host_that_does_not_answer_is_left_out(fleet: Fleet, client: FakeClient) -> None:
    del client.answers["a"]
    fleet.gather()
    assert [*fleet.words()] == ["host a is left out: it has not answered"]


def test_a_device_and_its_model_do_not_meet_in_one_campaign(
    fleet: Fleet, client: FakeClient, answer: Answer
) -> None:
    client.answers["a"] = answer(real=["nvme"])
    fleet.gather()
    assert _alive(fleet) == {"a"}
    assert "nvme is emulated there, and the device itself on other" in fleet.hosts["b"].lost


def test_a_device_that_is_real_here_must_be_real_on_all(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("waltax.runners.hosts.agreement.real_devices", lambda _: {"nvram"})
    fleet.gather()
    assert all("nvram is emulated there" in line for line in fleet.words())
    assert not fleet.alive


def test_a_host_that_comes_later_must_be_like_the_first(
    fleet: Fleet, client: FakeClient, answer: Answer
) -> None:
    fleet.gather()
    client.workers["tcp://c"] = worker("c")
    client.answers["c"] = answer(real=["nvme"])
    client.workers["tcp://d"] = worker("d")
    client.answers["d"] = answer()
    fleet.look()
    assert _alive(fleet) == {"a", "b", "d"}
    assert fleet.hosts["c"].lost.startswith("nvme is real there, and on none of the hosts")


def test_a_host_whose_device_was_moved_since_is_refused(fleet: Fleet, answer: Answer) -> None:
    (cell, *_) = answer()["placements"]
    row = {"host": "a", "status": "ok", "session": 0, "cell": cell, "placement_digest": "other"}
    fleet.gather()
    fleet.remember([row])
    assert fleet.hosts["a"].lost == f"the device of {cell} is another than when it began"


def test_a_restarted_worker_is_the_same_host_at_another_address(
    fleet: Fleet, client: FakeClient
) -> None:
    fleet.gather()
    client.workers["tcp://a2"] = client.workers.pop("tcp://a")
    (gone,) = fleet.ended()
    assert gone.name == "a"
    fleet.look()
    assert (fleet.hosts["a"].address, len(fleet.hosts)) == ("tcp://a2", 2)
    assert _alive(fleet) == {"a", "b"}


def test_a_plain_worker_of_dask_is_called_by_its_address(fleet: Fleet, client: FakeClient) -> None:
    client.workers = {"tcp://10.0.0.5:99": worker("tcp://10.0.0.5:99")}
    fleet.gather()
    assert [*fleet.hosts] == ["10.0.0.5:99"]


def test_what_is_kept_of_hosts_is_what_reports_read(
    fleet: Fleet, client: FakeClient, answer: Answer, tmp_path: Path
) -> None:
    client.answers["a"] = answer(machine={"cores": 2})
    del client.answers["b"]
    fleet.gather()
    fleet.keep(tmp_path)
    kept = {one["name"]: one for one in json.loads((tmp_path / "hosts.json").read_text())}
    assert kept["a"] == {
        **{"name": "a", "address": "tcp://a", "doctor": []},
        **{"machine": {"cores": 2}, "lost": ""},
    }
    assert kept["b"]["lost"] == "it has not answered"
