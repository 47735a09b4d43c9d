"""How long to wait for an answer: a while in silence, and less when nothing happens."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import psutil

STILL_S = 300.0
"""How long a load or a check may be still: no new figures, hardly any CPU time or I/O."""

_BUSY = 0.05  # of a core; an idle server uses a little
_MOVED_BYTES = 1 << 20


class Patience:
    """It runs out when no new figures came for `limit_s`, in seconds.

    With `pids`, the processes that work on the answer, it starts anew as long as they use CPU time
    or do I/O: a load that compacts in the end says nothing.
    """

    def __init__(self, limit_s: float, pids: Sequence[int] = ()) -> None:
        self._limit_s = limit_s
        self._pids = pids
        self._figures: dict[str, Any] = {}
        self._begin()

    def hear(self, event: dict[str, Any]) -> None:
        """Note whether an event has anything new except the time."""
        figures = {
            name: value
            for name, value in event.items()
            if name != "seconds" and not name.endswith("_s")
        }
        if figures != self._figures:
            self._figures = figures
            self._begin()

    def left_s(self) -> float:
        """Return after how many seconds to ask `over` again."""
        return max(0.0, self._mark + self._limit_s - time.monotonic())

    def over(self) -> str | None:
        """Return which limit ran out, or None."""
        if self.left_s() > 0:
            return None
        if not self._pids:
            return f"no answer in {self._limit_s:.0f} s"
        (cpu_s, moved), (cpu_before_s, moved_before) = self._work(), self._done
        if cpu_s - cpu_before_s > _BUSY * self._limit_s or moved - moved_before >= _MOVED_BYTES:
            self._begin()
            return None
        return f"no progress for {self._limit_s:.0f} s"

    def _begin(self) -> None:
        self._mark, self._done = time.monotonic(), self._work()

    def _work(self) -> tuple[float, int]:
        """Return the CPU time in seconds and the bytes of I/O of all the processes so far."""
        cpu_s, moved = 0.0, 0
        for pid in self._pids:
            with suppress(psutil.Error):
                process = psutil.Process(pid)
                times, io = process.cpu_times(), process.io_counters()
                cpu_s += times.user + times.system
                moved += io.read_bytes + io.write_bytes
        return cpu_s, moved
