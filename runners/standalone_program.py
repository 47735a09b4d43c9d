"""Watch a run of a user's own program, outside any campaign."""

from __future__ import annotations

from pathlib import Path

from ..base.folders import places
from ..devices.emulation_memory import SHM
from ..engines.server import access
from . import plan
from .cells.program import folder
from .cells.program import watch as watching
from .cells.program.watch import Watched
from .cells.setting import Command
from .folders import require_writable


def watch(command: Command, data_root: Path) -> Watched:
    """Return what a run does to files, on the disk of `data_root`. Errors: as `watching.watch`."""
    require_writable("--data-dir", data_root)
    plan.require_disk(data_root, folder.size_mib(command.data))
    name, mode = "waltax-watch-", access.folder_mode()
    with (
        places.borrowed(data_root / "work", name, "work", flag="--data-dir", mode=mode) as home,
        places.borrowed(SHM, name, "memory", mode=mode) as memory,
    ):
        kept = home / "kept"
        kept.mkdir()
        return watching.watch(command, home, memory, kept)
