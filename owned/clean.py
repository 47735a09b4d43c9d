"""`make clean`: what waltax made in build/ and data/, and nothing else.

Run as `python3 -m owned.clean`, with the system's Python: there may be no other any more. With
names (setup.sh: .venv), these folders and nothing else.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from .folder import HALF, Folder, HeldError, MountedError, NotOursError, clear_half

_KINDS = ("build", "environment", "data set", "load", "work", "wal", "database", "bench", "memory")
CONTAINERS = ("sets", "work", "wal")
"""In data/: what is in them is looked at. They stay, and take no room."""


def main(root: Path, names: Sequence[str] = ()) -> int:
    """Clean the repository at `root`; 1 when something was left alone, which is then named."""
    return remove([root / name for name in names] or places(root), root)


def remove(wanted: Sequence[Path], *beside: Path) -> int:
    """Remove those of `wanted` that are waltax's, and the halves of removals in `beside`.

    Returns 1 when something was left alone, which is then named; nothing is removed while a
    campaign works in one of them.
    """
    halves = [path for folder in beside for path in sorted(folder.glob(f"{HALF}*"))]
    there = [path for path in dict.fromkeys([*wanted, *halves]) if os.path.lexists(path)]
    running = [path for path in there if path.parent.name == "work" and _is_held(path)]
    if running:
        _say(f"{running[0].name}: is being measured; wait for it")
        return 1
    left = [said for path in there if (said := _left(path)) is not None]
    for said in left:
        _say(said)
    return 1 if left else 0


def _say(text: str) -> None:
    """On one line, whatever a folder is called; `printable` is out of this module's reach."""
    shown = "".join(letter if letter.isprintable() else "?" for letter in text)
    print(f"clean: {shown}", file=sys.stderr)


def places(root: Path) -> list[Path]:
    """Return what may be waltax's; a link among them is named, and never followed."""
    data = root / "data"
    if data.is_symlink():
        return [root / "build", data]
    found = _children(data)
    for container in (data / name for name in CONTAINERS):
        if container in found and not container.is_symlink():
            found.remove(container)
            found += _children(container)
    return [root / "build", *found]


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
    """Why `path` is left alone; None when it is gone."""
    if path.name.startswith(HALF):
        with contextlib.suppress(OSError):
            clear_half(path)
            return None
    try:
        Folder.take(path, *_KINDS).remove()
    except NotOursError as why:
        return f"{path}: left alone: it {why}"
    except HeldError:
        return f"{path}: left alone: it is in use"
    except (OSError, MountedError) as error:
        return f"{path}: left alone: {error}"
    return None


if __name__ == "__main__":
    sys.exit(main(Path(__file__).parent.parent, sys.argv[1:]))
