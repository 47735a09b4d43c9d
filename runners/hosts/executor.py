"""Run a campaign's side of its hosts: give sessions to free hosts, and take their rows.

One session is under way on each, and its rows are kept as they come.
"""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from ...base.errors import WaltaxError
from ...evidence import judgement
from ...row import Row
from .. import doctor
from ..campaign import Campaign
from ..cells import programs
from ..progress import Progress
from ..session import Hooks
from . import tasks
from .agreement import HOST
from .fleet import GONE_WORKER, KEPT, Fleet, Host
from .link import DONE, GONE, GREETED, Link, Note, connected
from .where import HostsError, local, require_dask
from .worker import cluster

_MOST = 8  # hosts that get a line each
_TURN_S = 0.2
_MOST_AT_ONCE = 100  # rows that wait so as to be kept together
_LAST_S = 60.0  # within which unwanted sessions must have ended
_CHECKS = "checks.jsonl"
Say = Callable[[str], None]


@dataclass
class OnHosts:
    """The workers of a scheduler, each a host; `hosts` is what was typed for them. Use once.

    Errors: UsageError if dask.distributed is not installed.
    """

    hosts: str
    share_machine: bool
    on_hosts = True

    def __post_init__(self) -> None:
        require_dask("--hosts")

    @contextlib.contextmanager
    def held(self, campaign: Campaign, say: Say) -> Iterator[Campaign]:
        """See `Executor.held`: holds a scheduler, and hosts that agree. The campaign's budget and
        least number of sessions are the sums over all of them.
        """
        count = local(self.hosts)
        there = cluster(count, campaign.data_root) if count else contextlib.nullcontext(self.hosts)
        with there as address, connected(address) as client:
            self._link = Link(client, address, campaign)
            self._link.gather(count or 1)
            fleet = self._link.fleet
            if not fleet.alive:
                raise WaltaxError(f"--hosts: no host of {address} can measure", *fleet.words())
            for line in _introduced(fleet):
                say(line)
            yield _of_all(campaign, len(fleet.alive))

    @contextlib.contextmanager
    def opened(self, campaign: Campaign, progress: Progress, say: Say) -> Iterator[Sessions]:
        """See `Executor.opened`: each host prepares its data when its first session begins."""
        fleet = self._link.fleet
        campaign.save()
        fleet.remember(progress.rows)
        for line in fleet.words():
            say(f"warning: {line}")
        in_turns = local(self.hosts) > 0
        sessions = Sessions(self._link, campaign, progress, in_turns, self.share_machine)
        try:
            yield sessions
            sessions.stop()
        finally:
            fleet.keep(campaign.folder)


def _introduced(fleet: Fleet) -> Iterator[str]:
    """Yield how many hosts there are, and what `doctor` says of the first ones."""
    count, first = len(fleet.alive), fleet.alive[:_MOST]
    more = [f"and {count - _MOST} more"] if count > _MOST else []
    yield f"{count} hosts: {', '.join([*(host.name for host in first), *more])}"
    for host in first:
        findings = [doctor.Finding(**finding) for finding in host.answer["doctor"]]
        yield f"doctor of {host.name}: {doctor.in_a_line(findings)}"
    if more:
        yield f"doctor of all {count}: {KEPT}"


def _of_all(campaign: Campaign, hosts: int) -> Campaign:
    """Return the campaign with the sum of its hosts' budgets; each has the profile's."""
    timing = campaign.profile.timing
    of_all = {name: getattr(timing, name) * hosts for name in ("time_budget_s", "min_sessions")}
    timing = timing.model_copy(update=of_all)
    return replace(campaign, profile=campaign.profile.model_copy(update={"timing": timing}))


