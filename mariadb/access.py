"""The unprivileged user that servers run as, and what it can reach.

Only root has the choice: MariaDB refuses to run as root, so a user without rights does. Anybody
else runs servers as themselves, and then nothing here changes anything.
"""

from __future__ import annotations

import functools
import os
import pwd
import shutil
from pathlib import Path
from typing import Any

from .. import proc
from ..errors import UsageError, WaltaxError

_USERS = ("mysql", "nobody")  # Debian's package makes the first


@functools.cache
def owner() -> tuple[int, int] | None:
    """User and group id of the servers' user; None when we are not root."""
    if os.geteuid() != 0:
        return None
    entry = pwd.getpwnam(_name())
    return entry.pw_uid, entry.pw_gid


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
    """Arguments of subprocess that start a child as the servers' user, with no other group."""
    ids = owner()
    return {} if ids is None else {"user": ids[0], "group": ids[1], "extra_groups": []}


def give(path: Path) -> None:
    """Make the servers' user the owner of `path` and of all below it."""
    ids = owner()
    if ids is None:
        return
    try:
        os.chown(path, *ids, follow_symlinks=False)
        if path.is_dir() and not path.is_symlink():
            for entry in os.scandir(path):
                give(Path(entry.path))
    except OSError as error:
        raise WaltaxError(
            f"{path}: cannot be given to the servers' user {_name()}: {error.strerror}"
        ) from error


def can(what: str, path: Path) -> bool:
    """Whether the servers' user can do "read", "write" or "enter" with `path`."""
    flag = {"read": "-r", "write": "-w", "enter": "-x"}[what]
    return proc.launch(["test", flag, path], **as_owner()).wait() == 0


def require_reachable(path: Path) -> None:
    """Errors: UsageError naming the parent of `path` that the servers' user cannot enter."""
    path = path.absolute()
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
    """Errors: UsageError when the servers' user cannot write into the directory `path`."""
    require_reachable(path / "x")
    if not can("write", path):
        who = "you" if owner() is None else f"the servers' user {_name()}"
        raise UsageError(
            f"{path}: {who} cannot write into it; make it writable, or choose another "
            "directory with --data-dir (or --wal-dir, if it is the log's)"
        )


def reachable_copy(library: Path, home: Path) -> Path:
    """`library` where the servers' user can load it: itself, or else a copy in `home`."""
    if can("read", library):
        return library
    copy = home / library.name
    shutil.copyfile(library, copy)
    copy.chmod(0o755)
    return copy
