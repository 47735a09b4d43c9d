"""Run a campaign's side of its hosts: each measures a session at a time, whose rows are taken."""

from __future__ import annotations

import contextlib
import json
import logging
import math
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ...base.errors import UsageError
from ...base.folders import atomic_file
from ...row import Row, failures
from ..campaign import Campaign
from ..cells import programs
from ..progress import Progress
from ..session import CHECKS, Hooks
from . import HostsError, require_dask, tasks

if TYPE_CHECKING:
    from distributed import Client, Future

KEPT = "hosts.json"
"""The file in a campaign's folder with its hosts, and what `doctor` found on each."""
_GONE = "its worker has gone"
_REACHED_S = 10.0  # within which a scheduler answers
_COMES_S = 60.0  # within which a worker has come
_LAST_S = 60.0  # within which unwanted sessions must have ended
_TURN_S = 0.2
Say = Callable[[str], None]


@dataclass
class Host:
    """A host by the name that its worker announces. `progress` is what was measured there."""

    name: str
    address: str = ""  # of its worker; "": it has none
    lost: str = "its worker is not there any more"  # why it is out; "": it measures
    progress: Progress = field(default_factory=Progress)
    doctor: Sequence[Mapping[str, str]] = ()
    machine: Mapping[str, Any] = field(default_factory=dict)
    session: int = 0  # the number of its last one
    future: Future | None = None  # of a session under way


@contextlib.contextmanager
def connected(address: str) -> Iterator[Client]:
    """Yield a client of the scheduler. Errors: UsageError when it does not answer."""
    from distributed import Client

    for name in [*logging.root.manager.loggerDict]:
        if name.startswith("distributed"):
            logging.getLogger(name).setLevel(logging.CRITICAL)  # what matters, we say ourselves
    try:
        client = Client(address, timeout=_REACHED_S, set_as_default=False)
    except (OSError, ValueError) as error:
        raise UsageError(
            f"--hosts: no scheduler answers at {address} within {_REACHED_S:.0f} s; start one with "
            "dask scheduler, or name another"
        ) from error
    try:
        yield client
    finally:
        with contextlib.suppress(OSError, TimeoutError):
            client.close(timeout=_REACHED_S)


