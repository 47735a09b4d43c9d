"""The sessions of a campaign over hosts: one under way on each, and their rows as they come."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..evidence import kept as evidence
from ..row import Row
from ..runners.campaign import Campaign
from ..runners.cells import programs
from ..runners.progress import Progress
from ..runners.session import Hooks
from . import files, labels, tasks
from .fleet import Host
from .inbox import CAME, DONE, GONE, GREETED, TOLD, Note
from .link import Link
from .tasks import Order
from .where import HostsError

if TYPE_CHECKING:
    from distributed import Future

_TURN_S = 0.2
_MOST_AT_ONCE = 100  # rows that wait for each other to be kept
_LAST_S = 60.0  # in which sessions that are not wanted any more have ended


@dataclass
class _UnderWay:
    """A session on its host. `attempt` is the one whose rows count: the first that began."""

    number: int
    host: Host
    future: Future
    attempt: str = ""


class Sessions:
    """See `runners.executor.Sessions`. At most one on each host at a time."""

    def __init__(
        self,
        link: Link,
        campaign: Campaign,
        progress: Progress,
        turn: Path | None,
        *,
        share_machine: bool,
    ) -> None:
        self._link = link
        self._campaign = campaign
        self._progress = progress
        self._turn = turn  # by which workers of one machine take turns
        self._share_machine = share_machine
        self._under_way: dict[int, _UnderWay] = {}
        self._next = progress.sessions
        self._hooks: Hooks | None = None
        self._unkept: list[tuple[_UnderWay, Row]] = []  # that came since the last was kept
        self._next_shown_s = 0.0
        self._failures()

    def go_on(self, ended: frozenset[str], hooks: Hooks) -> None:
        """See `runners.executor.Sessions.go_on`: until as many have ended as there are hosts.

        To ask after each whether that is enough would take longer than they do, of many hosts.

        Errors: HostsError when the scheduler has gone, or the last host; WaltaxError for a row that
        cannot be kept.
        """
        self._hooks, changes = hooks, 0
        self._submit(ended, rest=True)
        while not hooks.interrupted():
            self._link.require()
            note = self._next_note()
            if note is None or not self._took(note):
                continue
            changes += 1
            if changes >= len(self._link.fleet.alive):
                return
            self._submit(ended)
            if not self._under_way:
                return
        self.stop()

    def stop(self) -> None:
        """Cancel what is under way, and take what its slices under way still give."""
        self._link.client.cancel([one.future for one in self._under_way.values()])
        until_s = time.monotonic() + _LAST_S
        while self._under_way and time.monotonic() < until_s:
            self._link.require()
            note = self._next_note()
            if note is not None and note.kind != CAME:
                self._took(note)

    def _next_note(self) -> Note | None:
        """The next one, waited for. Rows that came before it are kept by then, unless it is one."""
        note = self._link.inbox.next(0.0 if self._unkept else _TURN_S)
        is_row = note is not None and note.said is not None and note.said["what"] == "row"
        if not is_row or len(self._unkept) >= _MOST_AT_ONCE:
            self._flush()
        return note

    def _flush(self) -> None:
        """Keep the rows that have come: several at once take no longer than one.

        Errors: WaltaxError when they cannot be kept.
        """
        rows, self._unkept = self._unkept, []
        if not rows:
            return
        assert self._hooks is not None
        self._hooks.keep(*(taken for _, taken in rows))
        for one, taken in rows:
            self._progress.rows.append(taken)
            one.host.progress.rows.append(taken)
            if taken["status"] == "failed":
                one.host.progress.failures[taken["cell"]] = taken["failure"]
                self._failures()
        self._hooks.after_slice(self._progress)

    def _submit(self, ended: frozenset[str], *, rest: bool = False) -> None:
        """A session to each free host that has not had its share.

        With `rest`, what hosts that were lost leave, the others have when all have had their own.
        """
        fleet = self._link.fleet
        if not fleet.alive:
            raise HostsError("--hosts: no host is left", *fleet.words())
        free = [host for host in fleet.alive if host.is_free]
        own = {host.name: host.left_s(self._link.campaign, ended) for host in free}
        due = {name: left_s for name, left_s in own.items() if left_s is not None}
        if rest and not due and not self._under_way:
            due = {host.name: self._rest_s(ended) for host in free}
        for host in free:
            if host.name in due:
                self._begin(host, due[host.name], ended)

    def _rest_s(self, ended: frozenset[str]) -> dict[str, float]:
        """What is left of the whole campaign's budget, by workload."""
        budget_s = self._progress.rule(self._campaign, ended).budget_s
        going_on = {cell.workload for cell in self._progress.due(self._campaign, ended)}
        return {one: max(0.0, budget_s - self._progress.spent_s(one)) for one in going_on}

    def _begin(self, host: Host, left_s: dict[str, float], ended: frozenset[str]) -> None:
        order = Order(
            campaign=self._campaign.id,
            told=self._link.campaign.told(),
            host=host.name,
            number=self._next,
            topic=self._link.topic,
            left_s={} if self._campaign.recipe.command else left_s,
            failures=host.progress.failures,
            ended=sorted(ended),
            share_machine=self._share_machine,
            turn="" if self._turn is None else str(self._turn.absolute()),
        )
        future = self._link.client.submit(
            tasks.session,
            list(order),
            key=f"{self._link.topic}-{order.number}",
            workers=[host.address],
            resources=dict.fromkeys((labels.HOST, *self._link.fleet.needs), 1),
            retries=0,
            pure=False,
        )
        self._link.inbox.when_done(future, DONE, str(order.number))
        self._under_way[order.number] = _UnderWay(order.number, host, future)
        host.session = order.number
        self._next += 1

    def _took(self, note: Note) -> bool:
        """Do what a note is for. Returns whether there may be something to begin."""
        if note.kind == TOLD:
            assert note.said is not None
            return self._heard(note.said)
        if note.kind == CAME:
            self._link.look()
            return False
        if note.kind == GREETED:
            assert note.future is not None
            self._link.greeted(note.about, note.future)
            return True
        if note.kind == GONE:
            return self._gone(note.about)
        return self._done(note)

    def _heard(self, said: Mapping[str, Any]) -> bool:
        """What a task told, unless it is of an attempt that does not count: see `_UnderWay`."""
        one = self._under_way.get(said["session"])
        if one is None or said["attempt"] != (one.attempt or said["attempt"]):
            return False
        one.attempt = said["attempt"]
        assert self._hooks is not None
        match said["what"]:
            case "row":
                return self._keep(one, json.loads(said["text"]))
            case "say":
                self._hooks.say(f"{one.host.name}: {said['text']}")
            case "round":
                self._show(self._hooks)
            case "file":
                files.keep(self._campaign.folder, one.host.name, said["name"], said["text"])
            case "ended":
                self._end(one, said["why"])
                return True
        return False

    def _show(self, hooks: Hooks) -> None:
        """How all stands, as often as a tenth of our time allows: hosts do not wait for it."""
        began_s = time.monotonic()
        if self._progress.rows and began_s >= self._next_shown_s:
            hooks.enough(self._progress)
            self._next_shown_s = time.monotonic() + 9 * (time.monotonic() - began_s)

    def _keep(self, one: _UnderWay, taken: Row) -> bool:
        """Take a row, which `_flush` keeps. Returns whether it is none, which ends the session."""
        differ = self._foreign(one, taken)
        if differ:
            self._link.client.cancel([one.future])
            self._end(one, differ)
            return True
        taken["slice"] = len(self._progress.rows) + len(self._unkept)
        self._unkept.append((one, taken))
        return False

    def _foreign(self, one: _UnderWay, taken: Row) -> str:
        """Why a row is none of this session, or was measured with other programs; "": it is ours.

        Programs are compared before a session, too: they may have been built anew since.
        """
        told = (taken.get("campaign"), taken.get("session"), taken.get("host"))
        if told != (self._campaign.id, one.number, one.host.name):
            return f"it sent a row of {told}"
        wrong = evidence.untrue(taken)
        if wrong:
            return f"it sent a row that contradicts itself: {wrong[0]}"
        return programs.another(taken, taken["cell"], self._progress.rows) or ""

    def _failures(self) -> None:
        """A cell that failed is out on its host; one that failed on every host is out."""
        hosts = self._link.fleet.hosts.values()
        told = {
            f"{cell} on {host.name}": why
            for host in hosts
            for cell, why in host.progress.failures.items()
        }
        alive = [set(host.progress.failures) for host in self._link.fleet.alive]
        everywhere = set.intersection(*alive) if alive else set()
        why = dict.fromkeys(sorted(everywhere), "on every host")
        self._progress.failures.clear()
        self._progress.failures.update(told | why)

    def _end(self, one: _UnderWay, why: str) -> None:
        """A session is over; with a reason, its host is out."""
        del self._under_way[one.number]
        one.host.session = None
        nothing_left = not one.host.progress.worth_measuring(self._campaign)
        if not why and nothing_left:
            first = next(iter(one.host.progress.failures.values()))
            why = f"nothing is left there to compare: {first}"
        if why:
            self._out(one.host, why)

    def _out(self, host: Host, why: str) -> None:
        host.lost = why
        assert self._hooks is not None
        self._hooks.say(f"warning: host {host.name} is left out: {why}")
        self._link.fleet.keep(self._campaign.folder)

    def _gone(self, address: str) -> bool:
        """A worker has died, or lost its way: what it had under way is another session's."""
        host = self._link.fleet.at(address)
        if host is None:
            return False
        host.address = ""
        one = self._under_way.get(-1 if host.session is None else host.session)
        if one is None:
            self._out(host, "its worker has gone")
            return True
        self._link.client.cancel([one.future])
        self._end(one, f"its worker has gone, in session {one.number + 1}")
        return True

    def _done(self, note: Note) -> bool:
        """A task that dask says is done, and that did not say so itself."""
        one = self._under_way.get(int(note.about))
        if one is None or note.future is None or note.future.status != "error":
            return False
        self._end(one, f"its session could not begin: {note.future.exception()}")
        return True
