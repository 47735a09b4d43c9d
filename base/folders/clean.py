"""`make clean`: removing what waltax made on this machine, and nothing else.

Run as `python3 -m base.folders.clean` with the system's Python, since no other may be left. With
names (setup.sh: .venv) it removes only these folders.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from .. import home
from ..printable import one_line
from .folder import HALF, Folder, HeldError, NotOursError, remove_left

_KINDS = ("build", "environment", "data set", "load", "work", "wal", "database", "bench", "memory")
_CONTAINERS = ("sets", "work", "wal")
"""Folders in data/ that stay, and take no room; only their contents are considered."""


def main(root: Path, names: Sequence[str] = ()) -> int:
    """Clean the repository at `root`, of half-finished removals, too.

    Return 1 after naming anything that was left alone. Nothing is removed while a campaign works in
    one of its folders.
    """
    wanted = [root / name for name in names] or _places(root)
    halves = sorted(root.glob(f"{HALF}*"))
    existing = [path for path in dict.fromkeys([*wanted, *halves]) if os.path.lexists(path)]
    running = [path for path in existing if path.parent.name == "work" and _is_held(path)]
    if running:
        _say(f"{running[0].name}: is being measured; wait for it")
        return 1
    left = [reason for path in existing if (reason := _left(path)) is not None]
    for reason in left:
        _say(reason)
    return 1 if left else 0


def _say(text: str) -> None:
    """Print `text` on one line, whatever a folder is called."""
    print(f"clean: {one_line(text)}", file=sys.stderr)


def _places(root: Path) -> list[Path]:
    """Return what may be waltax's; links are named, and never followed."""
    data = root / "data"
    if data.is_symlink():
        return [root / "build", root / "dist", data]
    places = _children(data)
    for container in (data / name for name in _CONTAINERS):
        if container in places and not container.is_symlink():
            places.remove(container)
            places += _children(container)
    return [root / "build", root / "dist", *places]


def _children(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() else []


def _is_held(path: Path) -> bool:
    try:
        Folder.take(path, *_KINDS).release()
    except HeldError:
        return True
    except (OSError, NotOursError):
        pass
    return False


def _left(path: Path) -> str | None:
    """Remove `path`; return why it is left alone, or None."""
    try:
        remove_left(path, *_KINDS)
    except NotOursError as why:
        return f"{path}: left alone: it {why}"
    except HeldError:
        return f"{path}: left alone: it is in use"
    except OSError as error:
        return f"{path}: left alone: {error}"
    return None


if __name__ == "__main__":
    # By make it is run of the repository, where there is no package `waltax` yet.
    _of_make = __package__ == "base.folders"
    _root = Path(__file__).parents[2] if _of_make else home.place("data").parent
    sys.exit(main(_root, sys.argv[1:]))
