"""Overhead against the latency of a sync, from a sweep over a grid of emulated devices.

    for curve in curves(rows): print(curve.overhead_at(40.0), curve.latency_for(0.05).sentence)

The fit is to the slowdown r = throughput(off) / throughput(device) over the mean time of a sync: if
the device is the limit, r is linear in that time. It is isotonic regression (Barlow, Bartholomew,
Bremner and Brunk, Statistical Inference under Order Restrictions, 1972) in the points, and linear
between them. Every number has the interval of the campaign's bootstrap: the whole fit is repeated
on each draw of sessions and rounds, one draw for all points. A curve ends where its points end.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...device_names import is_point
from ...engines import PROGRAM
from ...row import Row
from .. import stats
from ..stats import ENDS, NOTHING, Floats, Interval
from . import words
from .estimates import of_panel
from .panel import Panel, column, panels
from .result import CellResult

_SYNC_NS, _SYNCS = column("tap_sync_ns"), column("tap_syncs")
# Fewer rounds give few different draws (three give ten), and for a fit that never falls all of them
# may lie on one side of the estimate.
_ROUNDS_FOR_TWO_ENDS = 6
_SAID_FROM = 0.1  # share of the latency in which callers wait for a core


@dataclass(frozen=True, eq=False)
class Fit:
    """The fit in the first line, then that of each draw of the bootstrap; a column per point.

    Along a line `sync_us` rises and `slowdown` never falls; a draw that missed a point is all NaN.
    """

    sync_us: Floats
    slowdown: Floats

    def slowdowns_at(self, sync_us: float) -> Floats:
        """Return the slowdown by each line; constant beyond its ends."""
        lines = zip(self.sync_us, self.slowdown, strict=True)
        return np.array([np.interp(sync_us, *line) for line in lines])

    def latencies_for(self, slowdown: float) -> Floats:
        """Return the longest sync, in us, with at most this slowdown, by each line.

        It is 0 if every point slows down more, and infinite if none does.
        """
        lines = zip(self.sync_us, self.slowdown, strict=True)
        inside = [np.interp(slowdown, r, us, left=0.0) for us, r in lines]
        places = np.where(self.slowdown[:, -1] <= slowdown, np.inf, inside)
        return np.where(np.isnan(self.sync_us + self.slowdown).any(axis=1), np.nan, places)


def fit(sync_us: Floats, slowdown: Floats, log_sync_us: Floats, log_slowdown: Floats) -> Fit:
    """Fit the points, and each draw, given the logarithms by which the draw moves them.

    A point's weight is the inverse of its variance over the draws; if all draws are NaN, as with a
    single round, points of equal relative error are assumed.
    """
    logs = log_slowdown[np.isfinite(log_slowdown).all(axis=1)]
    relative = logs.var(axis=0) if len(logs) else np.ones(slowdown.size)
    # No point may outweigh all others because it happened to agree with itself.
    relative = np.maximum(relative, 1e-3 * relative.max()) if relative.max() > 0 else 1.0
    x = np.vstack([sync_us, sync_us * np.exp(log_sync_us)])
    r = np.vstack([slowdown, slowdown * np.exp(log_slowdown)])
    # Each line in the order of its own syncs, since a draw may swap neighbours.
    order = np.argsort(x, axis=1)
    weights = np.broadcast_to(1 / (relative * slowdown**2), x.shape)
    x, r, weights = (np.take_along_axis(a, order, axis=1) for a in (x, r, weights))
    return Fit(x, isotonic(r, weights))


def isotonic(values: Floats, weights: Floats) -> Floats:
    """Return the closest values, in weighted squares, that never fall along the last axis.

    A line with a NaN is all NaN.
    """
    from scipy.optimize import isotonic_regression  # takes a fifth of a second to import

    lines = np.full_like(values, np.nan)
    for place in np.flatnonzero(np.isfinite(values).all(axis=-1)):
        lines[place] = isotonic_regression(values[place], weights=weights[place]).x
    return lines


def interval(lines: Floats, *, is_even: bool = False) -> Interval:
    """Return the value of the first line with the interval of the others, which includes it.

    Without a known one there are no bounds. Where it `is_even`, both are as far as the further one.
    """
    value, drawn = float(lines[0]), lines[1:]
    if np.isnan(drawn).all():
        return Interval(value, None, None)
    known = drawn[~np.isnan(drawn)]
    # Nothing lies between a number and an infinity.
    method: Any = "linear" if np.isfinite(known).all() else "closest_observation"
    low, high = map(float, np.quantile(known, ENDS, method=method))
    low, high = min(low, value), max(high, value)
    if is_even and np.isfinite(value):
        reach = max(value - low, high - value)
        low, high = value - reach, value + reach
    return Interval(value, low, high)


@dataclass(frozen=True, eq=False)
class Curve:
    """The grid's results of one comparison group, the fastest sync first, and the fit through them.

    `baseline` is the group's first cell; where the engine has no off, each device has its own.
    `beside` are the results of other devices, by their names.
    """

    baseline: CellResult
    points: tuple[CellResult, ...]
    beside: Mapping[str, CellResult] = field(repr=False)
    left_out: tuple[str, ...]  # grid devices without a usable result, with reasons
    fit: Fit = field(repr=False)

    @property
    def subject(self) -> str:
        """Text such as LinkBench on MyRocks with 10 clients."""
        baseline = self.baseline
        return f"{words.subject(baseline)} with {words.clients(baseline.threads)}"

    @property
    def range_us(self) -> tuple[float, float]:
        """The fastest and the slowest measured sync."""
        return float(self.fit.sync_us[0, 0]), float(self.fit.sync_us[0, -1])

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
        waits = [point.facts["sync_us"] for point in self.points]
        own = [point.facts["model_sync_us"] for point in self.points]
        pairs = [(of_model or us, us) for of_model, us in zip(own, waits, strict=True)]
        model, waited = np.array(sorted(pairs)).T
        return model, waited - model

    def overhead_at(self, sync_us: float) -> Interval:
        """Return the overhead if callers wait this long for a sync; nothing outside the range."""
        return NOTHING if self.outside(sync_us) else self.bound_at(sync_us)

    def bound_at(self, sync_us: float) -> Interval:
        """Return the same; outside the range return the overhead at its end, which is a bound."""
        logs = np.log(self.fit.slowdowns_at(sync_us))
        return interval(logs, is_even=self.few_rounds).mapped(lambda log: 1 - math.exp(-log))

    def apart(self, sync_us: float, measured: CellResult) -> Interval:
        """Return this overhead less that of a device, which was measured beside the grid."""
        slowdown = measured.panel.draws(measured.at.baseline, measured.at)
        assert slowdown.value is not None  # it has an overhead
        own = slowdown.value * np.exp(np.concatenate([[0.0], slowdown.logs]))
        return interval(1 / own - 1 / self.fit.slowdowns_at(sync_us), is_even=self.few_rounds)

    def latency_for(self, overhead: float) -> Answer:
        """Return the longest mean sync, as callers wait, with at most this overhead, below 1."""
        with np.errstate(divide="ignore"):  # of a sync faster than any
            logs = np.log(self.fit.latencies_for(1 / (1 - overhead)))
        sync_us = interval(logs, is_even=self.few_rounds).mapped(math.exp)
        return Answer(self, overhead, sync_us)

    @property
    def few_rounds(self) -> bool:
        """Whether the draws' own ends are too few to be trusted one by one: docs/method.md."""
        return min(point.rounds for point in self.points) < _ROUNDS_FOR_TWO_ENDS

    def bytes_per_sync_at(self, sync_us: float) -> float | None:
        """Return the mean bytes written before a sync: groups grow with the time of a sync.

        Linear between the points, constant beyond the ends; None if the rows do not say.
        """
        times = [point.facts["sync_us"] for point in self.points]
        sizes = [point.facts["bytes_per_sync"] for point in self.points]
        return None if None in sizes else float(np.interp(sync_us, times, sizes))

    @property
    def fitted(self) -> tuple[Interval, ...]:
        """The overhead of each point after the fit."""
        return tuple(self.bound_at(point.facts["sync_us"]) for point in self.points)


