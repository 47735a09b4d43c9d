"""The connection to a scheduler: its workers are greeted, and what they tell is read in order."""

from __future__ import annotations

import contextlib
import logging
import queue
import secrets
import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import UsageError
from ..runners.campaign import Campaign
from . import tasks
from .fleet import UNGREETED, Fleet
from .where import HostsError

if TYPE_CHECKING:
    from distributed import Client, Future

TOLD, GONE, CAME, GREETED, DONE = "told", "gone", "came", "greeted", "done"
_OF_SCHEDULER = {"remove-worker": GONE, "add-worker": CAME}
_REACHED_S = 10.0  # in which a scheduler answers
_WORKERS_S = 60.0  # in which its first workers have come, and answered
_TURN_S = 0.2
_GONE_WORKER = "its worker has gone"


class Note(NamedTuple):
    """`about`: of TOLD and DONE the session, as text; else a worker's address.

    `said` is what a task told; `future` the one that is done, of GREETED and DONE.
    """

    kind: str
    about: str
    said: Mapping[str, Any] | None = None
    future: Future | None = None


@contextlib.contextmanager
def connected(address: str) -> Iterator[Client]:
    """A client of the scheduler. Errors: UsageError when it does not answer."""
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


class Link:
    """A campaign's connection to its scheduler. `campaign` is as each host measures it.

    `topic` is this run's alone: what is still measured for an earlier one is not heard. Notes are
    put by dask's own thread, and taken by one reader.
    """

    def __init__(self, client: Client, address: str, fleet: Fleet, campaign: Campaign) -> None:
        self.client = client
        self.address = address
        self.fleet = fleet
        self.campaign = campaign
        self.topic = f"waltax-{secrets.token_hex(8)}"
        self._notes: queue.SimpleQueue[Note] = queue.SimpleQueue()
        client.subscribe_topic(self.topic, self._hear)
        client.subscribe_topic("all", self._hear_scheduler)

    def next(self, within_s: float) -> Note | None:
        """The next note; None where none comes in that time, and for a worker that came.

        Workers are greeted, and their answers judged. Errors: HostsError where the scheduler has
        gone.
        """
        if self.client.status != "running":
            raise HostsError(
                f"--hosts: the scheduler at {self.address} has gone; all that was measured is in "
                f"{self.campaign.rows_path}"
            )
        try:
            note = self._notes.get(timeout=within_s)
        except queue.Empty:
            return None
        if note.kind == CAME:
            self._look()
            return None
        if note.kind == GREETED:
            self._greeted(note)
        return note

    def when_done(self, future: Future, kind: str, about: str) -> None:
        """Have a note of this kind when the future is done, whatever came of it."""
        future.add_done_callback(lambda done: self._notes.put(Note(kind, about, future=done)))

    def _look(self) -> None:
        """Greet workers that have come since."""
        for host in self.fleet.see(self._workers()):
            future = self.client.submit(
                tasks.greet,
                *(self.campaign.id, self.campaign.told(), host.name),
                key=f"{self.topic}-greet-{host.name}-{secrets.token_hex(4)}",
                workers=[host.address],
                pure=False,
            )
            self.when_done(future, GREETED, host.address)

    def _greeted(self, note: Note) -> None:
        """A host has answered, or cannot."""
        host, future = self.fleet.at(note.about), note.future
        if host is None or future is None:
            return
        if future.status == "finished":
            self.fleet.admit(host, future.result())
        else:
            error = future.exception() if future.status == "error" else None
            host.lost = str(error) if error is not None else _GONE_WORKER

    def gather(self, count: int) -> None:
        """Greet the workers that are there, of which `count` are waited for.

        Errors: UsageError where none comes, or none offers what is asked for.
        """
        until_s = time.monotonic() + _WORKERS_S
        while len(self._workers()) < count:
            self.next(_TURN_S)
            if time.monotonic() > until_s:
                raise UsageError(
                    f"--hosts: {self.address} has no worker; type on each host: waltax worker "
                    f"{self.address}"
                )
        self._look()
        self.fleet.require_labels()
        hosts = self.fleet.hosts.values()
        while time.monotonic() < until_s and any(host.lost == UNGREETED for host in hosts):
            note = self.next(_TURN_S)
            if note is not None and note.kind == GONE and (host := self.fleet.at(note.about)):
                host.lost = _GONE_WORKER

    def _workers(self) -> Mapping[str, Mapping[str, Any]]:
        workers: dict[str, dict[str, Any]] = self.client.scheduler_info(n_workers=-1)["workers"]
        return workers

    def _hear(self, event: tuple[float, dict[str, Any]]) -> None:
        self._notes.put(Note(TOLD, str(event[1]["session"]), event[1]))

    def _hear_scheduler(self, event: tuple[float, Any]) -> None:
        said = event[1]
        kind = _OF_SCHEDULER.get(said.get("action", "")) if isinstance(said, dict) else None
        if kind is not None:
            self._notes.put(Note(kind, said["worker"]))