@dataclass
class Sessions:
    """See `runners.executor.Sessions`; each host runs at most one at a time.

    With `in_turns` the hosts are workers of one machine, of which only one measures at a time.
    """

    link: Link
    campaign: Campaign  # as all of them together measure it
    progress: Progress
    in_turns: bool
    share_machine: bool
    hooks: Hooks = field(init=False)  # of sessions under way

    def __post_init__(self) -> None:
        self._fleet = self.link.fleet
        self._next = self.progress.sessions
        self._unkept: list[Row] = []  # rows that came since the last was kept
        self._count_failures()

    def go_on(self, ended: frozenset[str], hooks: Hooks) -> None:
        """See `runners.executor.Sessions.go_on`: go on until as many have ended as there are hosts.

        With many hosts, a check after each whether that is enough would outlast the sessions.

        Errors: HostsError when the scheduler or the last host has gone; WaltaxError for a row that
        cannot be kept.
        """
        self.hooks, changes = hooks, 0
        self._submit(ended, rest=True)
        while not hooks.interrupted():
            if not self._heard():
                continue
            changes += 1
            if changes < len(self._fleet.alive):
                self._submit(ended)
            if changes >= len(self._fleet.alive) or not self._fleet.measuring:
                if self.progress.rows:
                    hooks.enough(self.progress)
                return
        self.stop()

    def stop(self) -> None:
        """Cancel what is under way, but take the results of slices that have begun."""
        self.link.client.cancel([host.future for host in self._fleet.measuring.values()])
        until_s = time.monotonic() + _LAST_S
        while self._fleet.measuring and time.monotonic() < until_s:
            self._heard()

    def _heard(self) -> bool:
        """Wait for a note, and act on it. Return whether there may be something to begin.

        Rows that came before it are kept by then, unless it is one itself.
        """
        note = self.link.next(0.0 if self._unkept else _TURN_S)
        if note is None or note["what"] != "row" or len(self._unkept) >= _MOST_AT_ONCE:
            self._flush()
        return note is not None and self._took(note)

    def _flush(self) -> None:
        """Keep the rows that have come: several at once take no longer than one.

        Errors: WaltaxError when they cannot be kept.
        """
        rows, self._unkept = self._unkept, []
        if not rows:
            return
        self.hooks.keep(*rows)
        for row in rows:
            progress = self._fleet.hosts[row["host"]].progress
            self.progress.rows.append(row)
            progress.rows.append(row)
            if row["status"] == "failed":
                progress.failures[row["cell"]] = row["failure"]
                self._count_failures()
        self.hooks.after_slice(self.progress)

    def _submit(self, ended: frozenset[str], *, rest: bool = False) -> None:
        """Begin a session on each free host that has not had its share.

        With `rest`, hosts that have had their own share take over what lost hosts left.
        """
        if not self._fleet.alive:
            raise HostsError("--hosts: no host is left", *self._fleet.words())
        free = [host for host in self._fleet.alive if host.session is None]
        own = [(host, host.left_s(self.link.campaign, ended)) for host in free]
        due = [(host, left) for host, left in own if left is not None]
        if rest and not due and not self._fleet.measuring:
            rule = self.progress.rule(self.campaign, ended)
            due = [(host, self.progress.left(self.campaign, ended, rule)) for host in free]
        if self.in_turns:
            due.sort(key=lambda turn: turn[0].progress.sessions)
            due = [] if self._fleet.measuring else due[:1]
        for host, left in due:
            self._begin(host, left, ended)

    def _begin(self, host: Host, left: dict[str, float], ended: frozenset[str]) -> None:
        order = tasks.Order(
            number=self._next,
            topic=self.link.topic,
            left_s={} if self.campaign.recipe.command else left,
            failures=host.progress.failures,
            ended=sorted(ended),
            share_machine=self.share_machine,
        )
        done = {"what": DONE, "session": order.number}
        needs = dict.fromkeys((HOST, *self._fleet.needs), 1)
        host.future = self.link.submit(host, done, tasks.session, order, resources=needs, retries=0)
        host.session, host.attempt = order.number, ""
        self._next += 1

    def _took(self, note: Note) -> bool:
        """Act on a note, unless it is of an attempt that does not count: see `Host`."""
        if note["what"] in (GREETED, GONE):
            return note["what"] == GREETED or self._gone(note["worker"])
        host = self._fleet.measuring.get(note["session"])
        attempt = note.get("attempt", "")  # dask itself names none
        if host is None or attempt not in (host.attempt or attempt, ""):
            return False
        host.attempt = host.attempt or attempt
        match note["what"]:
            case "row":
                return self._took_row(host, json.loads(note["text"]))
            case "say":
                self.hooks.say(f"{host.name}: {note['text']}")
            case "file":
                self._keep_file(host.name, note["name"], note["text"])
            case "ended":
                return self._end(host, note["why"])
            case "done" if note["future"].status == "error":
                return self._end(host, f"its session could not begin: {note['future'].exception()}")
        return False

    def _took_row(self, host: Host, row: Row) -> bool:
        """Take a row for `_flush` to keep. Return whether it was refused: then the session ends."""
        differ = self._foreign(host, row)
        if differ:
            self.link.client.cancel([host.future])
            return self._end(host, differ)
        row["slice"] = len(self.progress.rows) + len(self._unkept)
        self._unkept.append(row)
        return False

    def _foreign(self, host: Host, row: Row) -> str:
        """Say why a row is not of this session, or came from other programs; "": it is ours.

        Programs are compared before a session, too, but they may have been rebuilt since.
        """
        origin = (row.get("campaign"), row.get("session"), row.get("host"))
        if origin != (self.campaign.id, host.session, host.name):
            return f"it sent a row of {origin}"
        wrong = judgement.untrue(row)
        if wrong:
            return f"it sent a row that contradicts itself: {wrong[0]}"
        return programs.another(row, row["cell"], self.progress.rows) or ""

    def _keep_file(self, host: str, name: str, text: str) -> None:
        """Keep a file about a host's cells for readers; the checks of all hosts go together.

        A name that leads elsewhere is not our file, and is left out. Errors: OSError.
        """
        if name == _CHECKS:
            with (self.campaign.folder / name).open("a") as file:
                for line in text.splitlines():
                    file.write(json.dumps({"host": host, **json.loads(line)}) + "\n")
        elif Path(name).name == name and Path(host).name == host:
            own = self.campaign.folder / "hosts" / host
            own.mkdir(parents=True, exist_ok=True)
            (own / name).write_text(text)

    def _count_failures(self) -> None:
        """Count failures. A failed cell is out on its host; if all hosts failed it, it is out."""
        failures = self.progress.failures
        failures.clear()
        for host in self._fleet.hosts.values():
            failures |= {f"{cell} on {host.name}": w for cell, w in host.progress.failures.items()}
        alive = [set(host.progress.failures) for host in self._fleet.alive]
        everywhere = set.intersection(*alive) if alive else set()
        failures |= dict.fromkeys(sorted(everywhere), "on every host")

    def _end(self, host: Host, why: str) -> bool:
        """End a session, so that another may begin; with a reason, its host is out."""
        host.session = None
        if not why and not host.progress.worth_measuring(self.campaign):
            first = next(iter(host.progress.failures.values()))
            why = f"nothing is left there to compare: {first}"
        if why:
            host.lost = why
            self.hooks.say(f"warning: host {host.name} is left out: {why}")
            self._fleet.keep(self.campaign.folder)
        return True

    def _gone(self, address: str) -> bool:
        """Handle a worker that died or lost contact: its work goes to another session."""
        host, why = self._fleet.at(address), GONE_WORKER
        if host is None:
            return False
        host.address = ""
        if host.session is not None:
            self.link.client.cancel([host.future])
            why += f", in session {host.session + 1}"
        return self._end(host, why)
