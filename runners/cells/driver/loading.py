"""Load data sets with a driver program, and check them before they count."""

from __future__ import annotations

import functools
import hashlib
import json
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from ....base import home, proc
from ....base.errors import WaltaxError
from ....driver import patience
from ....driver.argv import Parameters, check_argv, load_argv, server_argv
from ....driver.client import Driver, DriverFailed
from ....engines import ENGINES, Settings, Shards
from ....engines.builds.build import Build
from ....engines.server import account, binaries, datadir, settings
from ....engines.server.server import Server, Spec, running
from ....profiles import Profile, options_file
from ....workloads import WORKLOADS
from ..data_set import DATADIR, LAYOUT, LOAD_SEED, being_made, is_complete, keep
from ..life import Say
from ..live import Event
from ..placed_server import require_servers
from . import nodes


def program(workload: str, build: Build | None = None) -> Path:
    """Return the workload's driver program; a build has one that is linked to it."""
    folder = None if build is None else build.programs
    return proc.program(WORKLOADS[workload].driver_program, folder)


@dataclass(frozen=True)
class Wanted:
    """The data set to be loaded, and what loads it."""

    profile: Profile
    workload: str
    build: Build | None = None
    cut: Shards = field(default_factory=Shards)

    @property
    def name(self) -> str:
        """A name that is equal for equal data, whatever the profile is called."""
        load, record, cut = self.load, WORKLOADS[self.workload], self.cut
        # Another release of the engine may write files that this one cannot read.
        what = [LAYOUT, self._shape(), LOAD_SEED, self._release()]
        shards = [f"n{cut.nodes}", cut.owner] if cut.nodes > 1 else []
        what += [shards] if shards else []
        what += [record.data_digest] if record.data_digest else []
        digest = hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()[:10]
        size = str(load.get(record.scale.parameter, "default"))
        served = [self.profile.engine] if self.on_server else []
        return "-".join([*served, record.driver_program, size, *shards, digest])

    @property
    def load(self) -> Parameters:
        return self.profile.workload(self.workload).load

    @property
    def flags(self) -> Parameters:
        """Flags of every program that works on it."""
        return {**WORKLOADS[self.workload].flags, **self.load}

    @property
    def on_server(self) -> bool:
        return ENGINES[self.profile.engine].on_server

    @property
    def of_nodes(self) -> list[Parameters]:
        """Flags by which the nodes' loads differ; a single store has none."""
        if self.cut.nodes == 1:
            return [{}]
        return [{**self.cut.cut, "node": number} for number in range(self.cut.nodes)]

    def _shape(self) -> list[object]:
        """Return what determines how the data are laid out in files."""
        profile, workload = self.profile, self.workload
        if self.on_server:
            # All settings count: which ones shape files is a server's secret, and a load is short.
            return [
                self.load,
                settings.base(profile.engine),
                profile.server_settings(workload),
                account.of_a_new_server(profile.engine),
            ]
        embedded = profile.embedded
        column_family = {**embedded.column_family, **profile.workload(workload).column_family}
        return [self.load, column_family, embedded.table]

    def _release(self) -> str:
        """Return RocksDB's release or the build's; builds share only what the same bytes loaded."""
        if self.build is not None:
            return self.build.digest
        if self.on_server:
            server = binaries.find(self.profile.engine)
            return f"{server.mariadbd} {server.version}"
        return home.programs().name


def prepare(
    profile: Profile,
    workload: str,
    data_root: Path,
    say: Say,
    build: Build | None = None,
    cut: Shards | None = None,
) -> Path:
    """Return the workload's data set in this profile; load it unless it exists.

    It is a database directory, a server's data directory, or those of all nodes of shards (see
    `data_set.of_nodes`), and is never opened again: cells open clones. A load that was cut short,
    or whose data are inconsistent, leaves none: it is made beside, and renamed once it was checked.
    Errors: WaltaxError naming a violation; then nothing is kept.
    """
    wanted = Wanted(profile, workload, build, cut or Shards())
    path = data_root / "sets" / wanted.name
    if not is_complete(path):
        _load(wanted, path, say)
    return path / DATADIR


def _load(wanted: Wanted, path: Path, say: Say) -> None:
    with being_made(path) as partial:
        by = "" if wanted.build is None else f" by build {wanted.build.name}"
        say(f"loading {path.name}{by} ({WORKLOADS[wanted.workload].data(wanted.load)})")
        place = _on_server if wanted.on_server else _embedded
        with place(wanted, partial) as programs:
            events = [_run_load(programs, load, wanted.workload, say) for load in programs.loads]
            checked = _answered(programs, "check", programs.check, "check", lambda _: None)
        if not checked["ok"]:
            wrong = "; ".join(checked["violations"][:3])
            raise WaltaxError(f"{path.name}: the data that was loaded is not consistent: {wrong}")
        keep(partial, events[0] if len(events) == 1 else {**events[0], "nodes": events})


