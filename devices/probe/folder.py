"""The folder that a probe works in: gone at its end, or, after a kill, when the next starts."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

from ...errors import UsageError
from ...owned import places

_PREFIX = ".waltax-probe-"
_KIND = "probe"


@contextlib.contextmanager
def own(directory: Path) -> Iterator[Path]:
    """A folder of our own in `directory`, removed at the end; SIGTERM and its kin end us, too.

    Errors: UsageError when it cannot be made.
    """
    with _ended_by_signals(), contextlib.ExitStack() as stack:
        try:
            folder = stack.enter_context(places.borrowed(directory, _PREFIX, _KIND))
        except UsageError as error:
            raise UsageError(
                f"{error}; give a directory on the device that is writable and has room"
            ) from error
        yield folder


def remove_leftovers(directory: Path) -> list[str]:
    """Remove this user's folders of probes that were killed; returns what is to be said of that."""
    swept = places.sweep(directory, f"{_PREFIX}*", _KIND)
    removed = [f"removed {path}, which a probe that was killed had left" for path in swept.removed]
    return removed + swept.left_words()


@contextlib.contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Let SIGTERM, SIGHUP and SIGQUIT unwind as Ctrl-C does."""

    def end(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt(signal.Signals(number).name, frame)

    numbers = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
    before = [(number, signal.signal(number, end)) for number in numbers]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)
