"""Prepare and bring up cells with a driver program; the engine is in it, or in a server."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from .... import workloads
from ....base.errors import UsageError, WaltaxError
from ....cell import Cell
from ....driver.argv import Parameters, command_line
from ....driver.client import Driver, DriverFailed
from ....engines import ENGINES, Shards, rocksdb
from ....engines.builds import driver_builds as made
from ....engines.builds.build import Build
from ....engines.knobs import knob, served
from ....engines.server import binaries, datadir, settings
from ....engines.server.server import Server
from ....profiles import Profile, options_file, require_kept, trial, written_options
from ...recipe.parts import Bound
from .. import cell_memory, waldir
from ..campaign import Campaign
from ..live import Event, Node, Say, Share, workloads_of
from ..placed_server import (
    placed_nodes,
    require_held,
    require_mode,
    require_servers,
    require_told,
    weakened,
)
from ..setting import Setting
from . import loading
from .process_cell import ProcessCell

READY_S = 300.0
# A block cache holds uncompressed blocks: of small data, no more than this.
_UNCOMPRESSED = 1.5


def require(campaign: Campaign) -> None:
    """Raise UsageError for a workload that the profile does not size, and a directory whose name a
    server does not accept.
    """
    for workload in workloads_of(campaign.cells):
        campaign.profile.workload(workload)
    _require_places_of_nodes(campaign)
    if ENGINES[campaign.recipe.engine].on_server:
        require_told(campaign)
    for cell in campaign.cells:
        _try(campaign, cell)


def _require_places_of_nodes(campaign: Campaign) -> None:
    """Raise UsageError for nodes whose logs cannot be where their cell says."""
    for cell in campaign.cells:
        cut, placement = Shards.of(cell.shards), campaign.placements[cell.id]
        alone = placement.emulated and ENGINES[cell.engine].on_server
        if cut.nodes > 1 and not cut.shared and placement.kind != "off" and not alone:
            place = "one directory" if not placement.emulated else "one process"
            raise UsageError(
                f"--wal-shared: missing; the logs of {cut.nodes} nodes of {cell.engine} on "
                f"{cell.device} are in {place}, so that they share a device; add --wal-shared"
            )


def _try(campaign: Campaign, cell: Cell) -> None:
    """Raise UsageError for settings that the cell's driver refuses.

    An impossible knob fails only its cell; a driver that is not built yet is not asked.
    """
    try:
        binary = loading.program(cell.workload, campaign.builds.get(cell.build))
    except WaltaxError:
        return
    if cell.knob:
        return
    profile = campaign.profile_of(cell)
    places = [trial.NOWHERE / str(number) for number in range(cell.nodes)]
    if ENGINES[campaign.recipe.engine].on_server:
        sockets = ({"socket": place} for place in places)
        client = {"store": ENGINES[cell.engine].store}
        trial.require(profile, cell.workload, _argv(cell, profile, binary, 0, sockets, client))
        _try_server(campaign, cell)
    else:
        dbs = ({"db": place, "wal_dir": place} for place in places)
        argv = _argv(cell, profile, binary, 0, dbs, _embedding(cell, profile, trial.OPTIONS))
        argv.append("--print-options")
        made = trial.require(profile, cell.workload, argv, _options(profile, cell))
        try:
            require_kept(profile, cell.workload, made)
        except WaltaxError as error:
            raise UsageError(str(error)) from None


def _try_server(campaign: Campaign, cell: Cell) -> None:
    build, profile = campaign.builds.get(cell.build), campaign.profile_of(cell)
    try:
        server = binaries.find(profile.engine, None if build is None else build.mariadbd)
    except WaltaxError:
        return
    common = {"plugin_dir": str(server.plugin_dir), **settings.base(profile.engine)}
    config = settings.render({**common, **profile.server_settings(cell.workload)})
    argv = [str(server.mariadbd), f"--defaults-file={trial.OPTIONS}", "--verbose", "--help"]
    trial.require_served(profile, cell.workload, argv, config)


def prepare(campaign: Campaign, say: Say) -> dict[str, Path | None]:
    """Return data sets, one for each workload, build, cut and profile; cells may share them.

    A build's programs are made if they are missing.
    """
    for build in campaign.builds.values():
        _make_programs(campaign, build, say)
    return {
        cell.id: loading.prepare(
            *(campaign.profile_of(cell), cell.workload, campaign.data_root, say),
            campaign.builds.get(cell.build),
            _cut_of(cell),
        )
        for cell in campaign.cells
    }


def _cut_of(cell: Cell) -> Shards:
    """Return the part of its cut that loading depends on: how many nodes, and who owns a key."""
    cut = Shards.of(cell.shards)
    return Shards(cut.nodes, cut.owner) if cut.nodes > 1 else Shards()


def _make_programs(campaign: Campaign, build: Build, say: Say) -> None:
    """Make the programs of its workloads; a server's client links no engine under test."""
    if build.programs is not None:
        names = (workloads.WORKLOADS[name].driver_program for name in workloads_of(campaign.cells))
        made.make(build, tuple(dict.fromkeys(names)), say)


