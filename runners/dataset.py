"""Data sets: loaded once per workload and scale, cloned for every cell of every session."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from .. import proc
from ..driver.argv import Parameters, check_argv, load_argv, server_argv
from ..errors import WaltaxError
from ..mariadb import binaries, datadir, settings
from ..mariadb.server import Server, Spec, running
from ..profiles import Profile, options_file
from .engines import ENGINES
from .live import require_server
from .process import Driver, DriverFailed, Event
from .workloads import WORKLOADS

# Of the process that loaded: its lock, its info log, and its empty WAL.
_LEFT_BEHIND = ("LOCK", "LOG", "dataset.json")
DATADIR = "data"
"""A server's, in a data set's folder."""
LOAD_SEED = 1  # every campaign of a profile measures the same data

Say = Callable[[str], None]


def key(profile: Profile, workload: str) -> str:
    """The data set's name: equal for equal data, whatever the profile is called."""
    load = profile.workload(workload).load
    # Another engine's release may write files that this one cannot read.
    what = [_shape(profile, workload), LOAD_SEED, _release(profile.engine)]
    digest = hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()[:10]
    size = str(load.get(WORKLOADS[workload].size, "default"))
    engine = [profile.engine] if ENGINES[profile.engine].on_server else []
    return "-".join([*engine, workload, size, digest])


def _shape(profile: Profile, workload: str) -> list[object]:
    """What decides how the data is laid out in files."""
    load = profile.workload(workload).load
    if ENGINES[profile.engine].on_server:
        # All of them: which shape files is a server's secret, and a load is short.
        return [load, settings.base(profile.engine), profile.server_settings(workload)]
    embedded = profile.embedded
    column_family = {**embedded.column_family, **profile.workload(workload).column_family}
    return [load, column_family, embedded.table]


def _release(engine: str) -> str:
    """RocksDB's is the build's."""
    if ENGINES[engine].on_server:
        server = binaries.find(engine)
        return f"{server.mariadbd} {server.version}"
    return proc.build_dir().name


def prepare(profile: Profile, workload: str, data_root: Path, say: Say) -> Path:
    """The workload's data set in this profile, loaded now unless it is there already.

    A database directory, or a server's data directory, that is never opened again: cells open
    clones of it. A load that was cut short, or whose data is not consistent, is not there: it
    happens beside, and is renamed when it was checked. Errors: WaltaxError naming a violation;
    then nothing is kept.
    """
    path = data_root / "sets" / key(profile, workload)
    if not (path / "dataset.json").exists():
        _load(profile, workload, path, say)
    return path / DATADIR if ENGINES[profile.engine].on_server else path


def _load(profile: Profile, workload: str, path: Path, say: Say) -> None:
    partial = path.with_suffix(".partial")
    shutil.rmtree(partial, ignore_errors=True)
    shutil.rmtree(path, ignore_errors=True)
    partial.mkdir(parents=True)
    say(f"loading {path.name} ({WORKLOADS[workload].data(profile.workload(workload).load)})")
    place = _on_server if ENGINES[profile.engine].on_server else _embedded
    with place(profile, workload, partial) as programs:
        event = _run_load(programs, workload, say)
        checked = _run_check(programs)
    _require_consistent(checked, partial)
    (partial / "dataset.json").write_text(json.dumps(event) + "\n")
    partial.rename(path)


@dataclass(frozen=True)
class _Programs:
    """The command lines that write and check a data set, and the server that they talk to."""

    load: list[str]
    check: list[str]
    log: Path
    server: Server | None = None


@contextmanager
def _embedded(profile: Profile, workload: str, partial: Path) -> Iterator[_Programs]:
    options = partial.with_suffix(".options")
    options.write_text(options_file(profile, workload))
    parameters: Parameters = {
        **profile.workload(workload).load,
        "options_file": str(options),
    }
    program, threads = proc.program(workload), os.cpu_count() or 1
    yield _Programs(
        load_argv(program, partial, threads=threads, seed=LOAD_SEED, parameters=parameters),
        check_argv(program, partial, partial, threads=threads, parameters=parameters),
        partial.with_suffix(".stderr"),
    )


@contextmanager
def _on_server(profile: Profile, workload: str, partial: Path) -> Iterator[_Programs]:
    """A server of the load's own."""
    parameters = profile.workload(workload).load
    program, threads = proc.program(workload), os.cpu_count() or 1
    with server_to_load(profile.engine, profile.server_settings(workload), partial) as server:
        where = (profile.engine, server.socket)
        yield _Programs(
            server_argv(
                program, "load", *where, threads=threads, seed=LOAD_SEED, parameters=parameters
            ),
            server_argv(program, "check", *where, threads=threads, parameters=parameters),
            partial.with_suffix(".stderr"),
            server,
        )


@contextmanager
def server_to_load(engine: str, told: settings.Settings, home: Path) -> Iterator[Server]:
    """A server on a new data directory, `home`/data; shut down cleanly when all went well.

    It loses nothing by not waiting for its log: what it loads counts only after the shutdown.
    """
    datadir.require_reachable(home)
    spec = Spec(
        name=f"load of {home.stem}",
        engine=engine,
        home=home,
        datadir=home / DATADIR,
        wal_dir=None,
        settings={**told, **settings.durability(engine, "delayed")},
    )
    datadir.create(spec)
    with running(spec) as server:
        yield server
        server.shutdown()


def _run_load(programs: _Programs, workload: str, say: Say) -> Event:
    words = WORKLOADS[workload]
    loader = Driver("load", programs.load, log=programs.log)
    try:
        event = loader.wait_for(
            "loaded", on_progress=lambda e: say(f"loading {workload}: {words.progress(e)}")
        )
    except DriverFailed:
        require_server(programs.server)
        raise
    loader.close()
    say(f"loaded {words.loaded(event)}; checking it")
    return event


def _run_check(programs: _Programs) -> Event:
    checker = Driver("check", programs.check, log=programs.log)
    try:
        event = checker.wait_for("check")
    except DriverFailed:
        require_server(programs.server)
        raise
    checker.close()
    return event


def _require_consistent(checked: Event, partial: Path) -> None:
    """Errors: WaltaxError naming what is not consistent; the data is gone then."""
    if not checked["ok"]:
        shutil.rmtree(partial)
        found = "; ".join(checked["violations"][:3])
        raise WaltaxError(f"{partial.stem}: the data that was loaded is not consistent: {found}")


def clone(data_set: Path, target: Path) -> None:
    """A copy at `target` of an embedded engine's data set, that may be opened and changed.

    Immutable files become hard links, so that a clone of gigabytes takes less than a
    second. Errors: WaltaxError when the file system is full.
    """
    try:
        target.mkdir(parents=True)
        for file in data_set.iterdir():
            if file.name.startswith(_LEFT_BEHIND) or file.suffix == ".log":
                continue
            if file.suffix in datadir.IMMUTABLE:
                os.link(file, target / file.name)
            else:
                shutil.copyfile(file, target / file.name)
    except OSError as error:
        raise WaltaxError(f"{target}: cannot clone {data_set.name}: {error}") from error
