"""Make Ctrl-C and its kin something to look at, so that work under way can end well.

Elsewhere the kin end us as Ctrl-C does: see `waltax.__main__`.
"""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from types import FrameType

_KIN = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


class Signals:
    """The first signal that came, if any. The second one ends us at once."""

    def __init__(self) -> None:
        self._under_way: str | None = None
        self.first: int | None = None

    def came(self) -> bool:
        """Return whether one came."""
        return self.first is not None

    def note(self, number: int, _frame: FrameType | None) -> None:
        if self.first is not None:
            if number == signal.SIGHUP:  # shell and kernel both send it when a terminal closes
                return
            raise KeyboardInterrupt
        self.first = number
        _leave_a_closed_terminal()
        if self._under_way is not None:
            # print may be at work where the signal came, so do not use it.
            said = f"finishing {self._under_way}; again to stop at once\n"
            # This starts behind the ^C that a terminal echoes, and behind a line that is drawn.
            os.write(2, (f"\n{said}" if os.isatty(2) else said).encode())

    @contextlib.contextmanager
    def finishing(self, what: str) -> Iterator[None]:
        """Answer a signal meanwhile with `what` is finished first, because that takes a while.

        There is no answer if `what` is empty.
        """
        self._under_way = what or None
        try:
            yield
        finally:
            self._under_way = None


def _leave_a_closed_terminal() -> None:
    """Let later output go nowhere: otherwise it would end us before the work does."""
    for descriptor in (1, 2):
        try:
            os.write(descriptor, b"")
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)


@contextlib.contextmanager
def noted() -> Iterator[Signals]:
    """Take SIGINT, and of its kin those not ignored; give them back at the end."""
    signals = Signals()
    heeded = [number for number in _KIN if signal.getsignal(number) != signal.SIG_IGN]
    before = {number: signal.signal(number, signals.note) for number in (signal.SIGINT, *heeded)}
    try:
        yield signals
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