def share(campaign: Campaign) -> Share:
    """Return the share of all cells of a session, which are alive at the same time."""
    shares = (_share(campaign, workload) for workload in workloads_of(campaign.cells))
    return sum(shares, Share())


def _share(campaign: Campaign, workload: str) -> Share:
    profile, engine, facts = (
        campaign.profile,
        ENGINES[campaign.recipe.engine],
        workloads.WORKLOADS[workload],
    )
    data_mib, timing = profile.workload(workload).data_mb, profile.timing
    cells = [cell for cell in campaign.cells if cell.workload == workload]
    placed = [(place, cell.nodes) for cell in cells for place in campaign.places(cell)]
    log_mib = cell_memory.log_mib(profile, workload) * cell_memory.WAL_OVERSHOOT
    # A clone shares the loaded SSTs, and never what it writes itself.
    own = engine.copied + facts.clone_growth * engine.growth
    sets = len(
        {(cell.build, cell.axes["set"], cell.axes["options"], _cut_of(cell)) for cell in cells}
    )
    copied_mib = engine.copied * data_mib * len(cells) * timing.min_sessions
    slices_mib = timing.time_budget_s * facts.written_mib_per_s * engine.growth
    return Share(
        disk_mib=data_mib * (sets + len(cells) * own)
        + log_mib * sum(place.with_data * n for place, n in placed),
        written_mib=data_mib * sets + copied_mib + slices_mib,
        emulated_mib=log_mib * sum(place.emulated * n for place, n in placed),
        processes_mib=sum(_processes_mib(campaign, cell) for cell in cells),
    )


def _processes_mib(campaign: Campaign, cell: Cell) -> float:
    """Return what the programs of a cell take at most; each server of its nodes is one."""
    if (bound := Bound.among(campaign.recipe.axes)) is not None:
        return bound.mib
    cached_mib = _UNCOMPRESSED * campaign.profile.workload(cell.workload).data_mb / cell.nodes
    each = cell_memory.process_mib(campaign.profile_of(cell), cell.workload, cached_mib)
    return each * (cell.nodes if ENGINES[cell.engine].on_server else 1)


def words(campaign: Campaign) -> str:
    """Say what is loaded and who works on it, in the workload's own words."""
    facts = workloads.WORKLOADS[campaign.cells[0].workload]
    section = campaign.profile.workload(facts.name)
    threads = max(cell.threads for cell in campaign.cells)
    clients = facts.clients(section.load, section.run, threads)
    return "; ".join(filter(None, [facts.data(section.load), clients]))


def _options(profile: Profile, cell: Cell) -> str:
    return options_file(profile, cell.workload, knob(cell.knob))


def _argv(
    cell: Cell,
    profile: Profile,
    binary: Path,
    seed: int,
    nodes: Iterable[Mapping[str, Path]],
    own: Parameters,
) -> list[str]:
    """Return the command line of a driver. `nodes` are the flags of each node's place, and `own`
    those of an engine in it, or of a client, with those that axes give it.
    """
    section, record = profile.workload(cell.workload), workloads.WORKLOADS[cell.workload]
    parameters: Parameters = {
        **{"threads": cell.threads, "seed": seed},
        **record.flags,
        **section.load,
        **section.run,
        **own,
        **Shards.of(cell.shards).cut,
    }
    return command_line(binary, "run", *nodes, parameters)


def _embedding(cell: Cell, profile: Profile, options_file: Path) -> Parameters:
    """Return the flags of a driver that embeds the engine, set by `options_file`."""
    return {
        **profile.embedded.flags,
        "options_file": str(options_file),
        "block_cache_mb": profile.embedded.block_cache_mb,
        "durability": cell.durability,
    }


def bring_up(setting: Setting) -> contextlib.AbstractContextManager[ProcessCell]:
    """Bring up a driver that is ready but not frozen; its engine has all the profile's settings."""
    return (_served if ENGINES[setting.cell.engine].on_server else _embedded)(setting)


