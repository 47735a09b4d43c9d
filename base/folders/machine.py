"""Who measures on this machine: two campaigns at a time would measure each other.

A user's campaigns exclude each other by a lock in a folder that nobody else can prepare or enter.
Those of other users are only told of: whoever could make us wait could make us wait for ever.

All locks are the kernel's: however a process ends, it gives them back. A lock file is its user's
own, and nobody else may open it: whoever can open a file can hold its lock for ever.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import socket
from collections.abc import Iterator
from pathlib import Path

from ..errors import WaltaxError
from . import clean
from .folder import is_own_file, locked

_ANNOUNCED = re.compile(r" @waltax/(\d+)/(\d+)/([A-Za-z0-9._-]+)$")
_OPEN = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_MOST = 3  # campaigns of others that are named
_LONGEST = 80  # letters of a campaign's name; the kernel takes 107 with what stands before


@contextlib.contextmanager
def only_campaign(
    name: str, path: Path | None = None, *, share: bool = False
) -> Iterator[list[str]]:
    """Hold the machine; what is to be said of others that measure on it.

    Each begins alone, and holds a shared lock from then on, which the next one meets; with `share`
    it takes its place beside the others all the same. `path` is the lock file, None for the user's
    own. Errors: WaltaxError naming the others.
    """
    with contextlib.ExitStack() as stack:
        notes = [f"{who}; figures of both are disturbed" for who in _others(os.geteuid())]
        try:
            held = path or private_folder() / clean.LOCK
            handle = stack.enter_context(open_lock(held))
        except WaltaxError as error:
            notes.append(f"cannot tell whether another campaign of yours is measuring: {error}")
        else:
            _take(handle, held, name, share=share)
        stack.enter_context(_announced(name))
        yield notes


def private_folder() -> Path:
    """A folder of this user that nobody else can enter. Errors: WaltaxError."""
    path = clean.private_path()
    try:
        with contextlib.suppress(FileExistsError):
            path.mkdir(mode=0o700)
    except OSError as error:
        raise WaltaxError(f"{path}: cannot be made: {error.strerror}") from error
    why = clean.why_not_private(path)
    if why is not None:
        raise WaltaxError(f"{path}: {why}; have it removed")
    return path


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
    if not try_lock(handle, shared=True):  # another one was quicker between the two
        raise WaltaxError(f"{_holders(path)} on this machine; wait for it, or pass --share-machine")


def _holders(path: Path) -> str:
    """Those that wrote their names and still run: some may have ended since."""
    lines = re.findall(r"^(.*[(]pid (\d+)[)])$", path.read_text(errors="replace"), re.MULTILINE)
    alive = [line for line, pid in lines if Path("/proc", pid).exists()]
    words = " and ".join(alive) or "another campaign"
    return f"{words} {'are' if len(alive) > 1 else 'is'} measuring"


@contextlib.contextmanager
def _announced(name: str) -> Iterator[None]:
    """A name that every user can read in /proc/net/unix, for as long as this process lives.

    It is no file, so that none can be prepared or left behind; nothing listens.
    """
    known = re.sub(r"[^A-Za-z0-9._-]", "_", name)[:_LONGEST]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as announced:
        # Two campaigns in one process, as tests have them, share the first one's.
        with contextlib.suppress(OSError):
            announced.bind(f"\0waltax/{os.geteuid()}/{os.getpid()}/{known}")
        yield


def _others(user: int) -> list[str]:
    """Campaigns of other users; a name is believed when its process is that user's."""
    with contextlib.suppress(OSError):
        lines = Path("/proc/net/unix").read_text(errors="replace").splitlines()
        found = [match for line in lines if (match := _ANNOUNCED.search(line))]
        named = [
            f"campaign {name} of user {uid} (pid {pid}) is measuring on this machine, too"
            for uid, pid, name in (match.groups() for match in found)
            if int(uid) != user and _owner(pid) == int(uid)
        ]
        more = len(named) - _MOST
        return named if more <= 0 else [*named[:_MOST], f"and {more} more measure, too"]
    return []


def _owner(pid: str) -> int | None:
    with contextlib.suppress(OSError):
        return Path("/proc", pid).stat().st_uid
    return None


@contextlib.contextmanager
def open_lock(path: Path) -> Iterator[int]:
    """A descriptor of the lock file at `path`, which is made when there is none; closed at the end.

    Errors: WaltaxError for a link, what is no file, and what belongs to another user.
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
    """Whether `handle` is locked now. Where a file system has no locks (NFS), it is believed."""
    try:
        return locked(handle, shared=shared)
    except OSError as error:
        if error.errno not in (errno.ENOLCK, errno.EOPNOTSUPP, errno.EINVAL):
            raise
    return True
