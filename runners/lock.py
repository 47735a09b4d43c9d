"""Who may measure on this machine, and whose folders are whose.

All locks are the kernel's: however a process ends, it gives them back.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from ..errors import UsageError, WaltaxError

_MACHINE = Path("/tmp/waltax.lock")
_OWNED = ".lock"


@contextlib.contextmanager
def only_campaign(name: str, path: Path = _MACHINE, *, share: bool = False) -> Iterator[None]:
    """Hold the machine, because two campaigns would measure each other.

    Each begins alone, and holds a shared lock from then on, which the next one meets; with `share`
    it takes its place beside the others all the same. Errors: WaltaxError naming the others.
    """
    handle = _open(path)
    try:
        alone = _lock(handle)
        if not alone and not share:
            raise WaltaxError(
                f"{_holders(path)} on this machine, and two campaigns would measure each "
                "other; wait for it, or pass --share-machine if that is what you want"
            )
        with contextlib.suppress(OSError):  # another user's file: locked all the same
            if alone:
                os.ftruncate(handle, 0)
            os.write(handle, f"campaign {name} (pid {os.getpid()})\n".encode())
        _lock(handle, fcntl.LOCK_SH)
        yield
    finally:
        os.close(handle)


def _holders(path: Path) -> str:
    """Those that wrote their names and still run: some may have ended since, or not be ours."""
    lines = path.read_text().splitlines()
    pids = [re.search(r"[(]pid (\d+)[)]$", line) for line in lines]
    alive = [
        line
        for line, pid in zip(lines, pids, strict=True)
        if pid is not None and Path("/proc", pid[1]).exists()
    ]
    words = " and ".join(alive) or "another campaign"
    return f"{words} {'are' if len(alive) > 1 else 'is'} measuring"


@contextlib.contextmanager
def held(folder: Path, flag: str | None = None) -> Iterator[None]:
    """Make `folder` and hold it. Errors: WaltaxError when another process does.

    UsageError when it cannot be made, with the flag that says where it is to be.
    """
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with _unswept(folder.parent):
            taken = _taken(folder)
    except OSError as error:
        named = "" if flag is None else f"{flag}: "
        instead = "" if flag is None else f"; name another directory with {flag}"
        raise UsageError(
            f"{named}{folder}: cannot be written: {error.strerror}{instead}"
        ) from error
    with taken:
        yield


def _taken(folder: Path) -> contextlib.ExitStack:
    """What holds `folder`, which is made. Errors: as `held`; OSError when it cannot be made."""
    folder.mkdir(exist_ok=True)
    with contextlib.ExitStack() as stack:
        handle = _open(folder / _OWNED)
        stack.callback(os.close, handle)
        if not _lock(handle):
            raise WaltaxError(f"{folder}: another process is working on this campaign")
        return stack.pop_all()


@contextlib.contextmanager
def _unswept(parent: Path) -> Iterator[None]:
    """Within, nobody else sweeps below `parent`, nor makes a folder that is not yet held."""
    handle = os.open(parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


@contextlib.contextmanager
def borrowed(folder: Path, flag: str | None = None) -> Iterator[None]:
    """Hold `folder`, and remove it at the end."""
    with held(folder, flag):
        try:
            yield
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def sweep(parent: Path, pattern: str) -> None:
    """Remove the folders of processes that were killed: those that nobody holds."""
    if not parent.is_dir():
        return
    with _unswept(parent):
        for folder in parent.glob(pattern):
            with contextlib.suppress(WaltaxError, OSError), _taken(folder):
                shutil.rmtree(folder, ignore_errors=True)


def _open(path: Path) -> int:
    """A handle to lock. Debian forbids creating over another user's file in /tmp."""
    with contextlib.suppress(FileNotFoundError):
        try:
            return os.open(path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC)
        except PermissionError:
            return os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)


def _lock(handle: int, kind: int = fcntl.LOCK_EX) -> bool:
    try:
        fcntl.flock(handle, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
