"""A cell's own WAL directory below the device's, and whose it is."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from ..devices.resolve import Placement
from ..errors import UsageError, WaltaxError

_OWNER = "waltax-owner.json"


def root(placement: Placement, home: Path, memory: Path) -> Path:
    """Where a cell's WAL directory goes: on its device, or beside its data when it writes none.

    Emulated WALs share the machine's memory file system with others' files.
    """
    if placement.wal_root is None:
        return home / "wal"
    return memory if placement.kind == "emulated" else placement.wal_root


def claim(root: Path, campaign: str, cell_id: str) -> Path:
    """Make `root`/`cell_id` ours and empty, and return it.

    Errors: UsageError when something that is not ours stands there; WaltaxError when the
    directory cannot be written.
    """
    path = root / cell_id
    if path.exists():
        _must_be_ours(path, campaign)
        shutil.rmtree(path)
    try:
        path.mkdir(parents=True)
        owner = {"campaign": campaign, "cell": cell_id}
        (path / _OWNER).write_text(json.dumps(owner) + "\n")
    except OSError as error:
        raise WaltaxError(f"{path}: cannot be written: {error.strerror}; see --wal-dir") from error
    return path


def _must_be_ours(path: Path, campaign: str) -> None:
    try:
        owner = json.loads((path / _OWNER).read_text())
    except (OSError, ValueError):
        found = ", ".join(sorted(file.name for file in path.iterdir())[:3])
        if not found:
            return
        raise UsageError(
            f"{path}: not empty (found {found}) and not made by waltax; "
            "empty it, or name another directory with --wal-dir"
        ) from None
    if owner.get("campaign") != campaign:
        raise UsageError(
            f"{path}: belongs to cell {owner.get('cell')} of campaign {owner.get('campaign')}; "
            "remove it if that campaign is over, or name another directory with --wal-dir"
        )


def release(path: Path) -> None:
    """Remove what `claim` made. Silent when it is gone already."""
    shutil.rmtree(path, ignore_errors=True)
