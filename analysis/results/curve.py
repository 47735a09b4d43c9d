"""Overhead against the latency of a sync, from a sweep over a grid of emulated devices.

    for curve in curves(rows): print(curve.overhead_at(40.0), curve.latency_for(0.05).sentence)

The fit is to the slowdown r = throughput(off) / throughput(device) over the mean time of a sync: if
the device is the limit, r is linear in that time. It is isotonic regression (Barlow, Bartholomew,
Bremner and Brunk, Statistical Inference under Order Restrictions, 1972) in the points, and linear
between them. Every number has the interval of the campaign's bootstrap: the whole fit is repeated
on each draw of sessions and rounds, one draw for all points. A curve ends where its points end.
Any device that is not of the grid tests it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import methodcaller
from typing import Any

import numpy as np

from ...device_names import is_point
from ...engines import PROGRAM
from ...row import Row
from .. import stats
from ..stats import ENDS, NOTHING, Floats, Interval
from . import words
from .estimates import of_panel
from .facts import but_for_numbers
from .panel import Panel, panels
from .result import CellResult

_SYNC_NS, _SYNCS = methodcaller("get", "tap_sync_ns"), methodcaller("get", "tap_syncs")
# Fewer rounds give few different draws (three give ten), and for a fit that never falls all of them
# may lie on one side of the estimate.
_ROUNDS_FOR_TWO_ENDS = 6
_SAID_FROM = 0.1  # share of the latency in which callers wait for a core
_SAYS_LITTLE = 0.05  # half-width of a difference
_STRAIGHT = 0.01  # what lines between the points of a bent curve add: docs/method.md
_AGREE, _DISAGREE, _TOO_WIDE = "agree", "DISAGREE", "too wide an interval to tell"
_CLOSE = "differ, but by less than a straight line between two points may be off"


@dataclass(frozen=True, eq=False)
class Fit:
    """The fit in the first line, then that of each draw of the bootstrap; a column per point.

    Along a line `sync_us` rises and `slowdown` never falls; that of a draw that missed a point is
    all NaN.
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
        lines = zip(self.slowdown, self.sync_us, strict=True)
        inside = np.array([np.interp(slowdown, *line, left=0.0) for line in lines])
        inside[self.slowdown[:, -1] <= slowdown] = np.inf
        return np.where(np.isnan(self.slowdown[:, -1]), np.nan, inside)


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
    return Fit(x, isotonic(np.where(np.isnan(x), np.nan, r), weights))


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
    value, known = float(lines[0]), lines[1:][~np.isnan(lines[1:])]
    if not known.size:
        return Interval(value, None, None)
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

    @property
    def warnings(self) -> list[str]:
        """The warnings of its cells, once if they differ in numbers only."""
        cells = dict.fromkeys([self.baseline, *self.points])
        warned = ((result.device, text) for result in cells for text in result.warnings)
        return words.once(warned, key=but_for_numbers)

    @property
    def few_rounds(self) -> bool:
        """Whether the draws' own ends are too few to be trusted one by one: docs/method.md."""
        return min(point.rounds for point in self.points) < _ROUNDS_FOR_TWO_ENDS

    def outside(self, sync_us: float) -> str:
        """Return the side of the measured range, "below" or "above"; empty inside."""
        low, high = self.range_us
        return "below" if sync_us < low else "above" if sync_us > high else ""

    @cached_property
    def _waits(self) -> tuple[Floats, Floats]:
        """The points' times by their models, rising, and how long callers waited for each."""
        facts = [point.facts for point in self.points]
        pairs = sorted(
            (each["model_sync_us"] or each["sync_us"], each["sync_us"]) for each in facts
        )
        own, waited = np.array(pairs).T
        return own, waited

    def waited_us(self, device_us: float) -> float:
        """Return how long a caller waits here for a device with this mean sync.

        This is longer if it also has to wait for a core: by as much as on the grid's devices,
        interpolated linearly, and constant beyond the ends. The curve is over this time.
        """
        own, waited = self._waits
        return device_us + float(np.interp(device_us, own, waited - own))

    def device_us(self, waited_us: float) -> float:
        """Return the mean sync of the device for which a caller waits this long."""
        own, waited = self._waits
        (rising,) = isotonic(waited[None], np.ones((1, own.size)))
        return waited_us - float(np.interp(waited_us, rising, waited - own))

    def overhead_at(self, sync_us: float) -> Interval:
        """Return the overhead if callers wait this long for a sync.

        Outside the range return that at its end: a lower bound above it, an upper bound below it.
        """
        logs = np.log(self.fit.slowdowns_at(sync_us))
        return interval(logs, is_even=self.few_rounds).mapped(lambda log: 1 - math.exp(-log))

    def latency_for(self, overhead: float) -> Answer:
        """Return the longest mean sync, as callers wait, with at most this overhead, below 1."""
        with np.errstate(divide="ignore"):  # of a sync faster than any
            logs = np.log(self.fit.latencies_for(1 / (1 - overhead)))
        sync_us = interval(logs, is_even=self.few_rounds).mapped(math.exp)
        return Answer(self, overhead, sync_us)

    def bytes_per_sync_at(self, sync_us: float) -> float | None:
        """Return the mean bytes written before a sync: groups grow with the time of a sync.

        Linear between the points, constant beyond the ends; None if the rows do not say.
        """
        times = [point.facts["sync_us"] for point in self.points]
        sizes = [point.facts["bytes_per_sync"] for point in self.points]
        return None if None in sizes else float(np.interp(sync_us, times, sizes))

    def predict(self, device: str, sync_us: float) -> Prediction:
        """Read a device off the curve, by its mean sync for the bytes that it would see."""
        return self._read(device, sync_us, self.waited_us(sync_us))

    def predictions(self, devices: Mapping[str, float]) -> list[Prediction]:
        """Read these devices off the curve, by their mean syncs, and all that were measured beside
        the grid.

        The grid's devices, through which the curve passes already, are left out. No model says how
        long the syncs of a directory take: its place is what its own callers waited on average.
        """
        modelled = [self.predict(name, us) for name, us in devices.items() if not is_point(name)]
        return modelled + [
            self._read(name, None, result.facts["sync_us"])
            for name, result in self.beside.items()
            if name not in devices and _has_a_place(result)
        ]

    def _read(self, device: str, sync_us: float | None, waited_us: float) -> Prediction:
        own, outside = self.beside.get(device), self.outside(waited_us)
        measured, difference = None, None
        if own and own.costs_less_than_all:
            measured = own.interval
            if not outside:  # paired draw by draw
                drawn = own.panel.draws(own.at.baseline, own.at)
                slowdown = (drawn.value or 1.0) * np.exp(np.concatenate([[0.0], drawn.logs]))
                apart = 1 / slowdown - 1 / self.fit.slowdowns_at(waited_us)
                difference = interval(apart, is_even=self.few_rounds)
        known = own.facts["sync_us"] if own else None
        bound = self.overhead_at(waited_us)
        return Prediction(device, sync_us, waited_us, outside, bound, measured, known, difference)


