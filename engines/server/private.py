"""Folders that nobody else can put anything into: our own, and one for a server's socket.

A folder is looked at through an open handle, so that what was looked at is what is used.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from ...base.errors import UsageError, WaltaxError
from . import access

_PASS = 0o711  # the servers' user passes through; what it may read has a mode of its own


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[int]:
    try:
        handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as error:
        raise UsageError(
            f"{path}: no folder of ours ({error.strerror}); remove it, or choose another "
            "directory with --data-dir"
        ) from error
    try:
        yield handle
    finally:
        os.close(handle)


def make_ours(path: Path, mode: int = _PASS) -> None:
    """A folder at `path` that only we write into; it may be there already, if it is ours.

    Root reads and writes in it, so the servers' user must not be able to replace anything there.
    Errors: UsageError for a link, or another's folder; WaltaxError when it cannot be made.
    """
    try:
        path.mkdir(mode, parents=True, exist_ok=True)
    except OSError as error:
        raise WaltaxError(f"{path}: cannot be made: {error.strerror}") from error
    with _opened(path) as handle:
        owner = os.fstat(handle).st_uid
        if owner != os.geteuid():
            raise UsageError(
                f"{path}: belongs to user {owner}, and must belong to user {os.geteuid()}, who "
                "started waltax; remove it, or choose another directory with --data-dir"
            )
        os.fchmod(handle, mode)


def make_given(path: Path) -> None:
    """A folder of the servers' user; nobody else sees what is in it, if it is made now."""
    try:
        path.mkdir(0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise WaltaxError(f"{path}: cannot be made: {error.strerror}") from error
    access.give(path)


def make_for_socket(path: Path) -> None:
    """A folder that only the servers' user enters, closed before it is theirs.

    One that is there already is left as it is: `require_for_socket` judges it.
    """
    try:
        path.mkdir(0o700)
    except FileExistsError:
        return
    except OSError as error:
        raise WaltaxError(f"{path}: cannot be made: {error.strerror}") from error
    access.give(path)


def require_for_socket(path: Path) -> None:
    """Whoever reaches a server's socket can try to log in, so its folder is closed before.

    Errors: UsageError for a link, a folder that is not the servers' user's own, or an open one.
    """
    want = access.owner() or (os.geteuid(), os.getegid())
    with _opened(path) as handle:
        found = os.fstat(handle)
    mode = stat.S_IMODE(found.st_mode)
    if found.st_uid != want[0] or mode != 0o700:
        raise UsageError(
            f"{path}: belongs to user {found.st_uid} with mode {mode:04o}, and a socket's folder "
            f"must belong to user {want[0]} with mode 0700; remove it, so that it is made anew"
        )


def write(path: Path, text: str) -> None:
    """A file in a folder of ours that the servers' user reads, and nobody else."""
    path.unlink(missing_ok=True)
    servers = access.owner()
    with os.fdopen(closed(path, os.O_EXCL), "w", encoding="utf-8") as file:
        if servers is not None:
            os.fchown(file.fileno(), -1, servers[1])
            os.fchmod(file.fileno(), 0o640)
        file.write(text)


def closed(path: Path, flags: int) -> int:
    """Return a descriptor that writes a file in a folder of ours: made now, we alone read it."""
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | flags, 0o600)


def read(folder: Path, *names: str) -> str:
    """A file below `folder` in which others may write: no link is followed on the way to it.

    Errors: OSError, also for anything but a regular file.
    """
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    for name in names:
        above = handle
        try:
            handle = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=above)
        finally:
            os.close(above)
    with os.fdopen(handle, encoding="utf-8", errors="replace") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(f"{folder.joinpath(*names)} is no file")
        return file.read()
