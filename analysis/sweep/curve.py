"""Overhead against the latency of a sync, from a sweep over a grid of emulated devices.

    for curve in curves(rows): print(curve.overhead_at(40.0), curve.latency_for(0.05).sentence)

Every number has the interval of the campaign's bootstrap: the whole fit is repeated on each
draw of sessions and rounds, one draw for all points. A curve ends where its points end.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ...cell import is_point
from ...engines import PROGRAM
from ...row import Row
from .. import stats
from ..results import CellResult, Panel, of_panel, panels, words
from ..results.panel import column
from ..results.sums import Work
from ..stats import NOTHING, Floats, Interval
from .answers import Answer
from .fit import Fit, fit, isotonic

_SYNC_NS, _SYNCS = column("tap_sync_ns"), column("tap_syncs")
# Fewer rounds give few different draws (three give ten), and for a fit that never falls all of them
# may lie on one side of the estimate.
_ROUNDS_FOR_TWO_ENDS = 6


@dataclass(frozen=True)
class Point:
    """One device of the grid. `sync_us` is the mean that its cell's syncs achieved."""

    result: CellResult
    sync_us: float

    @property
    def work(self) -> Work:
        return self.result.work

    @property
    def overhead(self) -> Interval:
        """The overhead as measured, before any fit."""
        return self.result.interval


@dataclass(frozen=True, eq=False)
class Curve:
    """The points of one comparison group, the fastest sync first, and the fit through them.

    `baseline` is the group's first cell; where the engine has no off, each device has its own.
    """

    baseline: CellResult
    points: tuple[Point, ...]
    left_out: tuple[str, ...]  # grid devices without a usable result, with reasons
    panel: Panel = field(repr=False)
    fit: Fit = field(repr=False)

    @property
    def subject(self) -> str:
        """Text such as LinkBench on MyRocks with 10 clients."""
        baseline = self.baseline
        return f"{words.subject(baseline)} with {words.clients(baseline.threads)}"

    @property
    def range_us(self) -> tuple[float, float]:
        """The fastest and the slowest measured sync."""
        return float(self.fit.sync_us[0]), float(self.fit.sync_us[-1])

    def outside(self, sync_us: float) -> str:
        """Return the side of the measured range, "below" or "above"; empty inside."""
        low, high = self.range_us
        return "below" if sync_us < low else "above" if sync_us > high else ""

    def waited_us(self, device_us: float) -> float:
        """Return how long a caller waits here for a device with this mean sync.

        This is longer if it also has to wait for a core: by as much as on the grid's devices,
        interpolated linearly, and constant beyond the ends. The curve is over this time.
        """
        own, excess = self._excess()
        return device_us + float(np.interp(device_us, own, excess))

    def device_us(self, waited_us: float) -> float:
        """Return the mean sync of the device for which a caller waits this long."""
        own, excess = self._excess()
        (waited,) = isotonic((own + excess)[None], np.ones((1, own.size)))
        return waited_us - float(np.interp(waited_us, waited, excess))

    def _excess(self) -> tuple[Floats, Floats]:
        """Return the points' times by their models, rising, and how much longer callers waited."""
        own = [(p.work.model_sync_us or p.sync_us, p.sync_us) for p in self.points]
        model, waited = np.array(sorted(own)).T
        return model, waited - model

    def overhead_at(self, sync_us: float) -> Interval:
        """Return the overhead if callers wait this long for a sync; nothing outside the range."""
        return NOTHING if self.outside(sync_us) else self.bound_at(sync_us)

    def bound_at(self, sync_us: float) -> Interval:
        """Return the same; outside the range return the overhead at its end, which is a bound."""
        value, drawn = self.fit.slowdown_at(sync_us)
        low, high = bounds(value, drawn)
        if low is None or high is None:
            return Interval(1 - 1 / value, None, None)
        if self.few_rounds:
            low, high = evenly(value, low, high)
        return Interval(1 - 1 / value, 1 - 1 / low, 1 - 1 / high)

    def draws_at(self, sync_us: float) -> Floats:
        """Return `bound_at` for each draw of the panel's bootstrap."""
        drawn: Floats = 1 - 1 / self.fit.slowdown_at(sync_us)[1]
        return drawn

    def latency_for(self, overhead: float) -> Answer:
        """Return the longest mean sync, as callers wait, with at most this overhead, below 1."""
        value, drawn = self.fit.latency_for(1 / (1 - overhead))
        low, high = bounds(value, drawn)
        if self.few_rounds and np.isfinite(value):
            low, high = self._even_answer(value, low, high)
        ends = [self.bound_at(end) for end in self.range_us]
        return Answer(
            subject=self.subject,
            overhead=overhead,
            sync_us=value,
            low=low,
            high=high,
            device_us=self.device_us(value) if np.isfinite(value) else value,
            range_us=self.range_us,
            ends=(ends[0], ends[1]),
        )

    def _even_answer(
        self, value: float, low: float | None, high: float | None
    ) -> tuple[float | None, float | None]:
        """Make both bounds as far as the further one; beyond the range nothing is known."""
        if low is None or high is None:
            return None, None
        if not (np.isfinite(low) and np.isfinite(high)):
            return -np.inf, np.inf
        low, high = evenly(value, low, high)
        first, last = self.range_us
        return low if low >= first else -np.inf, high if high <= last else np.inf

    @property
    def few_rounds(self) -> bool:
        """Whether the draws' own ends are too few to be trusted one by one: docs/method.md."""
        return min(point.result.rounds for point in self.points) < _ROUNDS_FOR_TWO_ENDS

    def bytes_per_sync_at(self, sync_us: float) -> float | None:
        """Return the mean bytes written before a sync: groups grow with the time of a sync.

        Linear between the points, constant beyond the ends; None if the rows do not say.
        """
        known = [(p.sync_us, p.work.bytes_per_sync) for p in self.points]
        if any(size is None for _, size in known):
            return None
        times, sizes = zip(*known, strict=True)
        return float(np.interp(sync_us, times, sizes))

    @cached_property
    def fitted(self) -> tuple[Interval, ...]:
        """The overhead of each point after the fit."""
        return tuple(self.bound_at(point.sync_us) for point in self.points)


