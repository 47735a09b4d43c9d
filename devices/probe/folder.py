"""The folder that a probe works in: gone at its end, or, after a `kill -9`, when the next starts.

A probe holds a lock on its folder for as long as it lives; the kernel lets go of it however the
probe ends. A folder whose lock is free is nobody's.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

from ...errors import UsageError

_PREFIX = ".waltax-probe-"


@contextlib.contextmanager
def own(directory: Path) -> Iterator[Path]:
    """A folder of our own in `directory`, removed at the end; SIGTERM and SIGHUP end us too."""
    with _ended_by_signals():
        try:
            folder, lock = _made(directory)
        except OSError as error:
            raise UsageError(
                f"{directory}: no folder can be made there: {error.strerror}; "
                "give a directory on the device that is writable and has room"
            ) from error
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            os.close(lock)


def _made(directory: Path) -> tuple[Path, int]:
    """Return a new folder and the number by which it is locked."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=directory))
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        # Where directories cannot be locked (NFS), nobody's leftovers are ever removed.
        with contextlib.suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_EX)
        if folder.exists():  # or another probe took it for a leftover just before
            return folder, lock
        os.close(lock)


def remove_leftovers(directory: Path) -> list[Path]:
    """Remove this user's folders of probes that were killed, and return them."""
    return [path for path in sorted(directory.glob(f"{_PREFIX}*")) if _removed(path)]


def _removed(path: Path) -> bool:
    """Whether it was a leftover of ours: a link, another's, or one in use stays."""
    try:
        lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        if os.fstat(lock).st_uid != os.geteuid():
            return False
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(path)
    except OSError:
        return False
    finally:
        os.close(lock)
    return True


@contextlib.contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Let SIGTERM and SIGHUP unwind as Ctrl-C does."""

    def end(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt(signal.Signals(number).name, frame)

    numbers = (signal.SIGTERM, signal.SIGHUP)
    before = [(number, signal.signal(number, end)) for number in numbers]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)
