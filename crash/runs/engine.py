"""The engine of a recorded run: embedded in the workload's driver, or on a server."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from ... import workloads
from ...base import proc
from ...driver.argv import Command, Parameters, command_line
from ...driver.client import Driver
from ...engines import EMBEDDED, ENGINES, Settings, knobs
from ...engines.server import datadir, settings
from ...engines.server.server import Server, running
from ...engines.server.settings import BINLOG_NAME
from ...engines.server.spec import Spec
from ...profiles import Profile, options_file
from ...runners.cells import data_set

_UNSEEN: Mapping[str, Settings] = {"innodb": {"innodb_use_native_aio": False}}
"""Settings of a recorded server that turn off what the recorder does not see."""


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
class Embedded:
    """RocksDB in the driver's process. `flags` are those of a run that set the engine."""

    data: Data = field(default_factory=Data)
    flags: Parameters = field(default_factory=dict)
    name: str = EMBEDDED

    def clone(self, loaded: Path, db: Path, wal: Path) -> None:
        """Copy the data set `loaded` to `db`, and its log to `wal`, which may exist."""
        data_set.clone(loaded, db)
        wal.mkdir(exist_ok=True)

    @contextmanager
    def serving(self, _db: Path, _wal: Path, _mode: str, **_how: object) -> Iterator[list[Server]]:
        """Yield the servers that drivers are clients of: there are none."""
        yield []

    def argv(
        self,
        command: Command,
        db: Path,
        wal: Path,
        _servers: Sequence[Server] = (),
        *,
        mode: str = "",
        threads: int = 2,
        seed: int = 1,
        parameters: Parameters,
    ) -> list[str]:
        """Return the command line of a driver that runs requests in a mode, or checks a state."""
        program, flags = self.data.program.absolute(), {**self.data.flags, **parameters}
        if command == "run":
            flags |= {"seed": seed, **self.flags, "durability": mode}
        return command_line(
            program, command, {"db": db, "wal_dir": wal, "threads": threads, **flags}
        )

    @contextmanager
    def opened(self, db: Path, wal: Path, mode: str, within_s: float) -> Iterator[int]:
        """Open a state; yield the process as soon as it serves, and kill it at the end."""
        argv = self.argv("run", db, wal, mode=mode, threads=1, parameters={})
        driver = Driver("run", argv, log=db.with_name("run.stderr"))
        try:
            driver.wait_for("ready", within_s=within_s)
            yield driver.pid
        finally:
            driver.kill()


@dataclass(frozen=True)
class Served:
    """An engine on a server; its methods are those of `Embedded`, and raise ServerDied, too.

    `settings` are the server's besides mode and places. It may have a binlog beside its log.
    """

    data: Data
    name: str
    settings: Settings
    has_binlog: bool = False

    def clone(self, loaded: Path, db: Path, wal: Path) -> None:
        datadir.clone(loaded, db, self.name, wal)
        if self.has_binlog:
            (wal / BINLOG_NAME).mkdir()

    @contextmanager
    def serving(
        self,
        db: Path,
        wal: Path,
        mode: str,
        env: Mapping[str, str] | None = None,
        start_s: float | None = None,
    ) -> Iterator[list[Server]]:
        unseen = {} if env is None else _UNSEEN.get(self.name, {})
        of_mode = settings.durability(self.name, mode, binlog=self.has_binlog)
        spec = Spec(
            name=self.name,
            engine=self.name,
            home=db.with_name("server"),
            datadir=db,
            wal_dir=wal,
            settings={**self.settings, **unseen, **of_mode},
            binlog_dir=wal / BINLOG_NAME if self.has_binlog else None,
        )
        if spec.binlog_dir is not None:
            _move(spec.binlog_dir / f"{BINLOG_NAME}.index")
        with running(spec, env=env, start_s=start_s) as server:
            yield [server]

    def argv(
        self,
        command: Command,
        _db: Path,
        _wal: Path,
        servers: Sequence[Server],
        *,
        mode: str = "",
        threads: int = 2,
        seed: int | None = None,
        parameters: Parameters,
    ) -> list[str]:
        del mode  # its server has it
        place = {"store": self.name, "socket": str(servers[0].socket)}
        seeds = {} if seed is None else {"seed": seed}
        flags: Parameters = {"threads": threads, **seeds, **self.data.flags, **parameters}
        return command_line(self.data.program, command, place, flags)

    @contextmanager
    def opened(self, db: Path, wal: Path, mode: str, within_s: float) -> Iterator[int]:
        with self.serving(db, wal, mode, start_s=within_s) as (server,):
            yield server.pid
            server.kill()


Engine = Embedded | Served


def _move(index: Path) -> None:
    """Have a binlog's index, which holds whole paths, name the files beside it."""
    if index.is_file():
        names = [Path(line).name for line in index.read_text(errors="replace").splitlines()]
        index.write_text("".join(f"{index.parent / name}\n" for name in names))


def of(
    profile: Profile, workload: str, room: Path, knob: str = "", *, has_binlog: bool = False
) -> Engine:
    """Return a profile's engine with a workload's data; an embedded one has its options in `room`.

    Errors: UsageError for a knob that it does not have.
    """
    data = Data(workload, profile.workload(workload).load)
    if ENGINES[profile.engine].on_server:
        changed = {**profile.server_settings(workload), **knobs.served(knob, profile.engine)}
        return Served(data, profile.engine, changed, has_binlog)
    setting, options = knobs.knob(knob), room / "rocksdb.options"
    options.write_text(options_file(profile, workload, setting))
    flags = {
        **profile.embedded.flags,
        **(setting.flags if setting else {}),
        "options_file": str(options),
        "block_cache_mb": profile.embedded.block_cache_mb,
    }
    return Embedded(data, flags)
