"""Emptying a folder without following links or entering mounts.

Everything goes through descriptors of folders opened as such, so that nobody can put a link in the
way meanwhile.
"""

from __future__ import annotations

import contextlib
import errno
import os
from pathlib import Path

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class MountedError(Exception):
    """Something is mounted in a folder to be removed; the message says where."""


def open_folder(path: Path | str, *, below: int | None = None) -> int:
    """Return a descriptor of the folder itself. Errors: OSError, also for a link."""
    return os.open(path, _FOLDER, dir_fd=below)


def require_no_mount(folder: int, name: Path) -> None:
    """Raise MountedError when another file system, or a bind mount, is below `folder`."""
    own = _mount_of(folder)
    try:
        for entry in names(folder):
            try:
                inside = open_folder(entry, below=folder)
            except (NotADirectoryError, FileNotFoundError):
                continue
            try:
                if _mount_of(inside) != own:
                    raise MountedError(f"something is mounted on {name / entry}")
                require_no_mount(inside, name / entry)
            finally:
                os.close(inside)
    except RecursionError:
        raise OSError(errno.ELOOP, "its folders are too deep in each other", str(name)) from None


def empty(folder: int, keep: str | None = None) -> None:
    """Remove everything in the open `folder` except the entry `keep`.

    Errors: OSError for what cannot be removed, e.g. a mount; other entries may be gone by then.
    """
    try:
        for name in names(folder):
            if name != keep:
                _remove_entry(folder, name)
    except RecursionError:
        raise OSError(errno.ELOOP, "its folders are too deep in each other") from None


def tree(path: Path) -> None:
    """Remove whatever is at `path`, which lies in a folder of ours.

    Do nothing when it is gone already. Errors: OSError, also for a mount, which stays.
    """
    try:
        parent = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        _remove_entry(parent, path.name)
    except OSError as error:
        error.filename = str(path)
        raise
    finally:
        os.close(parent)


def trees(*paths: Path | None) -> None:
    """Remove several trees during cleanup, and ignore what cannot be removed."""
    for path in paths:
        if path is not None:
            with contextlib.suppress(OSError):
                tree(path)


def _remove_entry(parent: int, name: str) -> None:
    try:
        inside = open_folder(name, below=parent)
    except FileNotFoundError:
        return
    except NotADirectoryError:  # this includes links
        os.unlink(name, dir_fd=parent)
        return
    try:
        if _mount_of(inside) != _mount_of(parent):
            raise OSError(errno.EBUSY, "something is mounted there", name)
        empty(inside)
    finally:
        os.close(inside)
    os.rmdir(name, dir_fd=parent)


def names(folder: int) -> list[str]:
    """Return all names in the open `folder`, read before the first entry is removed."""
    return sorted(os.listdir(folder))


def _mount_of(folder: int) -> str:
    """Return the kernel's mount id, which also distinguishes bind mounts of one file system."""
    lines = Path(f"/proc/self/fdinfo/{folder}").read_text().splitlines()
    return next(line for line in lines if line.startswith("mnt_id:"))
