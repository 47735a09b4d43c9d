"""Run a campaign's side of its hosts: give sessions to them, and take their rows.

All measure a session at the same time, whose rows are kept when it ends.
"""

from __future__ import annotations

import contextlib
import json
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ...base.errors import WaltaxError
from .. import doctor
from ..campaign import Campaign
from ..cells import programs
from ..progress import Progress
from ..session import Hooks
from . import tasks
from .fleet import GONE, Fleet, Host, connected
from .where import HostsError, require_dask

_LAST_S = 60.0  # within which unwanted sessions must have ended
_CHECKS = "checks.jsonl"
Say = Callable[[str], None]


@dataclass
class OnHosts:
    """The workers of the scheduler at `address`, each a host, and their sessions. Use once.

    Errors: UsageError if dask.distributed is not installed.
    """

    address: str
    share_machine: bool
    on_hosts = True

    def __post_init__(self) -> None:
        require_dask("--hosts")

    @contextlib.contextmanager
    def held(self, campaign: Campaign, say: Say) -> Iterator[Campaign]:
        """See `Executor.held`: holds hosts that agree. The campaign's budget and least number of
        sessions are the sums over all of them.
        """
        with connected(self.address) as client:
            self._fleet = Fleet(campaign, client, self.address)
            self._fleet.gather()
            if not self._fleet.alive:
                raise WaltaxError(
                    f"--hosts: no host of {self.address} can measure", *self._fleet.words()
                )
            for line in _introduced(self._fleet):
                say(line)
            yield _of_all(campaign, len(self._fleet.alive))

    @contextlib.contextmanager
    def opened(self, campaign: Campaign, progress: Progress, say: Say) -> Iterator[OnHosts]:
        """See `Executor.opened`: each host prepares its data when its first session begins."""
        campaign.save()
        self._fleet.remember(progress.rows)
        for line in self._fleet.words():
            say(f"warning: {line}")
        self._campaign, self._progress = campaign, progress
        self._stop = f"waltax-{secrets.token_hex(8)}"
        self._count_failures()
        try:
            yield self
        finally:
            self._fleet.keep(campaign.folder)

    def go_on(self, ended: frozenset[str], hooks: Hooks) -> None:
        """See `runners.loop.Sessions.go_on`: each host measures one session, at the same time.

        Errors: HostsError when the scheduler or the last host has gone; WaltaxError for a row that
        cannot be kept.
        """
        self._hooks = hooks
        self._fleet.look()
        self._begin(ended)
        while self._fleet.measuring and not hooks.interrupted():
            self._take_ended()
        if self._fleet.measuring:
            self._end()
        elif self._progress.rows:
            hooks.enough(self._progress)

    def _begin(self, ended: frozenset[str]) -> None:
        """Begin a session on each host, with its part of the time that is left."""
        hosts = self._fleet.alive
        if not hosts:
            raise HostsError("--hosts: no host is left", *self._fleet.words())
        rule = self._progress.rule(self._campaign, ended)
        left = self._progress.left(self._campaign, ended, rule)
        each_s = {workload: most_s / len(hosts) for workload, most_s in left.items()}
        for number, host in enumerate(hosts, self._progress.sessions):
            order = tasks.Order(
                number=number,
                stop=self._stop,
                left_s={} if self._campaign.recipe.command else each_s,
                failures=host.progress.failures,
                ended=sorted(ended),
                share_machine=self.share_machine,
            )
            host.session, host.future = number, self._fleet.submit(host, tasks.session, order)

    def _end(self) -> None:
        """End what is under way after its slices, and take its rows."""
        from distributed import Event

        Event(self._stop, client=self._fleet.client).set()
        until_s = time.monotonic() + _LAST_S
        while self._fleet.measuring and time.monotonic() < until_s:
            self._take_ended()

    def _take_ended(self) -> None:
        for host in self._fleet.ended():
            self._take(host)

    def _take(self, host: Host) -> None:
        """Keep what a session measured; with a reason that it failed, its host is out.

        Errors: WaltaxError when rows cannot be kept.
        """
        future, session = host.future, host.session
        host.future = host.session = None
        if future is None or future.status != "finished":
            failed = future is not None and future.status == "error"
            why = f"it failed: {future.exception()}" if failed and future else GONE
            self._leave_out(host, why if session is None else f"{why}, in session {session + 1}")
            return
        done: Mapping[str, Any] = future.result()
        for line in done["said"]:
            self._hooks.say(f"{host.name}: {line}")
        for name, text in done["files"].items():
            self._keep_file(host.name, name, text)
        gone = "" if host.address else GONE
        self._leave_out(host, self._kept(host, done["rows"]) or done["why"] or gone)

    def _kept(self, host: Host, rows: list[dict[str, Any]]) -> str:
        """Keep the rows of a session. Return why they are not kept, if other programs measured
        them: programs are compared before a session, too, but may have been rebuilt since.
        """
        for row in rows:
            if differ := programs.another(row, row["cell"], self._progress.rows):
                return differ
        for number, row in enumerate(rows, len(self._progress.rows)):
            row["slice"] = number
        if rows:
            self._hooks.keep(*rows)
            self._progress.rows += rows
            host.progress.rows += rows
            host.progress.failures |= {
                row["cell"]: row["failure"] for row in rows if row["status"] == "failed"
            }
            self._count_failures()
        return ""

    def _leave_out(self, host: Host, why: str) -> None:
        """Leave a host out for a reason, or if nothing is left there to compare."""
        if not why and not host.progress.worth_measuring(self._campaign):
            first = next(iter(host.progress.failures.values()))
            why = f"nothing is left there to compare: {first}"
        if why:
            host.lost = why
            self._hooks.say(f"warning: host {host.name} is left out: {why}")
            self._fleet.keep(self._campaign.folder)

    def _keep_file(self, host: str, name: str, text: str) -> None:
        """Keep a file about a host's cells for readers; the checks of all hosts go together.

        A name that leads elsewhere is not our file, and is left out. Errors: OSError.
        """
        if name == _CHECKS:
            with (self._campaign.folder / name).open("a") as file:
                for line in text.splitlines():
                    file.write(json.dumps({"host": host, **json.loads(line)}) + "\n")
        elif Path(name).name == name and Path(host).name == host:
            own = self._campaign.folder / "hosts" / host
            own.mkdir(parents=True, exist_ok=True)
            (own / name).write_text(text)

    def _count_failures(self) -> None:
        """Count failures. A failed cell is out on its host; if all hosts failed it, it is out."""
        failures = self._progress.failures
        failures.clear()
        for host in self._fleet.hosts.values():
            failures |= {f"{cell} on {host.name}": w for cell, w in host.progress.failures.items()}
        alive = [set(host.progress.failures) for host in self._fleet.alive]
        everywhere = set.intersection(*alive) if alive else set()
        failures |= dict.fromkeys(sorted(everywhere), "on every host")


def _introduced(fleet: Fleet) -> Iterator[str]:
    """Yield how many hosts there are, and what `doctor` says of each."""
    yield f"{len(fleet.alive)} hosts: {', '.join(host.name for host in fleet.alive)}"
    for host in fleet.alive:
        findings = [doctor.Finding(**finding) for finding in host.answer["doctor"]]
        yield f"doctor of {host.name}: {doctor.in_a_line(findings)}"


def _of_all(campaign: Campaign, hosts: int) -> Campaign:
    """Return the campaign with the sum of its hosts' budgets; each has the profile's."""
    timing = campaign.profile.timing
    of_all = {name: getattr(timing, name) * hosts for name in ("time_budget_s", "min_sessions")}
    timing = timing.model_copy(update=of_all)
    return replace(campaign, profile=campaign.profile.model_copy(update={"timing": timing}))
