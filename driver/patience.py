"""How long to wait for an answer: a while in silence, and less when nothing happens."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import psutil

STILL_S = 300.0
"""How long a load or a check may be still: no new figures, hardly any CPU time or I/O."""
LONGEST_S = 4 * 3600.0
"""How long a load or a check that is busy may have no new figures."""

_BUSY = 0.05  # of a core; an idle server uses a little
_WRITTEN_BYTES = 1 << 20


class Patience:
    """It runs out when no new figures came for `silent_s`, and when nothing happens for `still_s`.

    Both are in seconds; None is for ever. `pids` are the processes that work on the answer.
    Something happens when they use CPU time or do I/O: a load that compacts in the end says
    nothing.
    """

    def __init__(
        self, silent_s: float | None, still_s: float | None, pids: Sequence[int] = ()
    ) -> None:
        self._silent_s = silent_s
        self._still_s = still_s
        self._pids = pids
        self._figures: dict[str, Any] = {}
        self._heard = self._mark = time.monotonic()
        self._done = self._work()

    def hear(self, event: dict[str, Any]) -> None:
        """Note whether an event has anything new except the time."""
        figures = {
            name: value
            for name, value in event.items()
            if name != "seconds" and not name.endswith("_s")
        }
        if figures != self._figures:
            self._figures = figures
            self._heard = self._mark = time.monotonic()
            self._done = self._work()

    def left_s(self) -> float | None:
        """Return after how many seconds to ask `over` again."""
        ends = [self._heard + self._silent_s] if self._silent_s is not None else []
        ends += [self._mark + self._still_s] if self._still_s is not None else []
        return max(0.0, min(ends) - time.monotonic()) if ends else None

    def over(self) -> str | None:
        """Return which limit ran out, or None."""
        now = time.monotonic()
        if self._silent_s is not None and now >= self._heard + self._silent_s:
            return f"no answer in {self._silent_s:.0f} s"
        if self._still_s is None or now < self._mark + self._still_s:
            return None
        cpu_s, written = self._work()
        busy = cpu_s - self._done[0] > _BUSY * self._still_s
        if not busy and written - self._done[1] < _WRITTEN_BYTES:
            return f"no progress for {self._still_s:.0f} s"
        self._mark, self._done = now, (cpu_s, written)
        return None

    def _work(self) -> tuple[float, int]:
        """Return the CPU time in seconds and the bytes of I/O of all the processes so far."""
        cpu_s, moved = 0.0, 0
        for pid in self._pids if self._still_s is not None else ():
            with suppress(psutil.Error):
                process = psutil.Process(pid)
                times, io = process.cpu_times(), process.io_counters()
                cpu_s += times.user + times.system
                moved += io.read_bytes + io.write_bytes
        return cpu_s, moved
