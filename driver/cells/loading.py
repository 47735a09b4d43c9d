"""Data sets that a driver program loads, and checks before they count."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ... import proc
from ...builds.build import Build
from ...engines import ENGINES, Settings
from ...errors import WaltaxError
from ...harness.data_set import DATADIR, LAYOUT, LOAD_SEED, being_made, is_complete, keep
from ...harness.life import Say
from ...harness.live import Event
from ...harness.placed_server import require_server
from ...mariadb import account, binaries, datadir, settings
from ...mariadb.server import Server, Spec, running
from ...profiles import Profile, options_file
from ...workloads import WORKLOADS
from .. import patience
from ..argv import Parameters, check_argv, load_argv, server_argv
from ..client import Driver, DriverFailed


def key(profile: Profile, workload: str, build: Build | None = None) -> str:
    """The data set's name: equal for equal data, whatever the profile is called."""
    load = profile.workload(workload).load
    # Another engine's release may write files that this one cannot read.
    what = [LAYOUT, _shape(profile, workload), LOAD_SEED, _release(profile.engine, build)]
    digest = hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()[:10]
    size = str(load.get(WORKLOADS[workload].scale.parameter, "default"))
    engine = [profile.engine] if ENGINES[profile.engine].on_server else []
    return "-".join([*engine, WORKLOADS[workload].driver_program, size, digest])


def program(workload: str, build: Build | None = None) -> Path:
    """The workload's driver program, of a build the one that is linked to it."""
    folder = None if build is None else build.programs
    return proc.program(WORKLOADS[workload].driver_program, folder)


def _shape(profile: Profile, workload: str) -> list[object]:
    """What decides how the data is laid out in files."""
    load = profile.workload(workload).load
    if ENGINES[profile.engine].on_server:
        # All of them: which shape files is a server's secret, and a load is short.
        return [
            load,
            settings.base(profile.engine),
            profile.server_settings(workload),
            account.of_a_new_server(profile.engine),
        ]
    embedded = profile.embedded
    column_family = {**embedded.column_family, **profile.workload(workload).column_family}
    return [load, column_family, embedded.table]


def _release(engine: str, build: Build | None) -> str:
    """RocksDB's is the build's. Builds share what was loaded by the same bytes alone."""
    if build is not None:
        return build.digest
    if ENGINES[engine].on_server:
        server = binaries.find(engine)
        return f"{server.mariadbd} {server.version}"
    return proc.build_dir().name


def prepare(
    profile: Profile, workload: str, data_root: Path, say: Say, build: Build | None = None
) -> Path:
    """The workload's data set in this profile, loaded now unless it is there already.

    A database directory, or a server's data directory, that is never opened again: cells open
    clones of it. A load that was cut short, or whose data is not consistent, is not there: it
    happens beside, and is renamed when it was checked. Errors: WaltaxError naming a violation;
    then nothing is kept.
    """
    path = data_root / "sets" / key(profile, workload, build)
    if not is_complete(path):
        _load(profile, workload, path, say, build)
    return path / DATADIR


def _load(profile: Profile, workload: str, path: Path, say: Say, build: Build | None) -> None:
    with being_made(path) as partial:
        by = "" if build is None else f" by build {build.name}"
        what = WORKLOADS[workload].data(profile.workload(workload).load)
        say(f"loading {path.name}{by} ({what})")
        place = _on_server if ENGINES[profile.engine].on_server else _embedded
        with place(profile, workload, partial, build) as programs:
            event = _run_load(programs, workload, say)
            checked = _run_check(programs)
        _require_consistent(checked, path.name)
        keep(partial, event)


@dataclass(frozen=True)
class _Programs:
    """The command lines that write and check a data set, and the server that they talk to."""

    load: list[str]
    check: list[str]
    log: Path
    name: str  # of the data set
    server: Server | None = None


@contextmanager
def _embedded(
    profile: Profile, workload: str, partial: Path, build: Build | None
) -> Iterator[_Programs]:
    db, options = partial / DATADIR, partial.parent / "load.options"
    options.write_text(options_file(profile, workload))
    parameters: Parameters = {
        **profile.workload(workload).load,
        "options_file": str(options),
    }
    threads, binary = os.cpu_count() or 1, program(workload, build)
    yield _Programs(
        load_argv(binary, db, threads=threads, seed=LOAD_SEED, parameters=parameters),
        check_argv(binary, db, db, threads=threads, parameters=parameters),
        partial.parent / "load.stderr",
        key(profile, workload, build),
    )


@contextmanager
def _on_server(
    profile: Profile, workload: str, partial: Path, build: Build | None
) -> Iterator[_Programs]:
    """A server of the load's own."""
    parameters = profile.workload(workload).load
    threads = os.cpu_count() or 1
    name, told = key(profile, workload, build), profile.server_settings(workload)
    mariadbd = None if build is None else build.mariadbd
    with server_to_load(profile.engine, told, partial, f"load of {name}", mariadbd) as server:
        where = (profile.engine, server.socket)
        yield _Programs(
            server_argv(
                program(workload),
                "load",
                *where,
                threads=threads,
                seed=LOAD_SEED,
                parameters=parameters,
            ),
            server_argv(program(workload), "check", *where, threads=threads, parameters=parameters),
            partial.parent / "load.stderr",
            name,
            server,
        )


@contextmanager
def server_to_load(
    engine: str, told: Settings, home: Path, name: str, mariadbd: Path | None = None
) -> Iterator[Server]:
    """A server on a new data directory, `home`/data; shut down cleanly when all went well.

    It loses nothing by not waiting for its log: what it loads counts only after the shutdown.
    """
    datadir.require_reachable(home)
    spec = Spec(
        name=name,
        engine=engine,
        home=home,
        datadir=home / DATADIR,
        wal_dir=None,
        settings={**told, **settings.durability(engine, "delayed")},
        mariadbd=mariadbd,
    )
    datadir.create(spec)
    with running(spec) as server:
        yield server
        server.shutdown()


def _run_load(programs: _Programs, workload: str, say: Say) -> Event:
    words = WORKLOADS[workload]

    def tell(event: Event) -> None:
        say(f"loading {workload}: {words.progress(event)}")

    event = _answered(programs, "load", programs.load, "loaded", tell)
    say(f"loaded {words.loaded(event)}; checking it")
    return event


def _run_check(programs: _Programs) -> Event:
    return _answered(programs, "check", programs.check, "check", lambda _: None)


def _answered(
    programs: _Programs, what: str, argv: list[str], wanted: str, tell: Callable[[Event], None]
) -> Event:
    """The event that a program ends with. Errors: DriverFailed, ServerDied; both name the load."""
    server_pid = None if programs.server is None else programs.server.pid
    driver = Driver(f"{what} of {programs.name}", argv, log=programs.log, server_pid=server_pid)
    try:
        longest_s, still_s = patience.LONGEST_S, patience.STILL_S
        event = driver.wait_for(wanted, within_s=longest_s, still_s=still_s, on_progress=tell)
    except DriverFailed:
        require_server(programs.server)
        raise
    driver.close()
    return event


def _require_consistent(checked: Event, name: str) -> None:
    """Errors: WaltaxError naming what is not consistent."""
    if not checked["ok"]:
        violations = "; ".join(checked["violations"][:3])
        raise WaltaxError(f"{name}: the data that was loaded is not consistent: {violations}")
