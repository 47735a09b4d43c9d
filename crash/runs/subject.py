"""The engine of a run that is recorded, embedded or on a server, with the settings of a profile."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ...driver.argv import Parameters
from ...driver.client import Event
from ...engines import ENGINES, Settings
from ...engines.knobs import knob, served
from ...profiles import Profile, options_file
from . import rocksdb, server
from .recording import Data, Recording, Run
from .server import Served


@dataclass(frozen=True)
class Subject:
    """An engine with a profile's settings for a workload; `added` are those of RocksDB's options,
    or of the server, that only the opening of a state has.
    """

    engine: str
    profile: Profile
    workload: str
    knob: str = ""
    has_binlog: bool = False
    added: Settings = field(default_factory=dict)

    @property
    def on_server(self) -> bool:
        return ENGINES[self.engine].on_server

    @property
    def data(self) -> Data:
        return Data(self.workload, self.profile.workload(self.workload).load)

    @property
    def _served(self) -> Served:
        settings = self.profile.server_settings(self.workload)
        own = {**settings, **served(self.knob, self.engine), **self.added}
        return Served(self.engine, own, self.has_binlog)

    def record(
        self,
        loaded: Path,
        room: Path,
        durability: str,
        seconds: float,
        *,
        threads: int,
        seed: int,
        **log: Any,
    ) -> Recording:
        """Record a run on a clone of the data set `loaded` in the empty folder `room`.

        `log` is as in `rocksdb.record`, where the errors are, too.
        """
        parameters: Parameters = self.profile.workload(self.workload).run
        if not self.on_server:
            parameters = rocksdb.flags(self.profile, self.workload, room, knob(self.knob))
        run = Run(durability, seconds, threads, seed, parameters, self.data)
        if self.on_server:
            return server.record(loaded, room, run, self._served, **log)
        return rocksdb.record(loaded, room, run, **log)

    def check(self, durability: str, db: Path, wal: Path, acks: Path) -> Event:
        """Open a state, and return what the check finds. Errors: WaltaxError unless it opens."""
        data = self.data
        if self.on_server:
            return server.look(self._served, data, durability, db, wal, acks)
        if self.added:
            path = db.parent / "added.options"
            path.write_text(options_file(self.profile, self.workload, added=self.added))
            data = replace(data, load={**data.load, "options_file": str(path)})
        return rocksdb.check(db, wal, acks, data)
