"""RocksDB in a driver's process, killed and opened again."""

from __future__ import annotations

import shutil
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

from ... import proc
from ...driver.argv import Parameters, check_argv, run_argv
from ...driver.client import Driver, Event
from ...owned import removal
from ...runners.cells import data_set
from ..runs import embedded as recorded
from . import cold, crashed, told, torn
from .crashed import CHECK_S, CHECK_THREADS, CUT, KILL, MODES, READY_S, Crashed, Reopened, Work


@dataclass(frozen=True)
class Embedded:
    """See `crashed.Subject`. `work.run` has the engine's flags, too."""

    work: Work
    failure: str = KILL

    def crash(
        self, loaded: Path, folder: Path, log_bytes: int, *, threads: int, seed: int
    ) -> Crashed:
        if self.failure == CUT:
            return self._cut(loaded, folder, log_bytes, threads=threads, seed=seed)
        db, wal, acks = folder / "db", folder / "wal", folder / "acks"
        data_set.clone(loaded, db)
        wal.mkdir()
        driver = self._driver(
            folder, threads, seed, {"durability": MODES[KILL], "ack_log": str(acks)}
        )
        try:
            driver.wait_for("ready", within_s=READY_S)
            crashed.in_files(driver, wal, log_bytes)
        finally:
            driver.kill()
        told.require_unflushed((db / "LOG").read_text(errors="replace"), db / "LOG")
        files = crashed.logs(wal)
        return Crashed(db, wal, acks, sum(path.stat().st_size for path in files), len(files))

    def _cut(
        self, loaded: Path, folder: Path, log_bytes: int, *, threads: int, seed: int
    ) -> Crashed:
        """The same of a run that is recorded until the power fails."""

        def until(driver: Driver, wal: Path) -> None:
            crashed.in_files(driver, wal, log_bytes)

        recording = recorded.record(loaded, folder, torn.run(self.work, until, threads, seed))
        log = folder / "db" / "LOG"
        told.require_unflushed(log.read_text(errors="replace"), log)
        return torn.left(recording, folder / "left", seed, ["*.log"])

    def reopen(self, left: Crashed, room: Path) -> Reopened:
        db, wal = room / "db", room / "wal"
        try:
            cold.copied(left.db, db)
            shutil.copytree(left.wal, wal)
            cold.forget(db, wal)
            began_s = time.monotonic()
            driver = self._driver(room, 1, 1, {})
            try:
                driver.wait_for("ready", within_s=READY_S)
                open_s = time.monotonic() - began_s
                read = psutil.Process(driver.pid).io_counters().read_bytes
            finally:
                driver.kill()
            log = db / "LOG"
            recovery_s = told.rocksdb_s(log.read_text(errors="replace"), log)
            return Reopened(open_s, recovery_s, read, left.log_bytes)
        finally:
            removal.trees(db, wal)

    def check(self, left: Crashed) -> Event:
        program = proc.program(self.work.workload)
        argv = check_argv(
            program,
            left.db,
            left.wal,
            threads=CHECK_THREADS,
            parameters={**self.work.load, "acks": str(left.acks)},
        )
        checker = Driver("check", argv)
        try:
            return checker.wait_for("check", within_s=READY_S + CHECK_S)
        finally:
            checker.kill()

    def _driver(self, folder: Path, threads: int, seed: int, more: Parameters) -> Driver:
        argv = run_argv(
            proc.program(self.work.workload),
            folder / "db",
            folder / "wal",
            threads=threads,
            seed=seed,
            parameters={**self.work.load, **self.work.run, **more},
        )
        return Driver("run", argv, log=folder / "run.stderr")
