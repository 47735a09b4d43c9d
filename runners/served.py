"""A server placed as a cell is: on a clone, its log on the device, the tap in front of it."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ..devices import tap_page, tap_preload
from ..devices.resolve import Placement
from ..devices.tap_page import TapPage
from ..engines import Settings
from ..errors import UsageError
from ..mariadb import datadir, private, settings
from ..mariadb.server import Server, Spec, running
from ..owned import removal
from . import waldir
from .latency_model import model_file


@dataclass(frozen=True)
class Order:
    """What a server is to be."""

    name: str  # of the cell: of its WAL directory, its files and messages
    engine: str
    durability: str  # a word of `cell.DURABILITIES`
    placement: Placement
    data_set: Path  # what `dataset.prepare` returned
    settings: Settings  # of the profile; the mode's and the place's are added
    seed: int  # of the emulated device's latencies


@dataclass(frozen=True)
class Folders:
    """Where it lives. All exist; what is made in them is removed at the end, but for `kept`."""

    disk: Path  # its clone, in a folder of its name
    memory: Path  # its socket and the tap's page; its log when that is emulated
    logs: Mapping[Path, Path]  # its log, by the directory of a real device
    kept: Path  # its my.cnf and error log stay here, as NAME.cnf and NAME.err


@dataclass(frozen=True)
class Placed:
    """A server that runs, and the witnesses of its log."""

    server: Server
    page: TapPage
    datadir: Path
    wal_dir: Path


@contextlib.contextmanager
def placed_server(order: Order, folders: Folders) -> Iterator[Placed]:
    """Clone the data set, start a server on it, and leave nothing of it behind at any exit.

    Errors: UsageError when the server's user cannot reach a folder; WaltaxError naming the cell
    and quoting the error log when the server does not start.
    """
    home, memory = folders.disk / order.name, _short(folders.memory, order.name)
    removal.tree(home)
    removal.tree(memory)
    wal_dir: Path | None = None
    spec: Spec | None = None
    try:
        datadir.require_reachable(home)
        wal_root = waldir.root(order.placement, home, folders.memory, folders.logs)
        wal_dir = waldir.make(wal_root, order.name)
        _require_reachable_log(wal_dir)
        datadir.clone(order.data_set, home / "data", order.engine, wal_dir)
        spec = _spec(order, home, wal_dir, memory)
        memory.mkdir(0o700)  # for the socket: see `mariadb.private`
        page = tap_page.create(memory / "page")
        env = _environment(order, home, wal_dir, memory / "page")
        datadir.give(memory)
        with _started(spec, env, folders.kept) as server:
            yield Placed(server, page, spec.datadir, wal_dir)
    finally:
        if spec is not None:
            _keep(spec.error_log, folders.kept / f"{order.name}.err")
        removal.trees(wal_dir, memory, home)


@contextlib.contextmanager
def _started(spec: Spec, env: dict[str, str], kept: Path) -> Iterator[Server]:
    """Its my.cnf is kept also when the server does not like it."""
    try:
        with running(spec, env=env) as server:
            _keep(spec.config, kept / f"{spec.name}.cnf")
            yield server
    finally:
        _keep(spec.config, kept / f"{spec.name}.cnf")


def _spec(order: Order, home: Path, wal_dir: Path, memory: Path) -> Spec:
    mode = settings.durability(order.engine, order.durability)
    return Spec(
        name=order.name,
        engine=order.engine,
        home=home,
        datadir=home / "data",
        wal_dir=wal_dir,
        settings={**order.settings, **mode},
        socket=memory / "s",
    )


def _environment(order: Order, home: Path, wal_dir: Path, page: Path) -> dict[str, str]:
    """The tap's; its library where the servers' user can load it."""
    model = model_file(page, order.placement, order.seed)
    folder = datadir.reachable_copy(tap_preload.library(), home).parent
    return tap_preload.tap_environment(wal_dir, page, model, folder)


def _short(folder: Path, name: str) -> Path:
    """A folder of the cell's own with a short name: a socket's path has 107 bytes at most."""
    return folder / hashlib.sha256(name.encode()).hexdigest()[:8]


def _require_reachable_log(wal_dir: Path) -> None:
    try:
        datadir.require_reachable(wal_dir)
    except UsageError as error:
        raise UsageError(str(error).replace("--data-dir", "--wal-dir")) from error


def _keep(file: Path, target: Path) -> None:
    """What a reader looks up; a results folder that is full does not end a campaign here."""
    with contextlib.suppress(OSError):
        target.write_text(private.read(file.parent, file.name))
