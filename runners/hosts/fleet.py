"""Keep the hosts of a campaign: what each offers, how far it has come, and why it is out."""

from __future__ import annotations

import contextlib
import json
import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...base.errors import UsageError
from ...base.folders import atomic_file
from ...row import Row, failures
from ..campaign import Campaign
from ..progress import Progress
from . import agreement, tasks
from .where import HostsError

if TYPE_CHECKING:
    from distributed import Client, Future

KEPT = "hosts.json"
"""The file in a campaign's folder with its hosts, and what `doctor` found on each."""
GONE = "its worker has gone"
_UNGREETED = "it has not answered"
_REACHED_S = 10.0  # within which a scheduler answers
_ANSWERS_S = 60.0  # within which workers have come and answered
_TURN_S = 0.2


@dataclass
class Host:
    """A host by the name that its worker announces. `progress` is what was measured there."""

    name: str
    address: str = ""
    progress: Progress = field(default_factory=Progress)
    answer: Mapping[str, Any] = field(default_factory=dict)  # from `tasks.greet`
    lost: str = _UNGREETED  # why it is out; "": it measures
    session: int | None = None  # under way
    future: Future | None = None  # of that session


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


class Fleet:
    """All hosts that were ever seen, by name, and the facts that must agree.

    `campaign` is as each of them measures it.
    """

    def __init__(self, campaign: Campaign, client: Client, address: str) -> None:
        self.campaign = campaign
        self.client = client
        self.address = address
        self.hosts: dict[str, Host] = {}
        self._facts = agreement.facts(campaign)
        self._real: set[str] | None = None  # devices that must be; None: no host answered yet

    @property
    def alive(self) -> list[Host]:
        return [host for host in self.hosts.values() if not host.lost]

    @property
    def measuring(self) -> list[Host]:
        """The hosts with a session under way."""
        return [host for host in self.hosts.values() if host.session is not None]

    def gather(self) -> None:
        """Greet the first workers; wait for one. Errors: UsageError if none comes."""
        until_s = time.monotonic() + _ANSWERS_S
        while not self._workers():
            time.sleep(_TURN_S)
            if time.monotonic() > until_s:
                raise UsageError(
                    f"--hosts: {self.address} has no worker; type on each host: waltax worker "
                    f"{self.address}"
                )
        self.look()

    def look(self) -> None:
        """Greet workers that have come since, and let those measure that agree.

        Figures of a device and of its model must not meet in one cell, so that what is real on one
        of the first hosts, or here, must be real on all.
        """
        asked = {host.name: self.submit(host, tasks.greet) for host in self._see(self._workers())}
        until_s = time.monotonic() + _ANSWERS_S
        while not all(future.done() for future in asked.values()) and time.monotonic() < until_s:
            time.sleep(_TURN_S)
        answers = {}
        for name, future in asked.items():
            if future.status == "finished":
                answers[name] = future.result()
            elif future.status == "error":
                self.hosts[name].lost = str(future.exception())
        if self._real is None and answers:
            reals = (answer["real"] for answer in answers.values())
            self._real = agreement.real_devices(self.campaign).union(*reals)
        for name, answer in answers.items():
            self.admit(self.hosts[name], answer)

    def _see(self, workers: Mapping[str, Mapping[str, Any]]) -> list[Host]:
        """Return those of the scheduler's workers to greet: new ones, and restarted ones."""
        known, fresh = {host.address for host in self.hosts.values()}, []
        for address in (each for each in workers if each not in known):
            # A plain worker of dask is named by its address, which cannot name a folder.
            name = str(workers[address]["name"]).rpartition("/")[2]
            host = self.hosts.setdefault(name, Host(name))
            host.address, threads = address, workers[address]["nthreads"]
            if threads == 1:
                fresh.append(host)
            else:
                host.lost = f"it has {threads} threads, want one: start it with waltax worker"
        return fresh

    def admit(self, host: Host, answer: Mapping[str, Any]) -> None:
        """Let a host that answered measure, or say in `lost` why it may not."""
        host.answer, real = answer, self._real or set()
        differ = agreement.differences(answer["agreement"], self._facts)
        for name in sorted(set(answer["real"]) ^ real):
            differ.append(
                f"{name} is emulated there, and the device itself on other hosts or here"
                if name in real
                else f"{name} is real there, and on none of the hosts that were there first"
            )
        host.lost = "; ".join(differ + _moved(host))

    def submit(self, host: Host, task: Callable[..., Any], *given: object) -> Future:
        """Have a host's worker do one of the `tasks`."""
        words = (self.campaign.id, self.campaign.as_json(), host.name, *given)
        return self.client.submit(task, *words, workers=[host.address], pure=False, retries=0)

    def ended(self) -> list[Host]:
        """Wait a moment, and return hosts whose session has ended, or whose worker has gone.

        Errors: HostsError if the scheduler has gone.
        """
        time.sleep(_TURN_S)
        there = self._workers()
        for host in self.hosts.values():
            host.address = host.address if host.address in there else ""
        return [h for h in self.alive if not h.address or (h.future and h.future.done())]

    def _workers(self) -> Mapping[str, Mapping[str, Any]]:
        if self.client.status == "running":
            with contextlib.suppress(OSError):
                told: dict[str, Any] = self.client.scheduler_info(n_workers=-1)
                workers: dict[str, dict[str, Any]] = told["workers"]
                return workers
        raise HostsError(
            f"--hosts: the scheduler at {self.address} has gone; all that was measured is in "
            f"{self.campaign.rows_path}"
        )

    def remember(self, rows: Sequence[Row]) -> None:
        """Give hosts what they measured in an earlier run of the campaign, and check that their
        devices have not changed.
        """
        for row in rows:
            host = self.hosts.setdefault(row["host"], Host(row["host"]))
            host.progress.rows.append(row)
            host.progress.failures |= failures([row])
            if not host.address:
                host.lost = "its worker is not there any more"
        for host in self.alive:
            host.lost = "; ".join(_moved(host))

    def keep(self, folder: Path) -> None:
        """Write hosts.json. Errors: OSError."""
        hosts = [
            {name: getattr(host, name) for name in ("name", "address", "lost")}
            | {key: host.answer.get(key, none) for key, none in (("doctor", []), ("machine", {}))}
            for host in self.hosts.values()
        ]
        atomic_file.write(folder / KEPT, json.dumps(hosts, indent=1) + "\n")

    def words(self) -> Iterator[str]:
        """Yield a line for each host that is out, with the reason."""
        for host in self.hosts.values():
            if host.lost:
                yield f"host {host.name} is left out: {host.lost}"


def _moved(host: Host) -> list[str]:
    """Return devices that are elsewhere than when rows of this host were measured."""
    before = {row["cell"]: row.get("placement_digest") for row in host.progress.rows}
    now = host.answer.get("placements", {})
    moved = sorted(cell for cell, kept in before.items() if kept not in (None, now.get(cell)))
    return [f"the device of {cell} is another than when it began" for cell in moved[:1]]
