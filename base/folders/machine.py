"""Who measures on this machine: two campaigns at a time would measure each other.

A user's campaigns exclude each other by a lock. Those of other users are not waited for: a user who
could make us wait could do so for ever. What they take from a slice counts as CPU time of others,
as any program's does.

All locks are the kernel's, which releases them however a process ends. A lock file belongs to its
user, and nobody else may open it: whoever can open a file can hold its lock for ever.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
from collections.abc import Iterator
from pathlib import Path

from ..errors import WaltaxError
from .folder import is_own_file, locked

_OPEN = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@contextlib.contextmanager
def only_campaign(
    name: str, path: Path | None = None, *, share: bool = False
) -> Iterator[list[str]]:
    """Hold the machine; yield notes on why others may measure on it all the same.

    A campaign begins alone and then holds a shared lock, which stops the next one; with `share` the
    next one starts beside the others. `path` is the lock file, by default the user's own. Errors:
    WaltaxError naming the others.
    """
    with contextlib.ExitStack() as stack:
        notes = []
        try:
            held = path or lock_path()
            handle = stack.enter_context(open_lock(held))
        except WaltaxError as error:
            notes.append(f"cannot tell whether another campaign of yours is measuring: {error}")
        else:
            _take(handle, held, name, share=share)
        yield notes


def lock_path() -> Path:
    """Return the path of this user's lock, which a campaign holds while it measures.

    It is not in /run/user, which is removed at the last logout, when a campaign may still run.
    """
    user = os.geteuid()
    return Path("/run/waltax.lock" if user == 0 else f"/tmp/waltax-{user}.lock")


def _take(handle: int, path: Path, name: str, *, share: bool) -> None:
    alone = try_lock(handle)
    if not alone and not share:
        raise WaltaxError(
            f"{_holders(path)} on this machine, and two campaigns would measure each "
            "other; wait for it, or pass --share-machine if that is what you want"
        )
    if alone:
        os.ftruncate(handle, 0)
    os.write(handle, f"campaign {name} (pid {os.getpid()})\n".encode())
    if not try_lock(handle, shared=True):  # another campaign was quicker
        raise WaltaxError(f"{_holders(path)} on this machine; wait for it, or pass --share-machine")


def _holders(path: Path) -> str:
    """Return the campaigns named in the lock file that still run: some may have ended since."""
    lines = re.findall(r"^(.*[(]pid (\d+)[)])$", path.read_text(errors="replace"), re.MULTILINE)
    alive = [line for line, pid in lines if Path("/proc", pid).exists()]
    words = " and ".join(alive) or "another campaign"
    return f"{words} {'are' if len(alive) > 1 else 'is'} measuring"


@contextlib.contextmanager
def open_lock(path: Path) -> Iterator[int]:
    """Open the lock file at `path`, made if it is missing; yield its descriptor, closed at the end.

    Errors: WaltaxError for a link, anything but a file, and another user's file.
    """
    try:
        handle = os.open(path, _OPEN, 0o600)
    except OSError as error:
        why = "it is a link" if path.is_symlink() else error.strerror
        raise WaltaxError(f"{path}: cannot be used as a lock: {why}; remove it") from error
    try:
        if not is_own_file(handle):
            raise WaltaxError(
                f"{path}: cannot be used as a lock: it is no file of user {os.geteuid()}; remove it"
            )
        os.fchmod(handle, 0o600)  # an older waltax let others open it
        yield handle
    finally:
        os.close(handle)


def try_lock(handle: int, *, shared: bool = False) -> bool:
    """Return whether `handle` is locked now; True on a file system without locks (NFS)."""
    try:
        return locked(handle, shared=shared)
    except OSError as error:
        if error.errno not in (errno.ENOLCK, errno.EOPNOTSUPP, errno.EINVAL):
            raise
    return True