@dataclass(frozen=True, eq=False)
class Answer:
    """The longest sync with at most `overhead`, a fraction: `sync_us`, with its interval.

    0 means faster than any measured sync, infinity slower.
    """

    curve: Curve
    overhead: float
    sync_us: Interval

    @property
    def _value(self) -> float:
        return self.sync_us.value or 0.0

    @property
    def device_us(self) -> float:
        """The part that the device itself may take; the rest is a wait for a core."""
        return self._value if self.outside else self.curve.device_us(self._value)

    @property
    def resolved(self) -> bool:
        """Whether its interval leaves out some of the measured range."""
        low, high = self.sync_us.low, self.sync_us.high
        if low is None or high is None:
            return False
        return (self.curve.outside(low), self.curve.outside(high)) != ("below", "above")

    @property
    def outside(self) -> str:
        """ "below" if even the fastest sync costs more, "above" if none does, else empty."""
        return self.curve.outside(self._value)

    @property
    def text(self) -> str:
        """Text for a table: 38.0 [30.1, 44.2]; < 0.9 and > 5,000 outside the range."""
        doubt = "" if self.resolved else "not resolved: "
        return f"{doubt}{self._us(self._value)} {self._bounds}"

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
        """Say how fast a sync must be, or why that is not known."""
        asked, subject = f"for at most {100 * self.overhead:g} % overhead", self.curve.subject
        if self.outside:
            return f"{asked} {self._of_an_end(subject)}"
        needed = f"{words.number(self._value)} us {self._bounds}"
        if self.device_us <= (1 - _SAID_FROM) * self._value:
            own = words.number(self.device_us)
            needed += f", of which the device may take {own}: cores are busy"
        if self.resolved:
            return f"{asked} {subject} needs a sync under {needed}"
        unknown = f"it is not known how fast a sync {subject} needs"
        return f"{asked} {unknown}: the fit says under {needed}"

    def _of_an_end(self, subject: str) -> str:
        """Say whether all measured syncs are fast enough, or none."""
        below = self.outside == "below"
        known, every, end = ("no", "any", "fastest") if below else ("every", "every", "slowest")
        if not self.resolved or self.sync_us.low != self.sync_us.high:  # it reaches into the range
            known = f"it is not known whether {every}"
        us = self.curve.range_us[not below]
        cost = words.cost(self.curve.overhead_at(us))
        costs = f"the log costs {cost} with the {end}, of {words.number(us)} us"
        return f"{known} measured sync is fast enough for {subject}: {costs}"


