"""Connect to a scheduler: greet its workers, and read their messages in order."""

from __future__ import annotations

import contextlib
import logging
import queue
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ...base.errors import UsageError
from ..campaign import Campaign
from . import tasks
from .fleet import GONE_WORKER, UNGREETED, Fleet, Host
from .where import HostsError

if TYPE_CHECKING:
    from distributed import Client, Future

Task = Callable[..., Any]
Note = Mapping[str, Any]
"""`what` happened, and in which session, as its task says, or to which worker, by address.

GREETED and DONE carry the future, whatever its outcome.
"""
GONE, CAME, GREETED, DONE = "remove-worker", "add-worker", "greeted", "done"
_REACHED_S = 10.0  # within which a scheduler answers
_WORKERS_S = 60.0  # within which its first workers have come and answered
_TURN_S = 0.2


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


class Link:
    """A campaign's connection to its scheduler. `campaign` is as each host measures it.

    Each run has a `topic` of its own, so it does not hear what is still measured for an earlier
    one. dask's own thread puts notes, and one reader takes them.
    """

    def __init__(self, client: Client, address: str, campaign: Campaign) -> None:
        self.client = client
        self.address = address
        self.campaign = campaign
        self.fleet = Fleet(campaign)
        self.topic = f"waltax-{secrets.token_hex(8)}"
        self._notes: queue.SimpleQueue[Note] = queue.SimpleQueue()
        client.subscribe_topic(self.topic, lambda event: self._notes.put(event[1]))
        client.subscribe_topic("all", self._hear_scheduler)

    def next(self, within_s: float) -> Note | None:
        """Return the next note; None if none comes in time, and for a worker that came.

        Workers are greeted, and their answers judged. Errors: HostsError if the scheduler has gone.
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
        if note["what"] == CAME:
            self._look()
            return None
        if note["what"] == GREETED:
            self._greeted(note["worker"], note["future"])
        return note

    def submit(self, host: Host, done: Note, task: Task, *given: object, **more: Any) -> Future:
        """Have a host's worker do one of the `tasks`. The note `done` follows, with its future."""
        identity, at = (self.campaign.id, self.campaign.as_json(), host.name), [host.address]
        future = self.client.submit(task, *identity, *given, workers=at, pure=False, **more)
        future.add_done_callback(lambda over: self._notes.put({**done, "future": over}))
        return future

    def _look(self) -> None:
        """Greet workers that have come since."""
        for host in self.fleet.see(self._workers()):
            self.submit(host, {"what": GREETED, "worker": host.address}, tasks.greet)

    def _greeted(self, worker: str, future: Future) -> None:
        """Admit a host that answered, or note why it cannot."""
        host = self.fleet.at(worker)
        if host is not None and future.status == "finished":
            self.fleet.admit(host, future.result())
        elif host is not None:
            error = future.exception() if future.status == "error" else GONE_WORKER
            host.lost = str(error)

    def gather(self, count: int) -> None:
        """Greet the workers that are there; wait for `count` of them.

        Errors: UsageError if none comes, or none offers what is asked for.
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
            if note and note["what"] == GONE and (host := self.fleet.at(note["worker"])):
                host.lost = GONE_WORKER

    def _workers(self) -> Mapping[str, Mapping[str, Any]]:
        workers: dict[str, dict[str, Any]] = self.client.scheduler_info(n_workers=-1)["workers"]
        return workers

    def _hear_scheduler(self, event: tuple[float, Any]) -> None:
        said = event[1]
        if isinstance(said, dict) and said.get("action") in (GONE, CAME):
            self._notes.put({"what": said["action"], "worker": said["worker"]})
