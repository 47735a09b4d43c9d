"""The unprivileged user that runs servers, and what it can reach.

This matters only for root, because MariaDB refuses to run as root. Other users run servers as
themselves, and nothing here changes anything.
"""

from __future__ import annotations

import functools
import os
import pwd
import shutil
import stat
from pathlib import Path
from typing import Any

from ...base import proc
from ...base.errors import UsageError, WaltaxError
from ...base.folders.folder import MARKER
from .paths import require_plain

_USERS = ("mysql", "nobody")  # Debian's package makes the first


@functools.cache
def owner() -> tuple[int, int] | None:
    """Return the user and group id of the servers' user; None when we are not root."""
    if os.geteuid() != 0:
        return None
    entry = pwd.getpwnam(_name())
    return entry.pw_uid, entry.pw_gid


def folder_mode() -> int:
    """Return the mode of our folders that the servers' user passes through but must not list."""
    return 0o700 if owner() is None else 0o711


def _name() -> str:
    for name in _USERS:
        try:
            return pwd.getpwnam(name).pw_name
        except KeyError:
            continue
    raise WaltaxError(
        f"started as root, and there is no user {' or '.join(_USERS)} to run servers as; "
        "start waltax as an ordinary user"
    )


def as_owner() -> dict[str, Any]:
    """Return subprocess arguments that start a child as the servers' user, in no other group."""
    ids = owner()
    return {} if ids is None else {"user": ids[0], "group": ids[1], "extra_groups": []}


def give(path: Path) -> None:
    """Make the servers' user the owner of `path` and of the files and folders below it.

    That user may be active there, so every file is held open while it is checked and given: no
    link is followed, no other file system is entered, and no file with a second name, which may be
    anywhere, is given. Errors: WaltaxError.
    """
    ids = owner()
    if ids is None:
        return
    try:
        handle = _held(path)
        try:
            _give(path, handle, ids, os.fstat(handle).st_dev)
        finally:
            os.close(handle)
    except OSError as error:
        raise WaltaxError(
            f"{path}: cannot be given to the servers' user {_name()}: {error.strerror}"
        ) from error


def _held(path: str | Path, folder: int | None = None) -> int:
    """Open a file or folder without blocking on anything else; a link is an error."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    return os.open(path, flags, dir_fd=folder)


def _give(path: Path, handle: int, ids: tuple[int, int], device: int) -> None:
    info = os.fstat(handle)
    is_folder = stat.S_ISDIR(info.st_mode)
    if info.st_dev != device:
        return
    if (info.st_uid, info.st_gid) != ids:
        if not is_folder and info.st_nlink > 1:
            raise WaltaxError(
                f"{path}: has {info.st_nlink} names, and may be a file of somebody else's; "
                "remove it, or choose another directory"
            )
        os.fchown(handle, *ids)
    for name in os.listdir(handle) if is_folder else ():
        kind = os.stat(name, dir_fd=handle, follow_symlinks=False).st_mode
        if name == MARKER or not (stat.S_ISDIR(kind) or stat.S_ISREG(kind)):
            continue
        below = _held(name, handle)
        try:
            _give(path / name, below, ids, device)
        finally:
            os.close(below)


def can(what: str, path: Path) -> bool:
    """Return whether the servers' user can "read", "write" or "enter" `path`."""
    flag = {"read": "-r", "write": "-w", "enter": "-x"}[what]
    return proc.launch(["test", flag, path], **as_owner()).wait() == 0


def require_reachable(path: Path) -> None:
    """Raise UsageError naming the parent of `path` that the servers' user cannot enter.

    This includes paths that a server cannot handle.
    """
    path = path.absolute()
    require_plain(path)
    if can("enter", path.parent):
        return
    for parent in reversed(path.parents):
        if not can("enter", parent):
            who = "you" if owner() is None else f"the servers' user {_name()}"
            raise UsageError(
                f"{path}: {who} cannot enter {parent}; "
                "choose a directory that others may pass through with --data-dir"
            )


def require_writable(path: Path) -> None:
    """Raise UsageError when the servers' user cannot write into the directory `path`."""
    require_reachable(path / "x")
    if not can("write", path):
        who = "you" if owner() is None else f"the servers' user {_name()}"
        raise UsageError(
            f"{path}: {who} cannot write into it; make it writable, or choose another "
            "directory with --data-dir (or --wal-dir, if it is the log's)"
        )


def reachable_copy(library: Path, home: Path) -> Path:
    """Return `library`, or a copy in `home` if the servers' user cannot load the original.

    LD_LIBRARY_PATH, which locates it, is split at colons and semicolons.
    """
    if can("read", library) and not {":", ";"} & set(str(library.parent)):
        return library
    copy = home / library.name
    shutil.copyfile(library, copy)
    copy.chmod(0o755)
    return copy
