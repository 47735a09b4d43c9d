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
from workers import worker

Answer = Callable[..., dict[str, Any]]


def test_a_host_that_agrees_measures(fleet: Fleet, answer: Answer) -> None:
    fleet.admit(fleet.hosts["a"], answer())
    assert [host.name for host in fleet.alive] == ["a"]


@pytest.mark.parametrize(
    "what", ["waltax", "the profile", "the tap", "the program linkbench", "the model of nvme"]
)
def test_a_host_with_another_of_anything_is_refused_by_name(
    fleet: Fleet, answer: Answer, planned: Campaign, what: str
) -> None:
    facts = agreement.facts(planned)
    fleet.admit(fleet.hosts["a"], answer(agreement=facts | {what: "0123456789ab"}))
    fleet.admit(fleet.hosts["b"], answer())
    assert [host.name for host in fleet.alive] == ["b"]
    (told,) = fleet.words()
    assert told.startswith(f"host a is left out: {what} is another than here (0123456789ab, here ")


def test_a_worker_that_announces_no_host_is_told_how_to_start(planned: Campaign) -> None:
    fleet = Fleet(planned)
    assert fleet.see({"tcp://a": worker("a")}) == []
    (told,) = fleet.words()
    assert told == (
        "host a is left out: it announces no host, where one is wanted: start it with waltax worker"
    )


def test_a_label_that_no_host_offers_is_named_with_what_they_offer(
    planned: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("waltax.runners.hosts.agreement.real_devices", lambda _: {"nvram"})
    fleet = Fleet(planned)
    fleet.see({"tcp://a": worker("a", host=1, nvme=1), "tcp://b": worker("b", host=1)})
    with pytest.raises(UsageError, match=r"no host offers nvram.*hosts offer a: nvme; b: none$"):
        fleet.require_labels()


def test_a_device_and_its_model_do_not_meet_in_one_campaign(
    planned: Campaign, answer: Answer
) -> None:
    fleet = Fleet(planned)
    fleet.see({"tcp://a": worker("a", host=1, nvme=1), "tcp://b": worker("b", host=1)})
    fleet.require_labels()
    fleet.admit(fleet.hosts["a"], answer(real=["nvme"]))
    fleet.admit(fleet.hosts["b"], answer())
    assert [host.name for host in fleet.alive] == ["a"]
    assert "nvme is emulated there, and the device itself on other hosts" in fleet.hosts["b"].lost


def test_a_label_of_a_device_that_is_not_measured_asks_for_nothing(planned: Campaign) -> None:
    fleet = Fleet(planned)
    fleet.see({"tcp://a": worker("a", host=1, nvram=1)})
    fleet.require_labels()
    assert fleet.needs == set()


def test_a_host_whose_device_was_moved_since_is_refused(fleet: Fleet, answer: Answer) -> None:
    (cell, *_) = answer()["placements"]
    row = {"host": "a", "status": "ok", "session": 0, "cell": cell, "placement_digest": "other"}
    fleet.admit(fleet.hosts["a"], answer())
    fleet.remember([row])
    assert fleet.hosts["a"].lost == f"the device of {cell} is another than when it began"


def test_a_restarted_worker_is_the_same_host_at_another_address(fleet: Fleet) -> None:
    (host,) = fleet.see({"tcp://a": worker("a", host=1), "tcp://a2": worker("a", host=1)})
    assert (host.name, host.address) == ("a", "tcp://a2")
    assert len(fleet.hosts) == 2


def test_a_plain_worker_of_dask_is_called_by_its_address(planned: Campaign) -> None:
    fleet = Fleet(planned)
    fleet.see({"tcp://10.0.0.5:99": worker("tcp://10.0.0.5:99", host=1)})
    assert [*fleet.hosts] == ["10.0.0.5:99"]


def test_what_is_kept_of_hosts_is_what_reports_read(
    fleet: Fleet, answer: Answer, tmp_path: Path
) -> None:
    fleet.admit(fleet.hosts["a"], answer(machine={"cores": 2}))
    fleet.keep(tmp_path)
    first, second = json.loads((tmp_path / "hosts.json").read_text())
    assert first == {
        **{"name": "a", "address": "tcp://a", "labels": {}, "doctor": []},
        **{"machine": {"cores": 2}, "lost": ""},
    }
    assert second["lost"] == "it has not answered yet"
