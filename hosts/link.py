"""The connection to a scheduler, and the greeting of its workers."""

from __future__ import annotations

import contextlib
import logging
import secrets
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..errors import UsageError
from ..runners.campaign import Campaign
from . import tasks
from .fleet import Fleet
from .inbox import GONE, GREETED, Inbox
from .where import HostsError

if TYPE_CHECKING:
    from distributed import Client, Future

_REACHED_S = 10.0  # in which a scheduler answers
_WORKERS_S = 60.0  # in which its first workers have come, and answered
_TURN_S = 0.2


@contextlib.contextmanager
def connected(address: str) -> Iterator[Client]:
    """A client of the scheduler. Errors: UsageError when it does not answer."""
    from distributed import Client

    for name in [
        name for name in logging.root.manager.loggerDict if name.startswith("distributed")
    ]:
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

    `topic` is this run's alone: what is still measured for an earlier one is not heard.
    """

    def __init__(self, client: Client, address: str, fleet: Fleet, campaign: Campaign) -> None:
        self.client = client
        self.address = address
        self.fleet = fleet
        self.campaign = campaign
        self.topic = f"waltax-{secrets.token_hex(8)}"
        self.inbox = Inbox(client, self.topic)

    def require(self) -> None:
        """Errors: HostsError where the scheduler has gone."""
        if self.client.status != "running":
            raise HostsError(
                f"--hosts: the scheduler at {self.address} has gone; all that was measured is in "
                f"{self.campaign.rows_path}"
            )

    def look(self) -> None:
        """Greet workers that have come since."""
        workers = self.client.scheduler_info(n_workers=-1)["workers"]
        for host in self.fleet.see(workers):
            future = self.client.submit(
                tasks.greet,
                *(self.campaign.id, self.campaign.told(), host.name),
                key=f"{self.topic}-greet-{host.name}-{secrets.token_hex(4)}",
                workers=[host.address],
                pure=False,
            )
            self.inbox.when_done(future, GREETED, host.address)

    def greeted(self, address: str, future: Future) -> None:
        """A host has answered, or cannot."""
        host = self.fleet.at(address)
        if host is None:
            return
        if future.status == "finished":
            self.fleet.admit(host, future.result())
        else:
            error = future.exception() if future.status == "error" else None
            host.lost = str(error) if error is not None else "its worker has gone"

    def gather(self, count: int) -> None:
        """Greet the workers that are there, of which `count` are waited for.

        Errors: UsageError where none comes, or none offers what is asked for.
        """
        until_s = time.monotonic() + _WORKERS_S
        while len(self.client.scheduler_info(n_workers=-1)["workers"]) < count:
            self.require()
            if time.monotonic() > until_s:
                raise UsageError(
                    f"--hosts: {self.address} has no worker; type on each host: waltax worker "
                    f"{self.address}"
                )
            time.sleep(_TURN_S)
        self.look()
        self.fleet.require_labels()
        waited_for = {host.address for host in self.fleet.hosts.values()}
        while waited_for and time.monotonic() < until_s:
            self.require()
            note = self.inbox.next(_TURN_S)
            if note is not None and note.kind == GREETED and note.future is not None:
                self.greeted(note.about, note.future)
            if note is not None and note.kind in (GREETED, GONE):
                waited_for.discard(note.about)
