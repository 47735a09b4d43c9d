"""Place a cell: its log's own directory on its device, and the tap in front of it."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from ...base.errors import WaltaxError
from ...base.folders import removal
from ...devices import tap_model, tap_page, tap_preload
from ...devices.resolve import Placement
from ...devices.tap_page import TapPage
from ...engines import ENGINES
from .setting import Setting


@contextlib.contextmanager
def placed(setting: Setting) -> Iterator[tuple[Path, TapPage, dict[str, str]]]:
    """Place a cell, or a node of its shards; leave nothing of it behind at any exit,
    nor of its clone.

    Yield the log's directory, the tap's page, and the environment of the engine's process. Errors:
    WaltaxError as `make`.
    """
    memory, wal_dir = memory_of(setting), None
    removal.tree(setting.home)
    removal.tree(memory)
    try:
        wal_dir = make(root(setting, setting.placement), setting.name)
        memory.mkdir(0o700)  # whoever reaches a socket there can try to log in
        page = memory / "page"
        made = tap_page.create(page)
        # Nodes with devices of their own draw latencies of their own.
        model = model_of(setting.placement, setting.seed + 2 * (setting.node or 0))
        env = tap_preload.tap_environment(
            wal_dir, page, model, setting.device_page, setting.cell.tap_rung
        )
        yield wal_dir, made, env | setting.place(memory)
    finally:
        removal.trees(wal_dir, *(axis.log for axis in setting.axes), memory, setting.home)


def memory_of(setting: Setting) -> Path:
    """Return the folder of such a place in memory, with the page of its tap and a server's socket.

    Its name is short: a socket's path has 107 bytes at most.
    """
    return setting.folders.memory / hashlib.sha256(setting.name.encode()).hexdigest()[:8]


def root(setting: Setting, placement: Placement) -> Path:
    """Return where a log of a cell goes: to its device, or beside its data, in a folder that is
    made. The latter is for `with-data`, and for a cell that writes no log.
    """
    folders = setting.folders
    if placement.wal_root is None:
        beside = setting.home / "wal"
        beside.mkdir(parents=True, exist_ok=True)
        return beside
    return folders.memory if placement.kind == "emulated" else folders.logs[placement.wal_root]


def make(root: Path, cell_id: str) -> Path:
    """Make a new, empty `root`/`cell_id`, in place of what an earlier session left there.

    Errors: WaltaxError when the directory cannot be written, or a link leads elsewhere.
    """
    path = root / cell_id
    if root.is_symlink():
        raise WaltaxError(f"{root}: somebody put something else in its place")
    try:
        removal.tree(path)
        path.mkdir(mode=0o700)
    except OSError as error:
        raise WaltaxError(f"{path}: cannot be written: {error.strerror}; see --wal-dir") from error
    return path


def model_of(placement: Placement, seed: int) -> bytes | None:
    """Return an emulated device's latencies as the tap reads them; None: it only observes."""
    return None if placement.model is None else tap_model.packed(placement.model, seed)


def sync(folders: Iterable[Path]) -> None:
    """Make durable what lies in these folders, so that no later sync pays for it."""
    for path in (path for folder in folders for path in folder.rglob("*") if path.is_file()):
        with contextlib.suppress(FileNotFoundError), path.open("rb") as file:
            os.fdatasync(file.fileno())


def stray_files(engine: str, datadir: Path, wal_dir: Path) -> tuple[Path, ...]:
    """Return log files with data in the data directory, where none belongs."""
    if datadir == wal_dir:
        return ()
    logs = [path for pattern in ENGINES[engine].log_files for path in datadir.glob(pattern)]
    return tuple(path for path in sorted(logs) if path.stat().st_size > 0)
