"""Folders that nobody else can write into: our own, and one for a server's socket.

A folder is checked through an open handle, so that the folder checked is the folder used.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from ...base.errors import UsageError, WaltaxError
from . import access

_PASS = 0o711  # the servers' user passes through; files that it may read have their own mode


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
    """Make a folder at `path` that only we write into; it may exist already if it is ours.

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
    """Make a folder of the servers' user; if it is new, nobody else can look into it."""
    try:
        path.mkdir(0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise WaltaxError(f"{path}: cannot be made: {error.strerror}") from error
    access.give(path)


def make_for_socket(path: Path) -> None:
    """Make a folder that only the servers' user can enter, closed before it is given.

    An existing one is left as it is: `require_for_socket` checks it.
    """
    try:
        path.mkdir(0o700)
    except FileExistsError:
        return
    except OSError as error:
        raise WaltaxError(f"{path}: cannot be made: {error.strerror}") from error
    access.give(path)


def require_for_socket(path: Path) -> None:
    """Check that a socket's folder is closed: whoever reaches the socket can try to log in.

    Errors: UsageError for a link, a folder that is not the servers' user's own, or an open one.
    """
    want = access.owner() or (os.geteuid(), os.getegid())
    with _opened(path) as handle:
        info = os.fstat(handle)
    mode = stat.S_IMODE(info.st_mode)
    if info.st_uid != want[0] or mode != 0o700:
        raise UsageError(
            f"{path}: belongs to user {info.st_uid} with mode {mode:04o}, and a socket's folder "
            f"must belong to user {want[0]} with mode 0700; remove it, so that it is made anew"
        )


def write(path: Path, text: str) -> None:
    """Write a file in a folder of ours that only we and the servers' user can read."""
    path.unlink(missing_ok=True)
    servers = access.owner()
    with os.fdopen(closed(path, os.O_EXCL), "w", encoding="utf-8") as file:
        if servers is not None:
            os.fchown(file.fileno(), -1, servers[1])
            os.fchmod(file.fileno(), 0o640)
        file.write(text)


def closed(path: Path, flags: int) -> int:
    """Open a file in a folder of ours for writing; if it is new, only we can read it."""
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | flags, 0o600)


def read(folder: Path, *names: str) -> str:
    """Return a file's text below `folder`, in which others may write, without following links.

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