@contextlib.contextmanager
def _embedded(setting: Setting) -> Iterator[ProcessCell]:
    """Bring up an engine in the driver's process, with all stores of shards in it."""
    cell = setting.cell
    with waldir.placed(setting) as (wal_dir, page, env):
        dbs, options_path = _clones(setting), setting.folders.kept / f"{cell.id}.options"
        options_path.write_text(_options(setting.profile, cell))
        logs = _logs(setting, wal_dir)
        stores = ({"db": db, "wal_dir": log} for db, log in zip(dbs, logs, strict=True))
        own = {**_embedding(cell, setting.profile, options_path), **setting.flags}
        binary = loading.program(cell.workload, setting.build)
        argv = _argv(cell, setting.profile, binary, setting.seed, stores, own)
        with running(setting, argv, env) as driver:
            ready = driver.wait_for("ready", within_s=READY_S)
            for written in map(written_options, dbs):
                require_kept(setting.profile, cell.workload, written, knob(cell.knob))
            ready["warnings"] += _skipped(setting.profile)
            node = Node(tuple(dbs), wal_dir, page)
            yield _cell(setting, driver, [node], ready, argv)


def _clones(setting: Setting) -> list[Path]:
    """Return clones of the data set, one for each node."""
    dbs = []
    for node in setting.nodes:
        db = setting.home / ("db" if node.node is None else f"db{node.node}")
        assert node.data_set is not None
        datadir.clone(node.data_set, db, setting.cell.engine)
        dbs.append(db)
    return dbs


def _logs(setting: Setting, wal_dir: Path) -> list[Path]:
    """Return the log's directory of each store."""
    numbers = [node.node for node in setting.nodes]
    logs = [wal_dir if number is None else wal_dir / f"node{number}" for number in numbers]
    for log in logs:
        log.mkdir(mode=0o700, exist_ok=True)
    return logs


def _skipped(profile: Profile) -> list[str]:
    """Warn of a setting of RocksDB's that makes commits less durable than their mode says."""
    if profile.embedded.db.get("wal_recovery_mode") != rocksdb.SKIPPING:
        return []
    return [f"not durable: wal_recovery_mode is {rocksdb.SKIPPING}: {rocksdb.WHY_WEAK}"]


@contextlib.contextmanager
def _served(setting: Setting) -> Iterator[ProcessCell]:
    """Bring up servers, one for each node, under the tap; the driver is their client."""
    cell = setting.cell
    changed = served(cell.knob, cell.engine)
    asked = setting.profile.server_settings(cell.workload)
    unchanged = {key: asked[key] for key in asked.keys() - changed}
    with contextlib.ExitStack() as stack:
        nodes = placed_nodes(setting, {**asked, **changed}, stack)
        servers = [node.server for node in nodes]
        sockets = ({"socket": server.socket} for server in servers)
        own = {"store": ENGINES[cell.engine].store, **setting.flags}
        binary = loading.program(cell.workload)
        argv = _argv(cell, setting.profile, binary, setting.seed, sockets, own)
        driver = stack.enter_context(running(setting, argv, {}, servers))
        ready = _ready(driver, servers)
        told = ready["engine"].get("node_engines") or [ready["engine"]]
        for server, variables in zip(servers, (each["variables"] for each in told), strict=True):
            require_mode(server, cell.durability, variables, changed)
            require_held(setting.profile, cell.workload, unchanged, variables)
            ready["warnings"] += weakened(cell.engine, variables)
        ready["warnings"] = list(dict.fromkeys(ready["warnings"]))
        yield _cell(setting, driver, nodes, ready, argv)


def running(
    setting: Setting, argv: list[str], env: dict[str, str], servers: Sequence[Server] = ()
) -> Driver:
    """Start a cell's driver, whose last words are kept."""
    log = setting.folders.kept / f"{setting.cell.id}.stderr"
    pids = [server.pid for server in servers]
    return Driver(setting.cell.id, argv, log=log, env=env, server_pids=pids)


def _ready(driver: Driver, servers: Sequence[Server]) -> Event:
    try:
        return driver.wait_for("ready", within_s=READY_S)
    except DriverFailed:
        require_servers(servers)
        raise


def _cell(
    setting: Setting, driver: Driver, nodes: Sequence[Node], ready: Event, argv: list[str]
) -> ProcessCell:
    return ProcessCell(
        cell=setting.cell,
        placement=setting.placement,
        driver=driver,
        nodes=tuple(nodes),
        wal_dirs=tuple(node.wal_dir for node in nodes),
        ready=ready,
        argv=argv,
        seed=setting.seed,
        axes=setting.axes,
    )
