"""`make uninstall`: all that waltax left on this machine, but for results.

Run as `python3 -m owned.uninstall`, with the system's Python: the environment goes, too.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import sys
from pathlib import Path

from . import clean, private

_MEMORY = Path("/dev/shm")
_PACKAGES = ".installed-packages"
"""Debian packages that setup.sh installed, one a line. It stays: they do, too."""


def main(root: Path, memory: Path = _MEMORY, folder: Path | None = None) -> int:
    """Uninstall the repository at `root`; 1 when something was left alone, which is then named.

    `folder` is the user's private one. Nothing is removed while a campaign of theirs measures.
    """
    folder = folder or private.path()
    with contextlib.ExitStack() as stack:
        if not _alone(folder, stack):
            print("uninstall: a campaign is measuring; wait for it", file=sys.stderr)
            return 1
        left = [path for path in memory.glob("waltax-*") if path.lstat().st_uid == os.geteuid()]
        code = clean.remove([*clean.places(root), root / ".venv", *sorted(left)], root)
        code |= _remove_private(folder)
    _remove_empty(root / "data")
    _tell(root)
    return code


def _alone(folder: Path, stack: contextlib.ExitStack) -> bool:
    """Whether no campaign of this user measures, which `stack` keeps so."""
    try:
        handle = os.open(folder / private.LOCK, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:  # none has measured since the machine was started
        return True
    stack.callback(os.close, handle)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _remove_private(folder: Path) -> int:
    if not os.path.lexists(folder):
        return 0
    why = private.why_not(folder)
    if why is None:
        with contextlib.suppress(FileNotFoundError):
            (folder / private.LOCK).unlink()
        try:
            folder.rmdir()
            return 0
        except OSError as error:
            why = f"cannot be removed: {error.strerror}"
    print(f"uninstall: {folder}: left alone: it {why}", file=sys.stderr)
    return 1


def _remove_empty(data: Path) -> None:
    for path in (*(data / name for name in clean.CONTAINERS), data):
        if not path.is_symlink():
            with contextlib.suppress(OSError):
                path.rmdir()


def _tell(root: Path) -> None:
    """What is not removed here, and how it is."""
    with contextlib.suppress(OSError):
        lines = (root / _PACKAGES).read_text(errors="replace").split()
        names = sorted({name for name in lines if re.fullmatch(r"[a-z0-9][a-z0-9.+-]*", name)})
        if names:
            print("uninstall: Debian packages that the set-up installed; to remove them, type:")
            print(f"  sudo apt-get remove {' '.join(names)}")
    print(f"uninstall: {root} itself is left, and results/ in it")


if __name__ == "__main__":
    sys.exit(main(Path(__file__).parent.parent))
