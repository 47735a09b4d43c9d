"""`make clean` and `make uninstall`: removing what waltax made on this machine, and nothing else.

Run as `python3 -m base.folders.clean` with the system's Python, since no other may be left. With
names (setup.sh: .venv) it removes only these folders; with --uninstall, everything but results.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from .. import home
from ..errors import WaltaxError
from ..printable import one_line
from . import machine
from .folder import HALF, Folder, HeldError, NotOursError, remove_left

_KINDS = ("build", "environment", "data set", "load", "work", "wal", "database", "bench", "memory")
_CONTAINERS = ("sets", "work", "wal")
"""Folders in data/ that stay, and take no room; only their contents are considered."""
_MEMORY = Path("/dev/shm")
_PACKAGES = ".installed-packages"
"""Debian packages that setup.sh installed, one a line. It stays, because the packages do."""


def main(root: Path, names: Sequence[str] = ()) -> int:
    """Clean the repository at `root`; return 1 after naming anything that was left alone."""
    return _remove("clean", [root / name for name in names] or _places(root), root)


def uninstall(root: Path, memory: Path = _MEMORY, lock: Path | None = None) -> int:
    """Uninstall the repository at `root`; return 1 after naming anything that was left alone.

    Nothing is removed while one of the user's campaigns measures, who hold `lock`.
    """
    lock = lock or machine.lock_path()
    try:
        with machine.only_campaign("uninstall", lock) as notes:
            if not notes:
                lock.unlink()
            left = [path for path in memory.glob("waltax-*") if path.lstat().st_uid == os.geteuid()]
            wanted = [*_places(root), root / ".venv", *sorted(left)]
            code = _remove("uninstall", wanted, root)
    except WaltaxError:
        _say("uninstall", "a campaign is measuring; wait for it")
        return 1
    data = root / "data"
    for path in (*(data / name for name in _CONTAINERS), data):
        if not path.is_symlink():
            with contextlib.suppress(OSError):
                path.rmdir()
    _tell(root)
    return code


def _remove(command: str, wanted: Sequence[Path], root: Path) -> int:
    """Remove those of `wanted` that are waltax's, and half-finished removals in `root`.

    Return 1 after naming anything that was left alone. Nothing is removed while a campaign works in
    one of them.
    """
    halves = sorted(root.glob(f"{HALF}*"))
    existing = [path for path in dict.fromkeys([*wanted, *halves]) if os.path.lexists(path)]
    running = [path for path in existing if path.parent.name == "work" and _is_held(path)]
    if running:
        _say(command, f"{running[0].name}: is being measured; wait for it")
        return 1
    left = [reason for path in existing if (reason := _left(path)) is not None]
    for reason in left:
        _say(command, reason)
    return 1 if left else 0


def _say(command: str, text: str) -> None:
    """Print `text` on one line, whatever a folder is called."""
    print(f"{command}: {one_line(text)}", file=sys.stderr)


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


def _tell(root: Path) -> None:
    """Print what is not removed, and how to remove it."""
    with contextlib.suppress(OSError):
        lines = (root / _PACKAGES).read_text(errors="replace").split()
        names = sorted({name for name in lines if re.fullmatch(r"[a-z0-9][a-z0-9.+-]*", name)})
        if names:
            print("uninstall: Debian packages that the set-up installed; to remove them, type:")
            print(f"  sudo apt-get remove {' '.join(names)}")
    print(f"uninstall: {root} itself is left, and results/ in it")


if __name__ == "__main__":
    # By make it is run of the repository, where there is no package `waltax` yet.
    _of_make = __package__ == "base.folders"
    _root = Path(__file__).parents[2] if _of_make else home.place("data").parent
    sys.exit(uninstall(_root) if sys.argv[1:] == ["--uninstall"] else main(_root, sys.argv[1:]))
