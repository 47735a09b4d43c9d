"""One cell come alive: its processes, its clone, its WAL directory and the tap's page."""

from __future__ import annotations

import contextlib
import os
import select
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from ..cell import Cell
from ..devices.resolve import Placement
from ..devices.tap_page import TapCounters, TapPage
from ..driver import patience
from ..driver.client import Driver, DriverFailed, Event
from ..mariadb.server import Server
from . import engines, machine

_DEATH_S = 2.0  # in which a server is gone that its clients have lost


@dataclass(frozen=True)
class Measured:
    """One slice as its witnesses tell it. `tap` and `machine` span the warm-up too.

    `tap_so_far` is the tap's page as it stands, from the process's start on.
    `server_cpu_s` is user and system time of an engine's own process.
    """

    slice: Event
    tap: TapCounters
    tap_so_far: TapCounters
    machine: dict[str, float]
    stray_wal_files: tuple[Path, ...]
    server_cpu_s: tuple[float, float] | None = None


class Live(Protocol):
    """A cell that a session measures: a process that waits between slices, or one a slice."""

    @property
    def cell(self) -> Cell: ...
    @property
    def placement(self) -> Placement: ...
    @property
    def wal_dir(self) -> Path: ...
    @property
    def ready(self) -> Event: ...
    @property
    def argv(self) -> list[str]: ...
    @property
    def seed(self) -> int: ...
    @property
    def server(self) -> Server | None: ...
    @property
    def slices(self) -> int: ...
    def measure(self, warmup_s: float, measure_s: float) -> Measured: ...
    def check(self) -> dict[str, int] | None: ...
    def freeze(self) -> None: ...
    def kill(self) -> None: ...


@dataclass
class LiveCell:
    """Frozen except while it measures. Use from one thread.

    `server` is the engine's process, None when the engine is in the driver's.
    """

    cell: Cell
    placement: Placement
    driver: Driver
    page: TapPage
    datadir: Path
    wal_dir: Path
    ready: Event
    argv: list[str]
    seed: int
    server: Server | None = None
    slices: int = 0

    def measure(self, warmup_s: float, measure_s: float) -> Measured:
        """Run one slice while every other cell is frozen.

        Errors: ServerDied or DriverFailed, naming the cell and the last words.
        """
        places = {"data": self.datadir, "wal": self.wal_dir}
        server_before = self._server_cpu_s()
        tap, before = self.page.snapshot(), machine.sample(places)
        times = {"warmup_s": warmup_s, "measure_s": measure_s}
        # Awake only for its slice: what runs in the background has no other time.
        with self._awake():
            event = self.driver.ask("slice", within_s=sum(times.values()), cmd="run", **times)
        during = machine.sample(places).since(before)
        so_far = self.page.snapshot()
        strays = engines.stray_log_files(self.cell.engine, self.datadir, self.wal_dir)
        self.slices += 1
        used = _minus(self._server_cpu_s(), server_before)
        return Measured(event, so_far.minus(tap), so_far, during, strays, used)

    def check(self) -> dict[str, int]:
        """Verify the workload's invariants and return how much was looked at.

        Errors: DriverFailed naming the violations; ServerDied.
        """
        with self._awake():
            event = self.driver.ask(
                "check", within_s=patience.LONGEST_S, still_s=patience.STILL_S, cmd="check"
            )
        if not event["ok"]:
            found = "; ".join(event["violations"][:3])
            raise DriverFailed(f"the check found: {found}")
        return dict(event["counted"])

    @contextlib.contextmanager
    def _awake(self) -> Iterator[None]:
        """Thawed. A driver that failed since its server died is not to blame."""
        self.thaw()
        try:
            yield
        except DriverFailed:
            require_server(self.server)
            raise
        self.freeze()

    def thaw(self) -> None:
        """The server first: it answers when its client wakes."""
        if self.server is not None:
            self.server.thaw()
        self.driver.thaw()

    def freeze(self) -> None:
        """Stop all threads. REQUIRES: no slice runs: then no transaction is open, and no lock
        of a frozen client waits for a server that is thawed.
        """
        self.driver.freeze()
        if self.server is not None:
            self.server.freeze()

    def kill(self) -> None:
        self.driver.kill()
        if self.server is not None:
            self.server.kill()

    def _server_cpu_s(self) -> tuple[float, float] | None:
        return None if self.server is None else self.server.cpu_s()


def require_server(server: Server | None) -> None:
    """When a driver failed: whether its server is what died.

    Errors: ServerDied with the error log's last words. Clients can notice a death before our
    wait for it does.
    """
    if server is not None:
        _wait_for_death(server.pid)
        server.require_alive()


def _wait_for_death(pid: int) -> None:
    """For a moment only: it may be well."""
    with contextlib.suppress(ProcessLookupError):
        handle = os.pidfd_open(pid)
        try:
            select.select([handle], [], [], _DEATH_S)
        finally:
            os.close(handle)


def _minus(
    later: tuple[float, float] | None, earlier: tuple[float, float] | None
) -> tuple[float, float] | None:
    if later is None or earlier is None:
        return None
    return later[0] - earlier[0], later[1] - earlier[1]
