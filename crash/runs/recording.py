"""A recorded run, of any engine."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from ... import workloads
from ...base import proc
from ...driver.argv import Parameters
from ...driver.client import Driver, Event
from ..cutter.history import History
from ..log import Log

READY_S, CHECK_S = 300.0, 300.0
"""Limits on the time until a driver is ready, and on a check."""
CHECK_THREADS = 2
INFO_LOGS = ("LOG", "LOG.old.*")
"""RocksDB's, which no recovery reads."""


@dataclass(frozen=True)
class Data:
    """A data set's workload, and the flags of its driver that loaded it."""

    workload: str = "tpcc"
    load: Parameters = field(default_factory=dict)

    @property
    def program(self) -> Path:
        """The workload's driver. Errors: as `proc.program`."""
        return proc.program(workloads.of(self.workload).driver_program)

    @property
    def flags(self) -> Parameters:
        """The flags of every command of the program."""
        return {**workloads.of(self.workload).flags, **self.load}


@dataclass(frozen=True)
class Run:
    """A run to record. `parameters` are the driver's flags besides `durability` and a load's.

    `until(driver, wal)` has the driver run until it returns; None: it runs for `seconds`.
    """

    durability: str
    seconds: float
    threads: int = 10
    seed: int = 1
    parameters: Parameters = field(default_factory=dict)
    data: Data = field(default_factory=Data)
    until: Callable[[Driver, Path], None] | None = None

    def work(self, driver: Driver, wal: Path) -> None:
        """Have a ready driver, whose log is in the folder `wal`, run requests."""
        if self.until is not None:
            self.until(driver, wal)
            return
        driver.send(cmd="run", warmup_s=0, measure_s=600)
        time.sleep(self.seconds)


@dataclass(frozen=True)
class Recording:
    """`db` and `wal` were the run's directories, which may no longer exist.

    `check(db, wal, acks)` opens a state with the real engine and checks it. Errors: WaltaxError
    when it does not open. No recovery reads a file whose name matches a pattern of `unread`.
    """

    log: Log
    history: History
    db: Path
    wal: Path
    check: Callable[[Path, Path, Path], Event]
    unread: tuple[str, ...] = ()
