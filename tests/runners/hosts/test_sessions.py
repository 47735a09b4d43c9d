"""What the campaign's side takes of what is told to it, on a connection that only notes."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from waltax.row import Row
from waltax.runners import record
from waltax.runners.campaign import Campaign
from waltax.runners.cells.live import Position
from waltax.runners.hosts.executor import Sessions
from waltax.runners.hosts.fleet import Fleet, Host
from waltax.runners.hosts.link import DONE, GONE, Note
from waltax.runners.hosts.tasks import Order
from waltax.runners.hosts.where import HostsError
from waltax.runners.progress import Progress
from waltax.runners.session import Hooks

Answer = Callable[..., dict[str, Any]]


class _Told:
    """A campaign on hosts a and b, whose first sessions have begun; notes come when told."""

    def __init__(self, planned: Campaign, fleet: Fleet, *, in_turns: bool = False) -> None:
        planned.folder.mkdir(parents=True)
        self.planned = planned
        self.fleet = fleet
        self.submitted: list[tuple[Any, ...]] = []
        self.cancelled: list[Any] = []
        self.said: list[str] = []
        self.kept: list[int] = []  # rows that were kept at once
        self.notes: list[Note] = []
        self.progress = Progress()
        client = SimpleNamespace(cancel=self.cancelled.extend)
        link: Any = SimpleNamespace(client=client, fleet=fleet, campaign=planned, topic="t")
        link.submit, link.next = self._submit, self._next
        self.sessions = Sessions(link, planned, self.progress, in_turns, share_machine=True)
        self.sessions.hooks = Hooks(
            lambda *rows: self.kept.append(len(rows)),
            self.said.append,
            lambda _: None,
            lambda _: False,
            lambda: False,
        )
        self.sessions._submit(frozenset())

    def _submit(self, host: Host, _done: Note, _task: object, order: Order, **how: Any) -> Any:
        self.submitted.append((host.name, order.number, host.address, how["resources"]))
        return SimpleNamespace(status="pending")

    def _next(self, _within_s: float) -> Note | None:
        return self.notes.pop(0) if self.notes else None

    def row(self, host: str, number: int, **changes: Any) -> Row:
        (cell, *_) = self.planned.cells
        one = record.failed(self.planned, cell, Position(number, 0, 7), "it broke")
        return {**one, "host": host, **changes}

    def tells(self, session: int, what: str, attempt: str = "first", **fields: str) -> bool:
        said = {"session": session, "attempt": attempt, "what": what, **fields}
        changes = self.sessions._took(said)
        self.sessions._flush()
        return changes


@pytest.fixture
def told(planned: Campaign, fleet: Fleet, answer: Answer) -> _Told:
    for host in fleet.hosts.values():
        fleet.admit(host, answer())
    return _Told(planned, fleet)


def test_each_free_host_has_one_session_of_its_own_number(told: _Told) -> None:
    assert told.submitted == [("a", 0, "tcp://a", {"host": 1}), ("b", 1, "tcp://b", {"host": 1})]
    told.sessions._submit(frozenset())
    assert len(told.submitted) == 2


def test_workers_of_one_machine_measure_in_turns(
    planned: Campaign, fleet: Fleet, answer: Answer
) -> None:
    for host in fleet.hosts.values():
        fleet.admit(host, answer())
    told = _Told(planned, fleet, in_turns=True)
    for number, name in enumerate("aba"):
        assert [order[:2] for order in told.submitted[number:]] == [(name, number)]
        told.sessions._submit(frozenset())
        assert len(told.submitted) == number + 1
        fine = {"status": "ok", "driven_s": 0.0, "failure": None}
        told.fleet.hosts[name].progress.rows.append(told.row(name, number, **fine))
        told.tells(number, "ended", why="")
        told.sessions._submit(frozenset())


def test_a_task_that_dask_runs_again_adds_no_row(told: _Told) -> None:
    told.tells(0, "began")
    told.tells(0, "row", text=json.dumps(told.row("a", 0)))
    told.tells(0, "began", attempt="again")
    told.tells(0, "row", attempt="again", text=json.dumps(told.row("a", 0)))
    assert len(told.progress.rows) == 1


def test_a_session_whose_worker_died_is_given_to_another_host_under_another_number(
    told: _Told,
) -> None:
    told.tells(0, "row", text=json.dumps(told.row("a", 0)))
    assert told.sessions._took({"what": GONE, "worker": "tcp://a"})
    assert told.said == ["warning: host a is left out: its worker has gone, in session 1"]
    assert len(told.cancelled) == 1
    told.tells(1, "ended", why="")
    told.sessions._submit(frozenset())
    assert told.submitted[-1][:2] == ("b", 2)
    told.tells(0, "row", text=json.dumps(told.row("a", 0)))
    assert [row["session"] for row in told.progress.rows] == [0]


def test_rows_are_numbered_in_the_order_in_which_they_came(told: _Told) -> None:
    for session, host in ((1, "b"), (0, "a")):
        told.tells(session, "row", text=json.dumps(told.row(host, session)))
    assert [(row["host"], row["slice"]) for row in told.progress.rows] == [("b", 0), ("a", 1)]


def test_rows_that_came_together_are_kept_at_once_before_anything_else_is_heard(
    told: _Told,
) -> None:
    for number, host in ((0, "a"), (1, "b")):
        text = json.dumps(told.row(host, number))
        said = {"session": number, "attempt": "first", "what": "row", "text": text}
        told.notes.append(said)
    told.notes.append({"what": GONE, "worker": "tcp://a"})
    assert not told.sessions._heard()
    assert not told.sessions._heard()
    assert not told.kept
    assert told.sessions._heard()
    assert told.kept == [2]
    assert [row["host"] for row in told.progress.rows] == ["a", "b"]


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"host": "b"}, "it sent a row of "),
        ({"session": 5}, "it sent a row of "),
        ({"tap_digest": "another"}, "the tap is another than when it began"),
    ],
)
def test_a_row_that_is_none_of_the_session_is_not_kept_and_its_host_is_out(
    told: _Told, changes: dict[str, Any], why: str
) -> None:
    told.tells(1, "row", text=json.dumps(told.row("b", 1, tap_digest="ours")))
    told.tells(0, "row", text=json.dumps({**told.row("a", 0), **changes}))
    assert len(told.progress.rows) == 1
    assert why in told.fleet.hosts["a"].lost


def test_a_cell_that_fails_on_one_host_goes_on_on_the_other(told: _Told) -> None:
    baseline = told.planned.cells[0].id
    told.tells(0, "row", text=json.dumps(told.row("a", 0)))
    assert told.progress.failures == {f"{baseline} on a": "it broke"}
    assert told.progress.due(told.planned)
    told.tells(0, "ended", why="")
    assert "nothing is left there to compare: it broke" in told.fleet.hosts["a"].lost
    told.tells(1, "row", text=json.dumps(told.row("b", 1)))
    assert not told.progress.due(told.planned)


def test_a_session_that_could_not_begin_ends_and_one_that_is_done_says_so_itself(
    told: _Told,
) -> None:
    broken = SimpleNamespace(status="error", exception=lambda: OSError("no such module"))
    fine = SimpleNamespace(status="finished")
    assert told.sessions._took({"what": DONE, "session": 0, "future": broken})
    assert told.fleet.hosts["a"].lost == "its session could not begin: no such module"
    assert not told.sessions._took({"what": DONE, "session": 1, "future": fine})
    assert [host.session for host in told.fleet.hosts.values()] == [None, 1]


def test_a_host_that_is_busy_is_named_and_the_last_one_ends_the_campaign(told: _Told) -> None:
    told.tells(0, "ended", why="campaign x (pid 1) is measuring on this machine")
    assert [host.name for host in told.fleet.alive] == ["b"]
    told.tells(1, "ended", why="31 MiB free, but the campaign may need 90")
    with pytest.raises(HostsError) as error:
        told.sessions._submit(frozenset())
    assert "host a is left out: campaign x (pid 1) is measuring" in str(error.value)
    assert "host b is left out: 31 MiB free" in str(error.value)


def test_hosts_that_are_lost_before_the_first_row_end_the_campaign_with_nothing_to_show(
    told: _Told,
) -> None:
    for number in range(2):
        said = {"session": number, "attempt": "first", "what": "ended", "why": "busy"}
        told.notes.append(said)
    hooks = replace(told.sessions.hooks, enough=lambda now: bool(now.rows[-1]))
    told.sessions.go_on(frozenset(), hooks)
    told.sessions.go_on(frozenset(), hooks)
    with pytest.raises(HostsError, match="host b is left out: busy"):
        told.sessions.go_on(frozenset(), hooks)


def test_a_name_that_leads_out_of_the_campaigns_folder_writes_nothing(told: _Told) -> None:
    told.tells(0, "file", name="../escaped", text="x")
    told.tells(0, "file", name="x.options", text="[DBOptions]")
    assert (told.planned.folder / "hosts" / "a" / "x.options").read_text() == "[DBOptions]"
    assert not [*told.planned.folder.parent.glob("**/escaped")]
