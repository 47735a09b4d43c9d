"""Cells brought to life, and everything of them removed at the end."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path

from .. import proc
from ..cell import Cell, bench_of
from ..devices import tap_page
from ..devices.tap_preload import tap_environment
from ..driver.argv import run_argv, server_argv
from ..driver.client import Driver, DriverFailed, Event
from ..errors import WaltaxError
from ..mariadb import settings
from ..owned import removal
from ..profiles import options_file
from . import waldir
from .campaign import Campaign
from .dataset import clone
from .dbbench import live as dbbench
from .engines import ENGINES
from .latency_model import model_file
from .live import Live, LiveCell, require_server
from .served import Folders, Order, Placed, placed_server
from .workspace import disk_folder, log_folders, memory_folder

_READY_S = 300.0


@contextlib.contextmanager
def alive(campaign: Campaign, cell: Cell, data_set: Path | None, seed: int) -> Iterator[Live]:
    """Bring a cell to life on a fresh clone, frozen; whatever happens, it leaves nothing behind.

    Errors: WaltaxError when it does not come up, or is not what its label says.
    """
    with _life(campaign, cell, data_set, seed) as live:
        kept = campaign.folder / f"{cell.id}.ready.json"
        kept.write_text(json.dumps(live.ready, indent=1) + "\n")
        live.freeze()
        yield live


def _life(
    campaign: Campaign, cell: Cell, data_set: Path | None, seed: int
) -> contextlib.AbstractContextManager[Live]:
    if bench_of(cell.workload) is not None:
        return dbbench.alive(campaign, cell, data_set, seed)
    assert data_set is not None
    life = _served if ENGINES[cell.engine].on_server else _embedded
    return life(campaign, cell, data_set, seed)


@contextlib.contextmanager
def _embedded(campaign: Campaign, cell: Cell, data_set: Path, seed: int) -> Iterator[LiveCell]:
    """The engine is in the driver's process."""
    placement = campaign.placements[cell.id]
    home, memory = disk_folder(campaign) / cell.id, memory_folder(campaign)
    removal.tree(home)
    wal_dir: Path | None = None
    try:
        clone(data_set, home / "db")
        wal_root = waldir.root(placement, home, memory, log_folders(campaign))
        wal_dir = waldir.make(wal_root, cell.id)
        page_path = memory / f"{cell.id}.page"
        page = tap_page.create(page_path)
        argv = _argv(campaign, cell, home, wal_dir, seed)
        env = tap_environment(wal_dir, page_path, model_file(page_path, placement, seed))
        with _driver(campaign, cell, argv, env) as driver:
            ready = driver.wait_for("ready", within_s=_READY_S)
            yield LiveCell(cell, placement, driver, page, home / "db", wal_dir, ready, argv, seed)
    finally:
        removal.trees(wal_dir, home)


@contextlib.contextmanager
def _served(campaign: Campaign, cell: Cell, data_set: Path, seed: int) -> Iterator[LiveCell]:
    """The engine is in a server, under the tap; the driver is its client."""
    placement = campaign.placements[cell.id]
    variables = campaign.profile.server_settings(cell.workload)
    order = Order(cell.id, cell.engine, cell.durability, placement, data_set, variables, seed)
    folders = Folders(
        disk_folder(campaign), memory_folder(campaign), log_folders(campaign), campaign.folder
    )
    with placed_server(order, folders) as placed:
        argv = _client_argv(campaign, cell, placed, seed)
        with _driver(campaign, cell, argv, {}, placed.server.pid) as driver:
            ready = _ready(driver, placed)
            _require_mode(cell, placed, ready)
            yield LiveCell(
                cell,
                placement,
                driver,
                placed.page,
                placed.datadir,
                placed.wal_dir,
                ready,
                argv,
                seed,
                placed.server,
            )


@contextlib.contextmanager
def _driver(
    campaign: Campaign,
    cell: Cell,
    argv: list[str],
    env: dict[str, str],
    server_pid: int | None = None,
) -> Iterator[Driver]:
    log = campaign.folder / f"{cell.id}.stderr"
    driver = Driver(cell.id, argv, log=log, env=env, server_pid=server_pid)
    try:
        yield driver
    finally:
        driver.kill()


def _ready(driver: Driver, placed: Placed) -> Event:
    try:
        return driver.wait_for("ready", within_s=_READY_S)
    except DriverFailed:
        require_server(placed.server)
        raise


def _require_mode(cell: Cell, placed: Placed, ready: Event) -> None:
    """Errors: WaltaxError naming a variable of the server that contradicts the cell."""
    wanted = settings.wanted(cell.engine, cell.durability, placed.server.spec.places)
    found = settings.contradictions(wanted, ready["engine"]["variables"])
    if found:
        raise WaltaxError(f"{cell.id}: the server contradicts the label: {found[0]}")


def _argv(campaign: Campaign, cell: Cell, home: Path, wal_dir: Path, seed: int) -> list[str]:
    profile, workload = campaign.profile, campaign.profile.workload(cell.workload)
    options = home / "rocksdb.options"
    options.write_text(options_file(profile, cell.workload))
    parameters = {
        **workload.load,
        **workload.run,
        **profile.embedded.flags,
        "options_file": str(options),
        "block_cache_mb": profile.embedded.block_cache_mb,
        "durability": cell.durability,
    }
    return run_argv(
        proc.program(cell.workload),
        home / "db",
        wal_dir,
        threads=cell.threads,
        seed=seed,
        parameters=parameters,
    )


def _client_argv(campaign: Campaign, cell: Cell, placed: Placed, seed: int) -> list[str]:
    workload = campaign.profile.workload(cell.workload)
    return server_argv(
        proc.program(cell.workload),
        "run",
        cell.engine,
        placed.server.socket,
        threads=cell.threads,
        seed=seed,
        parameters={**workload.load, **workload.run},
    )
