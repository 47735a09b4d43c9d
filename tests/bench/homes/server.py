"""A folder with a loaded server for a benchmark, removed at its end."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from waltax.base import proc
from waltax.base.folders import removal
from waltax.driver.argv import Parameters, command_line
from waltax.driver.client import Driver, Event
from waltax.engines import Settings
from waltax.engines.server import datadir
from waltax.engines.server.server import Server
from waltax.engines.server.settings import durability
from waltax.engines.server.spec import Spec
from waltax.runners.cells import data_set
from waltax.runners.cells.driver import loading

from .plain import WORK
from .plain import home as new_home


@contextlib.contextmanager
def home(benchmark: str, parent: Path = WORK) -> Iterator[Path]:
    """A new folder.

    However we end, the next benchmark of this name removes it: nobody holds it then.
    """
    with _ended_by_sigterm(), new_home(benchmark, parent) as folder:
        yield folder


@contextlib.contextmanager
def _ended_by_sigterm() -> Iterator[None]:
    """As Ctrl-C ends us: by an exception, so that servers and folders go."""

    def end(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@dataclass(frozen=True)
class Setup:
    """A workload on an engine: `settings` of its server, `load` of its driver's loader."""

    engine: str
    workload: str
    settings: Settings
    load: Parameters
    run: Parameters = field(default_factory=dict)


def fill(folder: Path, setup: Setup, also: str | None = None) -> Path:
    """Load a data directory, shut its server down, and return it: clones are made of it.

    `also` is a second database of it, with the same rows.
    """
    loaded = folder / "loaded"
    with loading.server_to_load(setup.engine, setup.settings, loaded, "load") as server:
        _load(folder, setup, server, setup.load)
        if also is not None:
            ask(server, f"CREATE DATABASE {also}")
            _load(folder, setup, server, {**setup.load, "database": also})
    return loaded / data_set.DATADIR


def _load(folder: Path, setup: Setup, server: Server, parameters: Parameters) -> None:
    argv = command_line(
        *(proc.program(setup.workload), "load"),
        {"store": setup.engine, "socket": server.socket},
        {"threads": os.cpu_count() or 1, "seed": data_set.LOAD_SEED},
        parameters,
    )
    loader = Driver("load", argv, log=folder / "load.stderr")
    loader.wait_for("loaded")
    loader.close()


def fresh(folder: Path, setup: Setup, loaded: Path, mode: str, wal: Path | None = None) -> Spec:
    """A clone of `loaded` in `folder`, for a server in `mode`; its log in `wal`, or beside."""
    spec = Spec(
        name=mode,
        engine=setup.engine,
        home=folder / "server",
        datadir=folder / "db",
        wal_dir=wal or folder / "wal",
        settings={**setup.settings, **durability(setup.engine, mode)},
    )
    assert spec.wal_dir is not None
    for old in (spec.home, spec.datadir, spec.wal_dir):
        removal.tree(old)
    spec.wal_dir.mkdir()
    datadir.clone(loaded, spec.datadir, setup.engine, spec.wal_dir)
    return spec


def ask(server: Server, sql: str) -> list[list[str]]:
    """The rows of a query in the workload's database, asked with MariaDB's own client."""
    argv = ["mariadb", "--no-defaults", f"--socket={server.socket}", f"--user={server.user}"]
    told = ["--batch", "--skip-column-names", f"--execute={sql}", datadir.DATABASE]
    return [line.split("\t") for line in proc.run([*argv, *told]).splitlines()]


def start(
    folder: Path,
    setup: Setup,
    server: Server,
    *,
    threads: int,
    seed: int,
    parameters: Parameters,
    program: Path | None = None,
) -> Driver:
    """A driver that is ready to run on `server`; `program` is that of another build."""
    argv = command_line(
        *(program or proc.program(setup.workload), "run"),
        {"store": setup.engine, "socket": server.socket, "threads": threads, "seed": seed},
        {**setup.load, **setup.run, **parameters},
    )
    driver = Driver(setup.workload, argv, log=folder / "run.stderr")
    driver.wait_for("ready", within_s=300)
    return driver


def check(folder: Path, setup: Setup, server: Server, parameters: Parameters) -> Event:
    """What the workload's check finds in the database of `server`."""
    argv = command_line(
        *(proc.program(setup.workload), "check"),
        {"store": setup.engine, "socket": server.socket, "threads": 2},
        {**setup.load, **parameters},
    )
    checker = Driver("check", argv, log=folder / "check.stderr")
    event = checker.wait_for("check")
    checker.close()
    return event
