"""What the campaign's side takes of what its hosts measured, with a scheduler that only notes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from waltax.row import Row
from waltax.runners import record
from waltax.runners.campaign import Campaign
from waltax.runners.cells.live import Position
from waltax.runners.hosts.executor import OnHosts
from waltax.runners.hosts.fleet import Fleet
from waltax.runners.hosts.where import HostsError
from waltax.runners.progress import Progress
from waltax.runners.session import Hooks
from workers import FakeClient

_FINE = {"status": "ok", "driven_s": 0.0, "failure": None}


class _Told:
    """A campaign on hosts a and b, whose sessions end when told, all within one `go_on`."""

    def __init__(self, planned: Campaign, fleet: Fleet, client: FakeClient) -> None:
        planned.folder.mkdir(parents=True)
        fleet.gather()
        self.planned, self.fleet, self.client = planned, fleet, client
        self.said: list[str] = []
        self.kept: list[int] = []  # rows that were kept at once
        self.progress = Progress()
        self.sessions = OnHosts("tcp://head:1", share_machine=True)
        self.sessions._fleet = fleet
        self.hooks = Hooks(
            lambda *rows: self.kept.append(len(rows)),
            self.said.append,
            lambda _: False,
            lambda: False,
        )
        self.sessions._hooks = self.hooks

    def submitted(self) -> list[tuple[str, int]]:
        return [(host, order.number) for host, order in self.client.orders]

    def row(self, host: str, number: int, **changes: Any) -> Row:
        (cell, *_) = self.planned.cells
        one = record.failed(self.planned, cell, Position(number, 0, 7), "it broke")
        return {**one, "host": host, **changes}

    def ends(self, number: int, *rows: Row, **more: Any) -> None:
        self.client.futures[number].ends("finished", _done(*rows, **more))

    def take(self) -> None:
        for host in self.fleet.ended():
            self.sessions._take(host)


def _done(*rows: Row, why: str = "", **more: Any) -> dict[str, Any]:
    """What a worker answers at the end of a session."""
    return {"rows": list(rows), "said": [], "files": {}, "why": why, **more}


@pytest.fixture
def told(planned: Campaign, fleet: Fleet, client: FakeClient) -> Iterator[_Told]:
    made = _Told(planned, fleet, client)
    with made.sessions.opened(planned, made.progress, made.said.append) as sessions:
        sessions._begin(frozenset())
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
    told.sessions._begin(frozenset())
    assert told.submitted()[-1] == ("b", 2)


def test_a_session_that_ended_before_its_worker_went_keeps_its_rows(told: _Told) -> None:
    number = _by_host(told)["a"]
    told.ends(number, told.row("a", number, **_FINE))
    del told.client.workers["tcp://a"]
    told.take()
    assert [row["host"] for row in told.progress.rows] == ["a"]
    assert told.fleet.hosts["a"].lost == "its worker has gone"


def test_a_host_whose_worker_goes_between_sessions_is_out(told: _Told) -> None:
    first = _by_host(told)
    told.ends(first["a"])
    told.take()
    del told.client.workers["tcp://a"]
    told.take()
    assert told.said == ["warning: host a is left out: its worker has gone"]


def test_rows_of_other_programs_are_not_kept_and_their_host_is_out(told: _Told) -> None:
    first = _by_host(told)
    told.ends(first["b"], told.row("b", first["b"], tap_digest="ours"))
    told.take()
    told.ends(first["a"], told.row("a", first["a"], tap_digest="another"))
    told.take()
    assert len(told.progress.rows) == 1
    assert "the tap is another than when it began" in told.fleet.hosts["a"].lost


def test_a_cell_that_fails_on_one_host_goes_on_on_the_other(told: _Told) -> None:
    baseline, first = told.planned.cells[0].id, _by_host(told)
    told.ends(first["a"], told.row("a", first["a"]))
    told.take()
    assert told.progress.failures == {f"{baseline} on a": "it broke"}
    assert told.progress.due(told.planned)
    assert "nothing is left there to compare: it broke" in told.fleet.hosts["a"].lost
    told.ends(first["b"], told.row("b", first["b"]))
    told.take()
    assert "nothing is left there to compare: it broke" in told.fleet.hosts["b"].lost


def test_a_session_that_failed_in_dask_puts_its_host_out(told: _Told) -> None:
    first = _by_host(told)
    told.client.futures[first["a"]].ends("error", OSError("no such module"))
    told.take()
    lost = f"it failed: no such module, in session {first['a'] + 1}"
    assert told.fleet.hosts["a"].lost == lost


def test_a_host_that_is_busy_is_named_and_the_last_one_ends_the_campaign(told: _Told) -> None:
    first = _by_host(told)
    told.ends(first["a"], why="campaign x (pid 1) is measuring on this machine")
    told.take()
    assert [host.name for host in told.fleet.alive] == ["b"]
    told.ends(first["b"], why="31 MiB free, but the campaign may need 90")
    told.take()
    with pytest.raises(HostsError) as error:
        told.sessions._begin(frozenset())
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


def test_a_name_that_leads_out_of_the_campaigns_folder_writes_nothing(told: _Told) -> None:
    first = _by_host(told)
    files = {"../escaped": "x", "x.options": "[DBOptions]", "checks.jsonl": '{"cell":"x"}\n'}
    told.ends(first["a"], files=files)
    told.take()
    folder = told.planned.folder
    assert (folder / "hosts" / "a" / "x.options").read_text() == "[DBOptions]"
    assert (folder / "checks.jsonl").read_text() == '{"host": "a", "cell": "x"}\n'
    assert not [*folder.parent.glob("**/escaped")]
