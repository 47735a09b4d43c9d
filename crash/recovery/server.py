"""MyRocks and InnoDB on a server, which is killed and started again."""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import psutil

from ...base.errors import WaltaxError
from ...base.folders import removal
from ...driver.client import Driver, Event
from ...engines import ENGINES, Settings
from ...engines.server import datadir, settings
from ...engines.server.server import Server, running
from ...engines.server.spec import Spec
from ..runs import server as recorded
from . import engine_log, kill
from .kill import MODE, READY_S, Crashed, Reopened, Work


@dataclass(frozen=True)
class OnServer:
    """The same methods as `embedded.Embedded`, which also raise ServerDied.

    `settings` are the server's, besides mode and places.
    """

    engine: str
    settings: Settings
    work: Work

    def crash(
        self, loaded: Path, folder: Path, log_bytes: int, *, threads: int, seed: int
    ) -> Crashed:
        def until(driver: Driver, wal: Path) -> None:
            if self._in_files:
                kill.in_files(driver, wal, log_bytes)
            else:
                kill.by_counter(driver, ENGINES[self.engine].wal_bytes, log_bytes)

        db, wal = folder / "db", folder / "wal"
        datadir.clone(loaded, db, self.engine, wal)
        run = self.work.run_until(until, threads, seed)
        recorded.run_killed(run, self._spec(folder, db, wal), folder)
        if (log := self._info_log(db)) is not None:
            engine_log.require_unflushed(*log)
        left = kill.left(folder, ENGINES[self.engine].served.log_names)
        return left if self._in_files else replace(left, log_bytes=log_bytes)

    def reopen(self, left: Crashed, room: Path) -> Reopened:
        db, wal = room / "db", room / "wal"
        spec = self._spec(room, db, wal)
        try:
            datadir.clone(left.db, db, self.engine, None)
            shutil.copytree(left.wal, wal)
            kill.forget(db, wal)
            with engine_log.heard(spec.error_log) as lines:
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
        return recorded.check(spec, self.work, left.acks, READY_S)

    @property
    def _in_files(self) -> bool:
        """Whether the files of its log grow, as RocksDB's do and InnoDB's do not."""
        return ENGINES[self.engine].info_log is not None

    def _told(
        self, left: Crashed, server: Server, lines: Sequence[engine_log.Line]
    ) -> tuple[float, int]:
        """Return the seconds of the recovery, and the bytes of log that it had to replay."""
        if (log := self._info_log(server.spec.datadir)) is not None:
            return engine_log.rocksdb_s(*log), left.log_bytes
        recovery_s, log_bytes = engine_log.innodb(lines, server.error_log)
        if log_bytes < left.log_bytes:
            raise WaltaxError(
                f"of {left.log_bytes:,} bytes of log {log_bytes:,} were left to replay: the server "
                "made a checkpoint, which the profile's settings must have asked for"
            )
        return recovery_s, log_bytes

    def _info_log(self, db: Path) -> tuple[str, Path] | None:
        """Return the text and the path of RocksDB's LOG in a data directory; None for InnoDB."""
        name = ENGINES[self.engine].info_log
        return None if name is None else ((db / name).read_text(errors="replace"), db / name)

    def _spec(self, folder: Path, db: Path, wal: Path) -> Spec:
        return Spec(
            name=self.engine,
            engine=self.engine,
            home=folder / "server",
            datadir=db,
            wal_dir=wal,
            settings={**self.settings, **settings.durability(self.engine, MODE)},
        )
