"""A slow-down that is planted in the write path of a build: after how many minutes is it told?

    python -m waltax.bench slow-build [PERCENT] [MINUTES]

The build waits before each record of the log, by as much as a calibration says that the engine's
CPU time for a write with the log flushed grows by PERCENT (3). One thread on kv's fillrandom,
profile ci, so that each write is a record. In one campaign of MINUTES (5) of slices, both ratios
are printed after each session: of throughputs, and of CPU time for a write. Who stops at the first
that excludes 1 is wrong more often than one time in 20.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import replace

from ...analysis.builds.nearer import MEASURES
from ...analysis.results import panel_of
from ...analysis.stats import Interval
from ...cell import Cell
from ...row import Row
from ...runners.progress import Progress
from ...terminal import Terminal, say
from .measured import Shape, measure, room
from .plant import plant

_BASE, _SLOW = "base", "slow"
_PROBE_PAUSES = 64  # enough to be seen over the noise, and to count the CPU time of one
_SHAPE = Shape("flush", 1)


def main(arguments: list[str]) -> None:
    console = Terminal()
    percent = float(arguments[0]) if arguments else 3.0
    minutes = float(arguments[1]) if len(arguments) > 1 else 5.0
    builds = {_BASE: plant(room() / _BASE, 0), _SLOW: plant(room() / _SLOW, _PROBE_PAUSES)}
    probe = _ratio(measure(builds, _SHAPE, 0), "cpu")
    assert probe.value is not None
    each = (probe.value - 1) / _PROBE_PAUSES
    pauses = max(1, round(percent / 100 / each))
    planted = f"planted: {pauses} of them, {100 * pauses * each:.1f} %"
    say(console, f"one pause adds {100 * each:.2f} % of CPU time to a write; {planted}")
    plant(room() / _SLOW, pauses)
    measure(builds, replace(_SHAPE, budget_s=60 * minutes), 1, _Watch(console))


class _Watch:
    """Prints what is known whenever a session has ended."""

    def __init__(self, console: Terminal) -> None:
        self._console = console
        self._began_s = time.monotonic()
        self._sessions = 1  # of which the last is under way

    def __call__(self, progress: Progress) -> None:
        if progress.sessions <= self._sessions:
            return
        self._sessions = progress.sessions
        rows = [one for one in progress.rows if one["session"] < self._sessions - 1]
        minutes = (time.monotonic() - self._began_s) / 60
        told = "; ".join(f"{what} x {_words(_ratio(rows, what))}" for what in MEASURES)
        say(self._console, f"{minutes:.1f} minutes, {len(rows)} slices: {told}")


def _ratio(rows: Sequence[Row], what: str) -> Interval:
    """Slow over base, of the cells with a log."""
    logged = [one for one in rows if one["durability"] == _SHAPE.durability]
    like = Cell.of_row(logged[0])
    base, slow = (replace(like, build=name) for name in (_BASE, _SLOW))
    return panel_of(logged).ratio(slow, base, MEASURES[what])


def _words(ratio: Interval) -> str:
    if ratio.value is None or ratio.low is None or ratio.high is None:
        return "unknown"
    told = "" if ratio.low <= 1 <= ratio.high else ", told apart"
    return f"{ratio.value:.4f} [{ratio.low:.4f}, {ratio.high:.4f}]{told}"


if __name__ == "__main__":
    main(sys.argv[1:])