@dataclass
class OnHosts:
    """The workers of the scheduler at `address`, each a host, and their sessions. Use once.

    Errors: UsageError if dask.distributed is not installed.
    """

    address: str
    share_machine: bool
    on_hosts = True
    hosts: dict[str, Host] = field(default_factory=dict)  # all that were ever seen, by name

    def __post_init__(self) -> None:
        require_dask("--hosts")

    @contextlib.contextmanager
    def opened(self, campaign: Campaign, progress: Progress, say: Say) -> Iterator[Campaign]:
        """See `Executor.opened`: waits for a worker. The campaign's budget and least number of
        sessions are the sums over all hosts of that moment. Each host prepares its data when its
        first session begins.
        """
        self._say = say
        campaign.save()
        with connected(self.address) as self._client:
            until_s = time.monotonic() + _COMES_S
            while not (hosts := self.look()):
                time.sleep(_TURN_S)
                if time.monotonic() > until_s:
                    raise UsageError(
                        f"--hosts: {self.address} has no worker that can measure; type on each "
                        f"host: waltax worker {self.address}",
                        *self._words(),
                    )
            say(f"{len(hosts)} hosts: {', '.join(host.name for host in hosts)}")
            self._campaign, self._progress = _of_all(campaign, len(hosts)), progress
            self._facts = tasks.facts(campaign)
            self._stop = f"waltax-{secrets.token_hex(8)}"
            for row in progress.rows:
                self._remember(self.hosts.setdefault(row["host"], Host(row["host"])), [row])
            yield self._campaign

    def go_on(self, ended: frozenset[str], hooks: Hooks) -> None:
        """See `runners.loop.Executor.go_on`: each host measures one session, at the same time.

        Errors: HostsError when the scheduler or the last host has gone; WaltaxError for a row that
        cannot be kept.
        """
        from distributed import Event

        until_s = math.inf
        try:
            self.begin(ended)
            while any(host.future is not None for host in self.hosts.values()):
                if hooks.interrupted() and until_s == math.inf:  # after the slices under way
                    Event(self._stop, client=self._client).set()
                    until_s = time.monotonic() + _LAST_S
                if time.monotonic() > until_s:
                    return
                self.take_ended(hooks)
        finally:
            self._write()
        if self._progress.rows and not hooks.interrupted():
            hooks.enough(self._progress)

    def look(self) -> list[Host]:
        """Return the hosts that can measure, also those that have come or come back since.

        Errors: HostsError if the scheduler has gone.
        """
        # A plain worker of dask is named by its address, which cannot name a folder.
        workers = {
            str(worker["name"]).rpartition("/")[2]: (address, worker["nthreads"])
            for address, worker in self._workers().items()
        }
        for name in workers:
            self.hosts.setdefault(name, Host(name))
        for host in self.hosts.values():
            address, threads = workers.get(host.name, ("", 1))
            if not address and not host.lost:
                self._leave_out(host, _GONE)
            elif address not in ("", host.address):
                host.lost = ""
                if threads != 1:
                    why = f"it has {threads} threads, want one: start it with waltax worker"
                    self._leave_out(host, why)
            host.address = address
        return [host for host in self.hosts.values() if not host.lost]

    def begin(self, ended: frozenset[str]) -> None:
        """Begin a session on each host, with its part of the time that is left."""
        hosts = self.look()
        if not hosts:
            raise HostsError("--hosts: no host is left", *self._words())
        left = self._progress.left(self._campaign, ended)
        each_s = {workload: most_s / len(hosts) for workload, most_s in left.items()}
        for number, host in enumerate(hosts, self._progress.sessions):
            order = tasks.Order(
                number=number,
                stop=self._stop,
                left_s={} if self._campaign.recipe.command else each_s,
                failures=host.progress.failures,
                ended=sorted(ended),
                share_machine=self.share_machine,
                facts=self._facts,
            )
            words = (self._campaign.id, self._campaign.as_json(), host.name, order)
            way = {"workers": [host.address], "pure": False, "retries": 0}
            host.session, host.future = number, self._client.submit(tasks.session, *words, **way)

    def take_ended(self, hooks: Hooks) -> None:
        """Wait a moment, and keep what sessions measured that have ended. Errors: as `go_on`."""
        time.sleep(_TURN_S)
        there = self._workers()
        for host in self.hosts.values():
            if host.future and (host.future.done() or host.address not in there):
                self._take(host, host.future, hooks)

    def _workers(self) -> Mapping[str, Mapping[str, Any]]:
        if self._client.status == "running":
            with contextlib.suppress(OSError):
                info: dict[str, Any] = self._client.scheduler_info(n_workers=-1)
                workers: dict[str, dict[str, Any]] = info["workers"]
                return workers
        raise HostsError(
            f"--hosts: the scheduler at {self.address} has gone; all that was kept can be resumed"
        )

    def _take(self, host: Host, future: Future, hooks: Hooks) -> None:
        """Keep what a session measured; with a reason that it failed, its host is out."""
        host.future = None
        if future.status != "finished":
            why = f"it failed: {future.exception()}" if future.status == "error" else _GONE
            self._leave_out(host, f"{why}, in session {host.session + 1}")
            return
        done: Mapping[str, Any] = future.result()
        for line in done["said"]:
            self._say(f"{host.name}: {line}")
        with (self._campaign.folder / CHECKS).open("a") as file:
            for line in done["checks"]:
                file.write(json.dumps({"host": host.name, **json.loads(line)}) + "\n")
        if done["machine"]:
            host.doctor, host.machine = done["doctor"], done["machine"]
        why = self._another(host, done["rows"])
        if not why and done["rows"]:
            for number, row in enumerate(done["rows"], len(self._progress.rows)):
                row["slice"] = number
            hooks.keep(*done["rows"])
            self._progress.rows += done["rows"]
            self._remember(host, done["rows"])
        why = why or done["why"]
        if not why and not host.progress.worth_measuring(self._campaign):
            first = next(iter(host.progress.failures.values()))
            why = f"nothing is left there to compare: {first}"
        if why:
            self._leave_out(host, why)

    def _another(self, host: Host, rows: Sequence[Row]) -> str:
        """Say why a session's rows must not meet those so far; "" if they may.

        Figures of a device and of its model must not meet in one cell, nor those of two models, nor
        those of two programs, which may have been rebuilt since the session began.
        """
        first = {row["cell"]: row for row in reversed(self._progress.rows)}
        own = {row["cell"]: row for row in host.progress.rows}
        for row in rows:
            cell = row["cell"]
            if differ := programs.another(row, cell, self._progress.rows):
                return differ
            before = own.get(cell, first.get(cell, row))
            is_another = before["placement_digest"] != row["placement_digest"]
            if is_another and (cell in own or before["emulated"] or row["emulated"]):
                whose = "when it began" if cell in own else "on other hosts, or a model of it"
                return f"the device of {cell} is another than {whose}"
        return ""

    def _remember(self, host: Host, rows: Sequence[Row]) -> None:
        """Count rows of a host. A failed cell is out there; if all hosts failed it, it is out."""
        host.progress.rows += rows
        host.progress.failures |= failures(rows)
        all_of = self._progress.failures
        all_of.clear()
        for each in self.hosts.values():
            all_of |= {f"{cell} on {each.name}": w for cell, w in each.progress.failures.items()}
        alive = [set(each.progress.failures) for each in self.hosts.values() if not each.lost]
        everywhere = set.intersection(*alive) if alive else set()
        all_of |= dict.fromkeys(sorted(everywhere), "on every host")

    def _leave_out(self, host: Host, why: str) -> None:
        host.lost = why
        self._say(f"warning: host {host.name} is left out: {why}")

    def _words(self) -> Iterator[str]:
        """Yield a line for each host that is out, with the reason."""
        for host in self.hosts.values():
            if host.lost:
                yield f"host {host.name} is left out: {host.lost}"

    def _write(self) -> None:
        """Write hosts.json. Errors: OSError."""
        names = ("name", "address", "lost", "doctor", "machine")
        hosts = [{name: getattr(host, name) for name in names} for host in self.hosts.values()]
        atomic_file.write(self._campaign.folder / KEPT, json.dumps(hosts, indent=1) + "\n")


def _of_all(campaign: Campaign, hosts: int) -> Campaign:
    """Return the campaign with the sum of its hosts' budgets; each has the profile's."""
    timing = campaign.profile.timing
    of_all = {name: getattr(timing, name) * hosts for name in ("time_budget_s", "min_sessions")}
    timing = timing.model_copy(update=of_all)
    return replace(campaign, profile=campaign.profile.model_copy(update={"timing": timing}))
