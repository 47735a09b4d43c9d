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

_UNSEEN: Mapping[str, Settings] = {"innodb": {"innodb_use_native_aio": False}}
"""Settings of a recorded server that turn off what the recorder does not see."""


@dataclass(frozen=True)
class Engine:
    """An engine with a workload's data set. Its methods raise ServerDied if it is on a server.

    `load` are the flags of the workload's driver that loaded the data. `settings` are its server's
    besides mode and places, which may have a binlog beside its log. `flags` are those of a run that
    set an engine in the driver's process.
    """

    workload: str = "tpcc"
    load: Parameters = field(default_factory=dict)
    name: str = EMBEDDED
    settings: Settings = field(default_factory=dict)
    has_binlog: bool = False
    flags: Parameters = field(default_factory=dict)

    @property
    def on_server(self) -> bool:
        return ENGINES[self.name].on_server

    def clone(self, loaded: Path, db: Path, wal: Path) -> None:
        """Copy the data set `loaded` to `db`, and its log to `wal`, which may exist."""
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
        """Yield the server that a driver is the client of; none for an embedded engine."""
        if not self.on_server:
            yield []
            return
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
        db: Path,
        wal: Path,
        servers: Sequence[Server] = (),
        *,
        mode: str = "",
        threads: int = 2,
        seed: int = 1,
        parameters: Parameters,
    ) -> list[str]:
        """Return the command line of a driver that runs requests in a mode, or checks a state."""
        place: Parameters = {"db": str(db), "wal_dir": str(wal)}
        if self.on_server:
            place = {"store": self.name, "socket": str(servers[0].socket)}
        of_run: Parameters = {"seed": seed} if command == "run" else {}
        if command == "run" and not self.on_server:
            of_run = {**of_run, **self.flags, "durability": mode}
        record = workloads.of(self.workload)
        flags = {"threads": threads, **record.flags, **self.load, **parameters, **of_run}
        return command_line(proc.program(record.driver_program).absolute(), command, place, flags)

    @contextmanager
    def opened(self, db: Path, wal: Path, mode: str, within_s: float) -> Iterator[int]:
        """Open a state; yield the process as soon as it serves, and kill it at the end."""
        if self.on_server:
            with self.serving(db, wal, mode, start_s=within_s) as (server,):
                yield server.pid
                server.kill()
            return
        argv = self.argv("run", db, wal, mode=mode, threads=1, parameters={})
        with Driver("run", argv, log=db.with_name("run.stderr")) as driver:
            driver.wait_for("ready", within_s=within_s)
            yield driver.pid


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
    load = profile.workload(workload).load
    if ENGINES[profile.engine].on_server:
        changed = {**profile.server_settings(workload), **knobs.served(knob, profile.engine)}
        return Engine(workload, load, profile.engine, changed, has_binlog)
    setting, options = knobs.knob(knob), room / "rocksdb.options"
    options.write_text(options_file(profile, workload, setting))
    flags = {
        **profile.embedded.flags,
        **(setting.flags if setting else {}),
        "options_file": str(options),
        "block_cache_mb": profile.embedded.block_cache_mb,
    }
    return Engine(workload, load, flags=flags)
