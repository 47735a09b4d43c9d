"""What the campaign's side takes of what its hosts measured, with a scheduler that only notes."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from waltax.base.errors import UsageError
from waltax.row import Row
from waltax.runners import record
from waltax.runners.campaign import Campaign
from waltax.runners.cells.live import Position
from waltax.runners.hosts import HostsError, executor, tasks
from waltax.runners.hosts.executor import OnHosts
from waltax.runners.progress import Progress
from waltax.runners.session import Hooks
from workers import FakeClient, worker

_FINE: Row = {"status": "ok", "driven_s": 0.0, "failure": None}


class _Told:
    """A campaign on hosts a and b, whose sessions end when told, all within one `go_on`."""

    def __init__(self, planned: Campaign, client: FakeClient) -> None:
        planned.folder.mkdir(parents=True)
        self.planned, self.client = planned, client
        self.said: list[str] = []
        self.kept: list[int] = []  # rows that were kept at once
        self.progress = Progress()
        self.sessions = OnHosts("tcp://head:1", share_machine=True)
        self.hooks = Hooks(
            lambda *rows: self.kept.append(len(rows)),
            self.said.append,
            lambda _: False,
            lambda: False,
        )

    @property
    def lost(self) -> dict[str, str]:
        """Why each host is out that is."""
        return {host.name: host.lost for host in self.sessions.hosts.values() if host.lost}

    def submitted(self) -> list[tuple[str, int]]:
        return [(host, order.number) for host, order in self.client.orders]

    def row(self, host: str, number: int, cell: int = 0, **changes: Any) -> Row:
        at = Position(number, 0, 7)
        one = record.failed(self.planned, self.planned.cells[cell], at, "it broke")
        return {**one, "host": host, **changes}

    def ends(self, number: int, *rows: Row, **more: Any) -> None:
        self.client.futures[number].ends("finished", _done(*rows, **more))

    def take(self) -> None:
        self.sessions.take_ended(self.hooks)


def _done(*rows: Row, why: str = "", **more: Any) -> dict[str, Any]:
    """What a worker answers at the end of a session."""
    told = {"rows": list(rows), "said": [], "checks": [], "why": why}
    return {**told, "doctor": [], "machine": {}, **more}


@pytest.fixture
def told(planned: Campaign, client: FakeClient, monkeypatch: pytest.MonkeyPatch) -> Iterator[_Told]:
    monkeypatch.setattr(executor, "connected", lambda _: contextlib.nullcontext(client))
    made = _Told(planned, client)
    with made.sessions.opened(planned, made.progress, made.said.append):
        made.said.clear()
        made.sessions.begin(frozenset())
        yield made


def _by_host(told: _Told) -> dict[str, int]:
    """The number of the first session of each host."""
    return dict(reversed(told.submitted()))


def test_each_host_has_one_session_of_its_own_number(told: _Told) -> None:
    assert sorted(told.submitted()) in ([("a", 0), ("b", 1)], [("a", 1), ("b", 0)])


def test_rows_are_kept_at_once_and_numbered_in_the_order_in_which_they_came(told: _Told) -> None:
    first = _by_host(told)
    told.ends(first["b"], told.row("b", first["b"]), told.row("b", first["b"]))
    told.take()
    told.ends(first["a"], told.row("a", first["a"]))
    told.take()
    assert told.kept == [2, 1]
    rows = [(row["host"], row["slice"]) for row in told.progress.rows]
    assert rows == [("b", 0), ("b", 1), ("a", 2)]


def test_a_session_whose_worker_died_is_given_to_another_host_under_another_number(
    told: _Told,
) -> None:
    first = _by_host(told)
    del told.client.workers["tcp://a"]
    told.take()
    number = first["a"] + 1
    assert told.said == [f"warning: host a is left out: its worker has gone, in session {number}"]
    told.ends(first["b"], told.row("b", 1, **_FINE))
    told.take()
    told.sessions.begin(frozenset())
    assert told.submitted()[-1] == ("b", 2)


def test_a_session_that_ended_before_its_worker_went_keeps_its_rows(told: _Told) -> None:
    number = _by_host(told)["a"]
    told.ends(number, told.row("a", number, **_FINE))
    del told.client.workers["tcp://a"]
    told.take()
    told.sessions.look()
    assert [row["host"] for row in told.progress.rows] == ["a"]
    assert told.lost["a"] == "its worker has gone"


def test_a_host_whose_worker_goes_between_sessions_is_out(told: _Told) -> None:
    first = _by_host(told)
    told.ends(first["a"])
    told.take()
    del told.client.workers["tcp://a"]
    told.take()
    told.sessions.look()
    assert told.said == ["warning: host a is left out: its worker has gone"]


def test_rows_of_other_programs_are_not_kept_and_their_host_is_out(told: _Told) -> None:
    first = _by_host(told)
    told.ends(first["b"], told.row("b", first["b"], tap_digest="ours"))
    told.take()
    told.ends(first["a"], told.row("a", first["a"], tap_digest="another"))
    told.take()
    assert len(told.progress.rows) == 1
    assert "the tap is another than when it began" in told.lost["a"]


def test_a_cell_that_fails_on_one_host_goes_on_on_the_other(told: _Told) -> None:
    baseline, first = told.planned.cells[0].id, _by_host(told)
    told.ends(first["a"], told.row("a", first["a"]))
    told.take()
    assert told.progress.failures == {f"{baseline} on a": "it broke"}
    assert told.progress.due(told.planned)
    assert "nothing is left there to compare: it broke" in told.lost["a"]
    told.ends(first["b"], told.row("b", first["b"]))
    told.take()
    assert "nothing is left there to compare: it broke" in told.lost["b"]


def test_a_session_that_failed_in_dask_puts_its_host_out(told: _Told) -> None:
    first = _by_host(told)
    told.client.futures[first["a"]].ends("error", OSError("no such module"))
    told.take()
    lost = f"it failed: no such module, in session {first['a'] + 1}"
    assert told.lost["a"] == lost


def test_a_host_that_is_busy_is_named_and_the_last_one_ends_the_campaign(told: _Told) -> None:
    first = _by_host(told)
    told.ends(first["a"], why="campaign x (pid 1) is measuring on this machine")
    told.take()
    assert told.lost.keys() == {"a"}
    told.ends(first["b"], why="31 MiB free, but the campaign may need 90")
    told.take()
    with pytest.raises(HostsError) as error:
        told.sessions.begin(frozenset())
    assert "host a is left out: campaign x (pid 1) is measuring" in str(error.value)
    assert "host b is left out: 31 MiB free" in str(error.value)


def test_hosts_that_are_lost_before_the_first_row_end_the_campaign_with_nothing_to_show(
    told: _Told,
) -> None:
    told.client.measured = lambda _host, _number: _done(why="busy")
    hooks = replace(told.hooks, enough=lambda now: bool(now.rows[-1]))
    told.sessions.go_on(frozenset(), hooks)
    with pytest.raises(HostsError, match="host b is left out: busy"):
        told.sessions.go_on(frozenset(), hooks)


def test_go_on_measures_one_session_on_each_host(told: _Told) -> None:
    told.client.measured = lambda host, number: _done(told.row(host, number, **_FINE))
    told.sessions.go_on(frozenset(), told.hooks)
    assert {row["host"] for row in told.progress.rows} == {"a", "b"}
    told.sessions.go_on(frozenset(), told.hooks)
    assert sorted(row["session"] for row in told.progress.rows) == [0, 1, 2, 3]


def test_the_checks_of_all_hosts_go_together_with_their_names(told: _Told) -> None:
    for host, number in _by_host(told).items():
        told.ends(number, checks=[f'{{"cell": "of {host}"}}'])
    told.take()
    lines = (told.planned.folder / "checks.jsonl").read_text().splitlines()
    assert sorted(map(json.loads, lines), key=str) == [
        {"host": "a", "cell": "of a"},
        {"host": "b", "cell": "of b"},
    ]


def test_what_is_kept_of_hosts_is_what_reports_read(told: _Told) -> None:
    first = _by_host(told)
    finding = {"check": "steal", "state": "ok", "text": "none", "advice": ""}
    told.ends(first["a"], told.row("a", 0, **_FINE), doctor=[finding], machine={"cores": 2})
    told.ends(first["b"], why="it is busy")
    told.client.measured = lambda _host, _number: _done(why="busy, too")
    told.take()
    told.sessions.go_on(frozenset(), told.hooks)
    kept = json.loads((told.planned.folder / "hosts.json").read_text())
    assert sorted(kept, key=lambda host: str(host["name"])) == [
        {
            **{"name": "a", "address": "tcp://a", "lost": "busy, too"},
            **{"doctor": [finding], "machine": {"cores": 2}},
        },
        {
            **{"name": "b", "address": "tcp://b", "lost": "it is busy"},
            **{"doctor": [], "machine": {}},
        },
    ]


def test_a_device_and_its_model_do_not_meet_in_one_campaign(told: _Told) -> None:
    first = _by_host(told)
    real = {**_FINE, "emulated": False, "placement_digest": "a disk"}
    told.ends(first["a"], told.row("a", first["a"], cell=1, **_FINE))
    told.take()
    told.ends(first["b"], told.row("b", first["b"], cell=1, **real))
    told.take()
    cell = told.planned.cells[1].id
    why = f"the device of {cell} is another than on other hosts, or a model of it"
    assert told.lost == {"b": why}
    assert len(told.progress.rows) == 1


def test_a_real_device_is_each_hosts_own_and_stays_where_it_was(told: _Told) -> None:
    first = _by_host(told)
    for host, number in first.items():
        real = {**_FINE, "emulated": False, "placement_digest": f"the disk of {host}"}
        told.ends(number, told.row(host, number, cell=1, **real))
    told.take()
    assert told.lost == {}
    moved = {**_FINE, "emulated": False, "placement_digest": "another disk"}
    told.client.measured = lambda host, number: _done(told.row(host, number, cell=1, **moved))
    told.sessions.go_on(frozenset(), told.hooks)
    assert all("is another than when it began" in why for why in told.lost.values())
    assert len(told.progress.rows) == 2


def test_a_worker_with_several_threads_is_told_how_to_start(told: _Told) -> None:
    told.client.workers["tcp://c"] = worker("c", threads=4)
    told.sessions.look()
    assert told.lost == {"c": "it has 4 threads, want one: start it with waltax worker"}


def test_a_scheduler_without_workers_says_how_to_start_one(
    planned: Campaign, client: FakeClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executor, "connected", lambda _: contextlib.nullcontext(client))
    client.workers.clear()
    with (
        pytest.raises(UsageError, match="type on each host: waltax worker tcp://"),
        OnHosts("tcp://head:1", share_machine=True).opened(planned, Progress(), print),
    ):
        pass


def test_a_scheduler_that_has_gone_is_named(told: _Told) -> None:
    told.client.status = "closed"
    with pytest.raises(HostsError, match="the scheduler at tcp://head:1 has gone"):
        told.take()


def test_a_restarted_worker_is_the_same_host_at_another_address(told: _Told) -> None:
    told.client.workers["tcp://a2"] = told.client.workers.pop("tcp://a")
    told.take()
    assert told.lost == {"a": "its worker has gone, in session 1"}
    told.sessions.look()
    assert told.lost == {}
    assert told.sessions.hosts["a"].address == "tcp://a2"


def test_a_plain_worker_of_dask_is_called_by_its_address(told: _Told) -> None:
    told.client.workers["tcp://10.0.0.5:99"] = worker("tcp://10.0.0.5:99")
    told.sessions.look()
    assert "10.0.0.5:99" in told.sessions.hosts


@pytest.mark.parametrize("what", ["waltax", "the profile"])
def test_a_host_with_another_of_anything_measures_nothing_and_names_it(
    planned: Campaign, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, what: str
) -> None:
    monkeypatch.setenv(tasks.DATA_DIR, str(tmp_path / "elsewhere"))
    monkeypatch.setattr("distributed.Event", lambda _: threading.Event())
    wanted = tasks.facts(planned) | {what: "0123456789ab"}
    order = tasks.Order(0, "stop", {}, {}, [], share_machine=True, facts=wanted)
    done = tasks.session(planned.id, planned.as_json(), "a", order)
    assert done["why"].startswith(f"{what} is another than here (")
    assert done["why"].endswith("here 0123456789ab)")
    assert (done["rows"], done["machine"]) == ([], {})