@dataclass(frozen=True, eq=False)
class Answer:
    """The longest sync with at most `overhead`, a fraction: `sync_us`, with its interval.

    0 means faster than any measured sync, infinity slower.
    """

    curve: Curve
    overhead: float
    sync_us: Interval

    @property
    def device_us(self) -> float:
        """The part that the device itself may take; the rest is a wait for a core."""
        value = self.sync_us.value or 0.0
        return value if self.outside else self.curve.device_us(value)

    @property
    def resolved(self) -> bool:
        """Whether its interval leaves out some of the measured range."""
        low, high = self.sync_us.low, self.sync_us.high
        if low is None or high is None:
            return False
        return {self.curve.outside(low), self.curve.outside(high)} != {"below", "above"}

    @property
    def outside(self) -> str:
        """ "below" if even the fastest sync costs more, "above" if none does, else empty."""
        value = self.sync_us.value or 0.0
        return "" if 0 < value < math.inf else self.curve.outside(value)

    @property
    def text(self) -> str:
        """Text for a table: 38.0 [30.1, 44.2]; < 0.9 and > 5,000 outside the range."""
        doubt = "" if self.resolved else "not resolved: "
        return f"{doubt}{self._us(self.sync_us.value or 0.0)} {self._bounds}"

    @property
    def _bounds(self) -> str:
        low, high = self.sync_us.low, self.sync_us.high
        if low is None or high is None:
            return "(no interval)"
        return f"[{self._us(low)}, {self._us(high)}]"

    def _us(self, value: float) -> str:
        side = self.curve.outside(value)
        sign, end = ("<", 0) if side == "below" else (">", 1)
        return f"{sign} {words.number(self.curve.range_us[end])}" if side else words.number(value)

    @property
    def sentence(self) -> str:
        subject, value = self.curve.subject, self.sync_us.value or 0.0
        asked = f"for at most {100 * self.overhead:g} % overhead"
        if self.outside:
            return f"{asked} {self._of_an_end(subject)}"
        needed = f"{words.number(value)} us {self._bounds}"
        if self.device_us <= (1 - _SAID_FROM) * value:
            own = words.number(self.device_us)
            needed += f", of which the device may take {own}: cores are busy"
        if self.resolved:
            return f"{asked} {subject} needs a sync under {needed}"
        unknown = f"it is not known how fast a sync {subject} needs"
        return f"{asked} {unknown}: the fit says under {needed}"

    def _of_an_end(self, subject: str) -> str:
        """Say whether all measured syncs are fast enough, or none."""
        below = self.outside == "below"
        reaches_back = self.sync_us.low != self.sync_us.high  # its interval does, into the range
        known = "no sync is" if below else "every measured sync is"
        if reaches_back or not self.resolved:
            known = f"it is not known whether {'any sync' if below else 'every measured sync'} is"
        us = self.curve.range_us[not below]
        end = f"{words.number(us)} us, the {'fastest' if below else 'slowest'} measured"
        cost = words.cost(self.curve.bound_at(us))
        said = f"{known} fast enough for {subject}: the log costs {cost} with a sync of {end}"
        return f"{said}; within the error is {self._bounds} us" if reaches_back else said


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
    lacking = {result: _lacks(result) for result in grid}
    points = [result for result, lacks in lacking.items() if not lacks]
    if len(points) < 2:
        return None
    points.sort(key=lambda point: float(point.facts["sync_us"]))
    return Curve(
        baseline=estimates[0],
        points=tuple(points),
        beside={each.device: each for each in estimates if usable(each) and each not in grid},
        left_out=tuple(f"{result.device} {lacks}" for result, lacks in lacking.items() if lacks),
        fit=_fit(panel, points),
    )


def _lacks(result: CellResult) -> str:
    if result.failed:
        return f"has {words.FAILED}"
    if not result.costs_less_than_all:
        return "has no overhead"
    return "" if result.facts["sync_us"] else "made no sync"


def _fit(panel: Panel, points: list[CellResult]) -> Fit:
    slowdowns = [panel.draws(point.at.baseline, point.at) for point in points]
    syncs = [
        stats.draws(panel.values(point.at, _SYNC_NS), panel.values(point.at, _SYNCS), panel.by)
        for point in points
    ]
    return fit(
        np.array([point.facts["sync_us"] for point in points]),
        np.array([slowdown.value for slowdown in slowdowns]),
        np.column_stack([sync.logs for sync in syncs]),
        np.column_stack([slowdown.logs for slowdown in slowdowns]),
    )