@dataclass(frozen=True)
class Prediction:
    """What the curve says about one device, and what the device said in the same campaign."""

    device: str
    sync_us: float | None  # the device's own; None for a directory, which has no model
    waited_us: float  # what its callers wait, or did: its place on the curve
    outside: str  # the side of the curve's range, "below" or "above"; empty inside
    bound: Interval  # the overhead there, or outside the range that at its nearest end
    measured: Interval | None  # the overhead of its own cell
    measured_sync_us: float | None  # what its own cell's syncs achieved
    difference: Interval | None  # predicted less measured; None unless both are known

    @property
    def predicted(self) -> Interval:
        return NOTHING if self.outside else self.bound

    @property
    def _verdict(self) -> str:
        """Whether both agree; an interval that covers everything also covers zero."""
        apart = self.difference or NOTHING
        if apart.half_width is None:
            return "no interval"
        if apart.side(0) == 0:
            return _TOO_WIDE if apart.half_width > _SAYS_LITTLE else _AGREE
        return _CLOSE if abs(apart.value or 0.0) <= _STRAIGHT else _DISAGREE

    @property
    def agrees(self) -> bool | None:
        """Whether the difference's interval covers zero; None if unknown."""
        return {_AGREE: True, _CLOSE: False, _DISAGREE: False}.get(self._verdict)

    @property
    def too_wide(self) -> bool:
        """Whether it covers zero, but is no more precise than five points either way."""
        return self._verdict == _TOO_WIDE

    @property
    def sentence(self) -> str:
        """Say what was predicted, what was measured, and whether they agree."""
        predicted = f"predicted {words.cost(self.predicted)}"
        if self.outside:
            below = self.outside == "below"
            side, bound = ("faster", "at most") if below else ("slower", "at least")
            predicted = f"outside the curve, {side} than any wait measured: {bound} "
            predicted += words.cost(self.bound)
        of, us = ("waits of", self.waited_us) if self.sync_us is None else ("sync", self.sync_us)
        said = f"{self.device}, {of} {words.number(us)} us: {predicted}"
        if self.measured is None:
            return f"{said}; not measured itself"
        said += f"; measured {words.cost(self.measured)}"
        if self.difference is None:
            return said
        points = words.percent(self.difference.value)
        apart = f"{points} points {words.bounds(self.difference.low, self.difference.high)} apart"
        return f"{said}; {apart}: {self._verdict}"


def curves(rows: Sequence[Row], *, without: str = "") -> list[Curve]:
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


def _has_a_place(result: CellResult) -> bool:
    return result.costs_less_than_all and bool(result.facts["sync_us"])


def _is_of_grid(result: CellResult) -> bool:
    if result.engine == PROGRAM:
        return result.is_baseline or (usable(result) and result.emulated)
    return usable(result) and is_point(result.device)


def _curve(panel: Panel, without: str) -> Curve | None:
    estimates = of_panel(panel)
    grid = [each for each in estimates if _is_of_grid(each) and each.device != without]
    known = [each for each in grid if _has_a_place(each)]
    if len(known) < 2:
        return None
    points = sorted(known, key=lambda point: float(point.facts["sync_us"]))
    slowdowns = [panel.draws(point.at.baseline, point.at) for point in points]
    syncs = [
        stats.draws(panel.values(point.at, _SYNC_NS), panel.values(point.at, _SYNCS), panel.by)
        for point in points
    ]
    return Curve(
        baseline=estimates[0],
        points=tuple(points),
        beside={each.device: each for each in estimates if usable(each) and each not in grid},
        fit=fit(
            np.array([point.facts["sync_us"] for point in points]),
            np.array([slowdown.value for slowdown in slowdowns]),
            np.column_stack([sync.logs for sync in syncs]),
            np.column_stack([slowdown.logs for slowdown in slowdowns]),
        ),
    )
