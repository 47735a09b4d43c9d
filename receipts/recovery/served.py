"""MyRocks and InnoDB: a server that is killed and started again."""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import psutil

from ... import proc
from ...driver.argv import server_argv
from ...driver.client import Driver, Event
from ...engines import ENGINES, Settings
from ...errors import WaltaxError
from ...mariadb import datadir, private, settings
from ...mariadb.server import Server, running
from ...mariadb.spec import Spec
from ...owned import removal
from ..runs import served as recorded
from . import cold, crashed, told, torn
from .crashed import CHECK_S, CHECK_THREADS, CUT, KILL, MODES, READY_S, Crashed, Reopened, Work


@dataclass(frozen=True)
class OnServer:
    """See `crashed.Subject`. `settings` are the server's, besides the mode and places."""

    engine: str
    settings: Settings
    work: Work
    failure: str = KILL

    def crash(
        self, loaded: Path, folder: Path, log_bytes: int, *, threads: int, seed: int
    ) -> Crashed:
        if self.failure == CUT:
            return self._cut(loaded, folder, log_bytes, threads=threads, seed=seed)
        db, wal, acks = folder / "db", folder / "wal", folder / "acks"
        datadir.clone(loaded, db, self.engine, wal)
        with running(self._spec(folder, db, wal)) as server:
            flags = {**self.work.load, **self.work.run, "ack_log": str(acks)}
            argv = server_argv(
                proc.program(self.work.workload),
                "run",
                self.engine,
                server.socket,
                threads=threads,
                seed=seed,
                parameters=flags,
            )
            driver = Driver("run", argv, log=folder / "run.stderr", server_pids=[server.pid])
            try:
                driver.wait_for("ready", within_s=READY_S)
                self._write(driver, wal, log_bytes)
                server.require_alive()
            finally:
                server.kill()
                driver.kill()
        if (log := self._info_log(db)) is not None:
            told.require_unflushed(*log)
        files = sorted(wal.glob(ENGINES[self.engine].served.log_names))
        found = sum(path.stat().st_size for path in files)
        return Crashed(db, wal, acks, found if self._in_files else log_bytes, len(files))

    def _cut(
        self, loaded: Path, folder: Path, log_bytes: int, *, threads: int, seed: int
    ) -> Crashed:
        """The same of a run that is recorded until the power fails."""

        def until(driver: Driver, wal: Path) -> None:
            self._write(driver, wal, log_bytes)

        run = torn.run(self.work, until, threads, seed)
        server = recorded.Served(self.engine, self.settings)
        recording = recorded.record(loaded, folder, run, server)
        if (log := self._info_log(folder / "db")) is not None:
            told.require_unflushed(*log)
        names = [ENGINES[self.engine].served.log_names]
        left = torn.left(recording, folder / "left", seed, names)
        for part in (left.db, left.wal):
            datadir.give(part)
        return left if self._in_files else replace(left, log_bytes=log_bytes)

    def reopen(self, left: Crashed, room: Path) -> Reopened:
        db, wal = room / "db", room / "wal"
        spec = self._spec(room, db, wal)
        try:
            datadir.clone(left.db, db, self.engine, None)
            shutil.copytree(left.wal, wal)
            datadir.give(wal)
            cold.forget(db, wal)
            with told.heard(spec.error_log) as lines:
                began_s = time.monotonic()
                with running(spec, start_s=READY_S) as server:
                    open_s = time.monotonic() - began_s
                    read = psutil.Process(server.pid).io_counters().read_bytes
                    server.kill()
            recovery_s, log_bytes = self._told(left, server, lines)
            return Reopened(open_s, recovery_s, read, log_bytes)
        finally:
            removal.trees(db, wal, spec.home)

    def check(self, left: Crashed) -> Event:
        spec = self._spec(left.db.parent, left.db, left.wal)
        with running(spec, start_s=READY_S) as server:
            argv = server_argv(
                proc.program(self.work.workload),
                "check",
                self.engine,
                server.socket,
                threads=CHECK_THREADS,
                parameters={**self.work.load, "acks": str(left.acks)},
            )
            checker = Driver("check", argv, server_pids=[server.pid])
            try:
                return checker.wait_for("check", within_s=CHECK_S)
            finally:
                checker.kill()

    @property
    def _in_files(self) -> bool:
        """Whether its log's files grow, as RocksDB's, and InnoDB's do not."""
        return ENGINES[self.engine].info_log is not None

    def _write(self, driver: Driver, wal: Path, log_bytes: int) -> None:
        if self._in_files:
            crashed.in_files(driver, wal, log_bytes)
        else:
            crashed.by_counter(driver, ENGINES[self.engine].wal_bytes, log_bytes)

    def _told(self, left: Crashed, server: Server, lines: Sequence[told.Line]) -> tuple[float, int]:
        """Seconds, and the bytes that there were to replay."""
        if (log := self._info_log(server.spec.datadir)) is not None:
            return told.rocksdb_s(*log), left.log_bytes
        recovery_s, log_bytes = told.innodb(lines, server.error_log)
        if log_bytes < left.log_bytes:
            raise WaltaxError(
                f"of {left.log_bytes:,} bytes of log {log_bytes:,} were left to replay: the server "
                "made a checkpoint, which the profile's settings must have asked for"
            )
        return recovery_s, log_bytes

    def _info_log(self, db: Path) -> tuple[str, Path] | None:
        """RocksDB's LOG in a data directory, its text and its place; None of InnoDB."""
        name = ENGINES[self.engine].info_log
        return None if name is None else (private.read(db, *name.split("/")), db / name)

    def _spec(self, folder: Path, db: Path, wal: Path) -> Spec:
        return Spec(
            name=self.engine,
            engine=self.engine,
            home=folder / "server",
            datadir=db,
            wal_dir=wal,
            settings={**self.settings, **settings.durability(self.engine, MODES[self.failure])},
        )
