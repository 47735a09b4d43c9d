"""A cell's own WAL directory, in the campaign's folder on its device."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ..devices.resolve import Placement
from ..errors import WaltaxError
from ..owned import removal


def root(placement: Placement, home: Path, memory: Path, logs: Mapping[Path, Path]) -> Path:
    """Where a cell's WAL directory goes: on its device, or beside its data when it writes none.

    `logs` has the campaign's own folder on each real device, `memory` the one for emulated ones.
    """
    if placement.wal_root is None:
        return home / "wal"
    return memory if placement.kind == "emulated" else logs[placement.wal_root]


def make(root: Path, cell_id: str) -> Path:
    """A new, empty `root`/`cell_id`, in place of what an earlier session left there.

    Errors: WaltaxError when the directory cannot be written.
    """
    path = root / cell_id
    try:
        removal.tree(path)
        root.mkdir(parents=True, exist_ok=True)
        path.mkdir(mode=0o700)
    except OSError as error:
        raise WaltaxError(f"{path}: cannot be written: {error.strerror}; see --wal-dir") from error
    return path
