"""Load data sets with a driver program, and check them before they count."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from ....base import home, proc
from ....base.errors import WaltaxError
from ....driver import patience
from ....driver.argv import Parameters, command_line
from ....driver.client import Driver, DriverFailed
from ....engines import ENGINES, Settings, Shards
from ....engines.builds.build import Build
from ....engines.server import account, binaries, datadir, settings
from ....engines.server.server import Server, Spec, running
from ....profiles import Profile, options_file
from ....workload import Workload
from ....workloads import WORKLOADS
from ..data_set import DATADIR, LAYOUT, LOAD_SEED, being_made, homes, is_complete, keep
from ..live import Event, Say
from ..placed_server import require_servers


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
        load, record, cut = self.load, self.facts, self.cut
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
    def facts(self) -> Workload:
        return WORKLOADS[self.workload]

    @property
    def load(self) -> Parameters:
        return self.profile.workload(self.workload).load

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
    by = "" if wanted.build is None else f" by build {wanted.build.name}"
    mariadbd = None if wanted.build is None else wanted.build.mariadbd
    with being_made(path) as partial, ExitStack() as stack:  # servers end before it is moved
        say(f"loading {path.name}{by} ({wanted.facts.data(wanted.load)})")
        places_of, log = homes(partial, wanted.cut.nodes), partial.parent / "load.stderr"
        if wanted.on_server:
            of_workload = wanted.profile.server_settings(wanted.workload)
            engine, servers = wanted.profile.engine, list[Server]()
            for number, home in enumerate(places_of):
                name = f"load of {wanted.name}{f', node {number}' * (len(places_of) > 1)}"
                server = server_to_load(engine, of_workload, home, name, mariadbd)
                servers.append(stack.enter_context(server))
            places: list[Mapping[str, Path]] = [{"socket": server.socket} for server in servers]
            own: Parameters = {"store": engine}
        else:
            servers, options = [], partial.parent / "load.options"
            options.write_text(options_file(wanted.profile, wanted.workload))
            places = [{"db": home / DATADIR} for home in places_of]
            own = {"options_file": str(options)}
        binary = program(wanted.workload, wanted.build)
        flags: Parameters = {"threads": os.cpu_count() or 1, **wanted.facts.flags, **wanted.load}
        flags = {**flags, **own}
        loads = [
            command_line(binary, "load", place, {"seed": LOAD_SEED, **flags, **node})
            for place, node in zip(places, wanted.of_nodes, strict=True)
        ]
        logs = ({**place, "wal_dir": place["db"]} if "db" in place else place for place in places)
        check = command_line(binary, "check", *logs, {**flags, **wanted.cut.cut})
        events = fill(path.name, wanted.workload, loads, check, log, say, servers)
        keep(partial, events[0] if len(events) == 1 else {**events[0], "nodes": events})


def fill(
    what: str,
    workload: str,
    loads: Sequence[Sequence[str]],
    check: Sequence[str],
    log: Path,
    say: Say,
    servers: Sequence[Server] = (),
) -> list[Event]:
    """Run the command lines that load the data of `what`, and the one that checks them.

    Return what each load said last. `log` takes the drivers' messages. Errors: WaltaxError naming a
    violation; UsageError by a driver's words.
    """
    facts, events = WORKLOADS[workload], list[Event]()

    def tell(event: Event) -> None:
        say(f"loading {workload}: {facts.progress(event)}")

    for argv in loads:
        events.append(answer(f"load of {what}", argv, "loaded", log, tell, servers))
        say(f"loaded {facts.loaded(events[-1])}; checking it")
    checked = answer(f"check of {what}", check, "check", log, tell, servers)
    if not checked["ok"]:
        wrong = "; ".join(checked["violations"][:3])
        raise WaltaxError(f"{what}: the data that was loaded is not consistent: {wrong}")
    return events


def answer(
    what: str,
    argv: Sequence[str],
    last: str,
    log: Path | None,
    tell: Callable[[Event], None],
    servers: Sequence[Server] = (),
) -> Event:
    """Run a driver to its end, and return its last event. Errors: DriverFailed, ServerDied, which
    name `what` it does; UsageError by its words.
    """
    with Driver(what, argv, log=log, server_pids=[server.pid for server in servers]) as driver:
        try:
            event = driver.wait_for(last, still_s=patience.STILL_S, on_progress=tell)
        except DriverFailed:
            require_servers(servers)
            raise
        driver.close()
        return event


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
