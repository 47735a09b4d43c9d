"""A run that was recorded, whatever its engine is."""

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
"""The longest that a driver takes until it is ready, and for a check."""
CHECK_THREADS = 2


@dataclass(frozen=True)
class Data:
    """Of which workload the data are, and with which flags of its driver they were loaded."""

    workload: str = "tpcc"
    load: Parameters = field(default_factory=dict)

    @property
    def program(self) -> Path:
        """Errors: as `proc.program`."""
        return proc.program(workloads.of(self.workload).driver_program)

    @property
    def flags(self) -> Parameters:
        """Those of each command of the program."""
        return {**workloads.of(self.workload).flags, **self.load}


@dataclass(frozen=True)
class Run:
    """What to record. `parameters` are flags of the driver besides `durability` and a load's.

    `until(driver, wal)` has the driver run for as long as it likes; None: for so many seconds.
    """

    durability: str
    seconds: float
    threads: int = 10
    seed: int = 1
    parameters: Parameters = field(default_factory=dict)
    data: Data = field(default_factory=Data)
    until: Callable[[Driver, Path], None] | None = None

    def work(self, driver: Driver, wal: Path) -> None:
        """Have a driver that is ready run requests, whose log is in the folder `wal`."""
        if self.until is not None:
            self.until(driver, wal)
            return
        driver.send(cmd="run", warmup_s=0, measure_s=600)
        time.sleep(self.seconds)


@dataclass(frozen=True)
class Recording:
    """`db` and `wal` were the run's directories, which may be gone by now.

    `check(db, wal, acks)` opens a state by the real engine and looks at it. Errors: WaltaxError
    when it does not open.
    """

    log: Log
    history: History
    db: Path
    wal: Path
    check: Callable[[Path, Path, Path], Event]
