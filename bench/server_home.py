"""A folder with a loaded server for a benchmark, removed at its end."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from .. import proc
from ..driver.argv import Parameters, server_argv
from ..mariadb import datadir
from ..mariadb.server import Server, running
from ..mariadb.settings import Settings, durability
from ..mariadb.spec import Spec
from ..runners.process import Driver, Event

_ROOT = Path(__file__).parent.parent
_LOAD_SEED = 1


@contextlib.contextmanager
def home(benchmark: str, parent: Path | None = None) -> Iterator[Path]:
    """A new folder beside the data sets, or in `parent`, that the servers' user can enter."""
    parent = parent or _ROOT / "data"
    parent.mkdir(exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix=f"bench-{benchmark}-", dir=parent))
    folder.chmod(0o755)
    try:
        datadir.require_reachable(folder / "db")
        yield folder
    finally:
        shutil.rmtree(folder)


@dataclass(frozen=True)
class Setup:
    """A workload on an engine: `settings` of its server, `load` of its driver's loader."""

    engine: str
    workload: str
    settings: Settings
    load: Parameters
    run: Parameters = field(default_factory=dict)


def fill(folder: Path, setup: Setup) -> Path:
    """Load a data directory, shut its server down, and return it: clones are made of it."""
    mode = durability(setup.engine, "delayed")
    spec = Spec(
        name="load",
        engine=setup.engine,
        home=folder / "loaded",
        datadir=folder / "loaded" / "data",
        wal_dir=None,
        settings={**setup.settings, **mode},
    )
    datadir.create(spec)
    with running(spec) as server:
        argv = server_argv(
            proc.program(setup.workload),
            "load",
            setup.engine,
            server.socket,
            threads=os.cpu_count() or 1,
            seed=_LOAD_SEED,
            parameters=setup.load,
        )
        loader = Driver("load", argv, log=folder / "load.stderr")
        loader.wait_for("loaded")
        loader.close()
        server.shutdown()
    return spec.datadir


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
        shutil.rmtree(old, ignore_errors=True)
    spec.wal_dir.mkdir()
    datadir.clone(loaded, spec.datadir, setup.engine, spec.wal_dir)
    return spec


def start(
    folder: Path, setup: Setup, server: Server, *, threads: int, seed: int, parameters: Parameters
) -> Driver:
    """A driver that is ready to run on `server`."""
    argv = server_argv(
        proc.program(setup.workload),
        "run",
        setup.engine,
        server.socket,
        threads=threads,
        seed=seed,
        parameters={**setup.load, **setup.run, **parameters},
    )
    driver = Driver(setup.workload, argv, log=folder / "run.stderr")
    driver.wait_for("ready", within_s=300)
    return driver


def check(folder: Path, setup: Setup, server: Server, parameters: Parameters) -> Event:
    """What the workload's check finds in the database of `server`."""
    argv = server_argv(
        proc.program(setup.workload),
        "check",
        setup.engine,
        server.socket,
        threads=2,
        parameters={**setup.load, **parameters},
    )
    checker = Driver("check", argv, log=folder / "check.stderr")
    event = checker.wait_for("check")
    checker.close()
    return event
