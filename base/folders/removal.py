"""Emptying a folder without following links or entering mounts."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
from pathlib import Path


def require_no_mount(path: Path) -> None:
    """Raise OSError when something, a bind mount too, is mounted on the folder or below it."""
    own = os.fsencode(path.parent.resolve() / path.name)
    for line in Path("/proc/self/mountinfo").read_bytes().splitlines():
        # The kernel writes blanks and backslashes in octal.
        place = re.sub(rb"\\(\d{3})", lambda code: bytes([int(code[1], 8)]), line.split()[4])
        if place == own or place.startswith(own + b"/"):
            raise OSError(f"something is mounted on {os.fsdecode(place)}")


def empty(folder: int, keep: str) -> None:
    """Remove everything in the open `folder` except the entry `keep`.

    Errors: OSError for what cannot be removed; other entries may be gone by then.
    """
    with os.scandir(folder) as entries:
        left = [entry for entry in entries if entry.name != keep]
    for entry in left:
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.name, dir_fd=folder)
        else:
            os.unlink(entry.name, dir_fd=folder)


def tree(path: Path) -> None:
    """Remove whatever is at `path`, which lies in a folder of ours.

    Do nothing when it is gone already. Errors: OSError, also for a mount, which stays.
    """
    if path.is_dir() and not path.is_symlink():
        require_no_mount(path)
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def trees(*paths: Path | None) -> None:
    """Remove several trees during cleanup, and ignore what cannot be removed."""
    for path in paths:
        if path is not None:
            with contextlib.suppress(OSError):
                tree(path)
