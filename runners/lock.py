"""Who may measure on this machine, and whose folders are whose.

All locks are the kernel's: however a process ends, it gives them back.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from ..errors import WaltaxError

_MACHINE = Path("/tmp/waltax.lock")
_OWNED = ".lock"


@contextlib.contextmanager
def only_campaign(name: str, path: Path = _MACHINE) -> Iterator[None]:
    """Hold the machine, because two campaigns would measure each other.

    Errors: WaltaxError naming the campaign that holds it.
    """
    handle = _open(path)
    try:
        if not _lock(handle):
            holder = path.read_text().strip() or "another campaign"
            raise WaltaxError(
                f"{holder} is measuring on this machine, and two campaigns would measure each "
                "other; wait for it, or pass --share-machine if that is what you want"
            )
        with contextlib.suppress(OSError):  # another user's file: locked all the same
            os.ftruncate(handle, 0)
            os.pwrite(handle, f"campaign {name} (pid {os.getpid()})\n".encode(), 0)
        yield
    finally:
        os.close(handle)


@contextlib.contextmanager
def held(folder: Path) -> Iterator[None]:
    """Make `folder` and hold it. Errors: WaltaxError when another process does."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = _open(folder / _OWNED)
    except OSError as error:
        raise WaltaxError(f"{folder}: cannot be written: {error.strerror}") from error
    try:
        if not _lock(handle):
            raise WaltaxError(f"{folder}: another process is working on this campaign")
        yield
    finally:
        os.close(handle)


@contextlib.contextmanager
def borrowed(folder: Path) -> Iterator[None]:
    """Hold `folder`, and remove it at the end."""
    with held(folder):
        try:
            yield
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def sweep(parent: Path, pattern: str) -> None:
    """Remove the folders of processes that were killed: those that nobody holds."""
    for folder in parent.glob(pattern):
        with contextlib.suppress(WaltaxError), borrowed(folder):
            pass


def _open(path: Path) -> int:
    """A handle to lock. Debian forbids creating over another user's file in /tmp."""
    with contextlib.suppress(FileNotFoundError):
        try:
            return os.open(path, os.O_RDWR | os.O_CLOEXEC)
        except PermissionError:
            return os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)


def _lock(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