def bounds(value: float, drawn: Floats) -> tuple[float | None, float | None]:
    """Return the interval of `drawn`, always including the value; none without draws."""
    if np.isnan(drawn).all():
        return None, None
    low, high = stats.percentiles(drawn)
    return min(low, value), max(high, value)


def evenly(value: float, low: float, high: float) -> tuple[float, float]:
    """Return the interval of a ratio, extended on both sides to the distance of its further end."""
    factor = max(high / value, value / low)
    return value / factor, value * factor


def curves(rows: list[Row], *, without: str = "") -> list[Curve]:
    """Return a curve per comparison group with two or more usable devices of the grid.

    Replicas, and cells with a knob or another mode than sync, are no points. Of a user's program
    every emulated device is one, and the baseline, whose syncs take no time; except the device
    `without`.
    """
    every = (_curve(panel, without) for panel in panels(rows))
    return [curve for curve in every if curve is not None]


def usable(result: CellResult) -> bool:
    """Return whether a cell may lie on, or be compared with, its group's curve."""
    return result.durability == "sync" and not result.replica and not result.knob


def _is_of_grid(result: CellResult) -> bool:
    if result.engine == PROGRAM:
        return result.is_baseline or (usable(result) and result.emulated)
    return usable(result) and is_point(result.device)


def _curve(panel: Panel, without: str) -> Curve | None:
    estimates = of_panel(panel)
    grid = [each for each in estimates if _is_of_grid(each) and each.device != without]
    points, left_out = [], []
    for result in grid:
        if why := _unusable(result):
            left_out.append(f"{result.device} {why}")
        else:
            points.append(Point(result, result.work.sync_us or 0.0))
    if len(points) < 2:
        return None
    points.sort(key=lambda point: point.sync_us)
    return Curve(estimates[0], tuple(points), tuple(left_out), panel, _fit(panel, points))


def _unusable(result: CellResult) -> str:
    if result.failed:
        return f"has {words.FAILED}"
    if result.overhead is None or result.overhead >= 1:
        return "has no overhead"
    if result.uneven:
        return f"has no overhead, because {result.uneven}"
    return "" if result.work.sync_us else "made no sync"


def _fit(panel: Panel, points: list[Point]) -> Fit:
    cells = [point.result.at for point in points]
    slowdowns = [panel.draws(cell.baseline, cell) for cell in cells]
    syncs = [
        stats.draws(panel.values(cell, _SYNC_NS), panel.values(cell, _SYNCS), panel.by)
        for cell in cells
    ]
    return fit(
        np.array([point.sync_us for point in points]),
        np.array([slowdown.value for slowdown in slowdowns]),
        np.column_stack([sync.logs for sync in syncs]),
        np.column_stack([slowdown.logs for slowdown in slowdowns]),
    )
