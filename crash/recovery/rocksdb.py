"""RocksDB in a driver's process, killed and opened again."""

from __future__ import annotations

import shutil
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

from ...base.folders import removal
from ...driver.argv import run_argv
from ...driver.client import Driver, Event
from ...runners.cells import data_set
from ..runs import rocksdb as recorded
from ..runs.recording import CHECK_S
from . import engine_log, kill
from .kill import READY_S, Crashed, Reopened, Work

_LOG = "*.log"


@dataclass(frozen=True)
class Embedded:
    """An engine that is killed and opened again. `work.run` has the engine's flags, too."""

    work: Work

    def crash(
        self, loaded: Path, folder: Path, log_bytes: int, *, threads: int, seed: int
    ) -> Crashed:
        """Run requests on a clone of the data set `loaded` until its log has `log_bytes`; kill it.

        All files go to the empty `folder`. Errors: DriverFailed; WaltaxError when the log stops
        growing, or shrinks.
        """

        def until(driver: Driver, wal: Path) -> None:
            kill.in_files(driver, wal, log_bytes)

        data_set.clone(loaded, folder / "db")
        (folder / "wal").mkdir()
        run = self.work.run_until(until, threads, seed)
        recorded.run_killed(run, folder, folder / "wal")
        log = folder / "db" / "LOG"
        engine_log.require_unflushed(log.read_text(errors="replace"), log)
        return kill.left(folder, _LOG)

    def reopen(self, left: Crashed, room: Path) -> Reopened:
        """Open a copy in `room`, and remove it.

        Errors: DriverFailed when it does not open; WaltaxError when the engine reports no recovery.
        """
        db, wal = room / "db", room / "wal"
        parameters = {**self.work.flags, **self.work.run}
        argv = run_argv(self.work.program, db, wal, threads=1, seed=1, parameters=parameters)
        try:
            kill.copied(left.db, db)
            shutil.copytree(left.wal, wal)
            kill.forget(db, wal)
            began_s = time.monotonic()
            driver = Driver("run", argv, log=room / "run.stderr")
            try:
                driver.wait_for("ready", within_s=READY_S)
                open_s = time.monotonic() - began_s
                read = psutil.Process(driver.pid).io_counters().read_bytes
            finally:
                driver.kill()
            log = db / "LOG"
            recovery_s = engine_log.rocksdb_s(log.read_text(errors="replace"), log)
            return Reopened(open_s, recovery_s, read, left.log_bytes)
        finally:
            removal.trees(db, wal)

    def check(self, left: Crashed) -> Event:
        """Open what was left with the driver's check, and return what it finds.

        Errors: DriverFailed when it does not open.
        """
        return recorded.check(left.db, left.wal, left.acks, self.work, READY_S + CHECK_S)