@dataclass(frozen=True)
class _Programs:
    """The command lines that write and check a data set, and the servers that they use.

    Each node has a load and a server.
    """

    loads: list[list[str]]
    check: list[str]
    log: Path
    name: str  # of the data set
    servers: list[Server]


@contextmanager
def _embedded(wanted: Wanted, partial: Path) -> Iterator[_Programs]:
    options = partial.parent / "load.options"
    options.write_text(options_file(wanted.profile, wanted.workload))
    flags: Parameters = {**wanted.flags, "options_file": str(options)}
    threads, binary = os.cpu_count() or 1, program(wanted.workload, wanted.build)
    first, *others = dbs = [home / DATADIR for home in nodes.homes(partial, wanted.cut)]
    yield _Programs(
        [
            load_argv(binary, db, threads=threads, seed=LOAD_SEED, parameters={**flags, **own})
            for db, own in zip(dbs, wanted.of_nodes, strict=True)
        ],
        check_argv(
            *(binary, first, first),
            threads=threads,
            parameters={**flags, **wanted.cut.cut},
            beside=[(db, db) for db in others],
        ),
        partial.parent / "load.stderr",
        wanted.name,
        [],
    )


@contextmanager
def _on_server(wanted: Wanted, partial: Path) -> Iterator[_Programs]:
    """Run servers for the load."""
    line = functools.partial(server_argv, program(wanted.workload), threads=os.cpu_count() or 1)
    flags, engine = wanted.flags, wanted.profile.engine
    with ExitStack() as stack:
        servers = [
            stack.enter_context(_server(wanted, home, number))
            for number, home in enumerate(nodes.homes(partial, wanted.cut))
        ]
        first, *others = sockets = [server.socket for server in servers]
        checked: Parameters = {**flags, **wanted.cut.cut}
        yield _Programs(
            [
                line("load", engine, socket, seed=LOAD_SEED, parameters={**flags, **own})
                for socket, own in zip(sockets, wanted.of_nodes, strict=True)
            ],
            line("check", engine, first, parameters=checked, beside=others),
            partial.parent / "load.stderr",
            wanted.name,
            servers,
        )


def _server(wanted: Wanted, home: Path, number: int) -> AbstractContextManager[Server]:
    """Run the server that loads a data set, or a node of it."""
    node = "" if wanted.cut.nodes == 1 else f", node {number}"
    mariadbd = None if wanted.build is None else wanted.build.mariadbd
    server_settings = wanted.profile.server_settings(wanted.workload)
    name = f"load of {wanted.name}{node}"
    return server_to_load(wanted.profile.engine, server_settings, home, name, mariadbd)


@contextmanager
def server_to_load(
    engine: str, server_settings: Settings, home: Path, name: str, mariadbd: Path | None = None
) -> Iterator[Server]:
    """Run a server on a new data directory, `home`/data; shut it down cleanly on success.

    It need not wait for its log: what it loads counts only after the shutdown.
    """
    home.parent.mkdir(exist_ok=True)
    spec = Spec(
        name=name,
        engine=engine,
        home=home,
        datadir=home / DATADIR,
        wal_dir=None,
        settings={**server_settings, **settings.durability(engine, "delayed")},
        mariadbd=mariadbd,
    )
    datadir.create(spec)
    with running(spec) as server:
        yield server
        server.shutdown()


def _run_load(programs: _Programs, load: list[str], workload: str, say: Say) -> Event:
    words = WORKLOADS[workload]

    def tell(event: Event) -> None:
        say(f"loading {workload}: {words.progress(event)}")

    event = _answered(programs, "load", load, "loaded", tell)
    say(f"loaded {words.loaded(event)}; checking it")
    return event


def _answered(
    programs: _Programs, what: str, argv: list[str], wanted: str, tell: Callable[[Event], None]
) -> Event:
    """Return a program's last event. Errors: DriverFailed, ServerDied; both name the load."""
    pids = [server.pid for server in programs.servers]
    driver = Driver(f"{what} of {programs.name}", argv, log=programs.log, server_pids=pids)
    try:
        longest_s, still_s = patience.LONGEST_S, patience.STILL_S
        event = driver.wait_for(wanted, within_s=longest_s, still_s=still_s, on_progress=tell)
    except DriverFailed:
        require_servers(programs.servers)
        raise
    driver.close()
    return event
