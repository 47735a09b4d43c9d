"""Ratios of throughputs with intervals: a hierarchical bootstrap, stretched by Student's t.

A *slot* is one (session, round); every cell has at most one slice in it. Hosts are drawn with
replacement, sessions within each drawn host, then rounds within each drawn session (Davison and
Hinkley, Bootstrap Methods and their Application, 1997, section 3.8), the same draw for all cells.
They give the interval its shape. Its length is that of the longest of Student's t intervals over
the rounds, over the sessions, and over the hosts and the occasions where there are several;
docs/method.md, "Intervals", has the derivation, and docs/results.md the coverage.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, stdtrit  # scipy.stats.t takes a second to import

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

CONFIDENCE = 0.95
RESAMPLES = 4000
_JOINT_DRAWS = 10_000
SEED = 1
ENDS = (0.5 - CONFIDENCE / 2, 0.5 + CONFIDENCE / 2)
"""The quantiles of draws that an interval reaches from and to."""
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Interval:
    """An estimate with its bounds; None where there is nothing to estimate them from."""

    value: float | None
    low: float | None
    high: float | None

    @property
    def is_known(self) -> bool:
        """Whether both bounds are known."""
        return self.low is not None and self.high is not None

    def side(self, of: float) -> int | None:
        """Return 1 if all of it lies above this value, -1 if below, and 0 if neither or unknown."""
        if self.low is None or self.high is None:
            return None
        return 1 if self.low > of else -1 if self.high < of else 0

    def mapped(self, rising: Callable[[float], float]) -> Interval:
        """Return the interval of a quantity that rises with this one."""
        ends = self.value, self.low, self.high
        return Interval(*(None if end is None else rising(end) for end in ends))

    def scaled(self, factor: float) -> Interval:
        """Return the interval multiplied by a factor."""
        return self.mapped(lambda end: factor * end)

    @property
    def half_width(self) -> float | None:
        """How far it reaches to either side, the mean of both."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2

    def minus(self, other: Interval) -> Interval:
        """Return the difference from an independent estimate (Zou and Donner, 2008)."""
        if self.value is None or other.value is None:
            return NOTHING
        value, ends = self.value - other.value, (self.low, self.high, other.low, other.high)
        low, high, other_low, other_high = ends
        if low is None or high is None or other_low is None or other_high is None:
            return Interval(value, None, None)
        return Interval(
            value,
            value - math.hypot(self.value - low, other_high - other.value),
            value + math.hypot(high - self.value, other.value - other_low),
        )

    def complement(self) -> Interval:
        """Return the interval of one minus this."""
        of = self.mapped(lambda end: 1 - end)
        return Interval(of.value, of.high, of.low)


NOTHING = Interval(None, None, None)
"""An interval without anything to estimate."""


@dataclass(frozen=True)
class Resampling:
    """Draws of a bootstrap.

    `session[slot]` numbers each slot's session from 0, `occasion[slot]` its occasion, and
    `host[slot]` its host; `weights[draw, slot]` counts how often a draw took the slot.
    """

    session: Ints
    occasion: Ints
    host: Ints
    weights: Floats


@dataclass(frozen=True)
class Drawn:
    """A ratio of means, and for each draw its log minus that of the ratio, stretched.

    Draws of one `Resampling` belong together, whatever their cells, so that figures computed from
    several cells draw by draw keep their dependence. Draws are NaN if they missed every matched
    slot, and all are NaN if there are no bounds. `freedom` is the degrees of freedom of the
    Student's t that decided how far they are stretched.
    """

    value: float | None
    logs: Floats
    freedom: float = math.inf

    def ends(self) -> tuple[float, float] | None:
        """Return the percentiles of the draws; None if there are none."""
        known = self.logs[np.isfinite(self.logs)]
        if not known.size:
            return None
        low, high = np.quantile(known, ENDS)
        return float(low), float(high)

    def interval(self, confidence: float = CONFIDENCE) -> Interval:
        """Return the interval; for another confidence it is longer as Student's t is."""
        return self._reach(confidence, lambda value, end: value * math.exp(end))

    def difference(self, confidence: float = CONFIDENCE) -> Interval:
        """Return the interval of a difference, whose draws are deviations rather than logs."""
        return self._reach(confidence, lambda value, end: value + end)

    def _reach(self, confidence: float, to: Callable[[float, float], float]) -> Interval:
        ends = self.ends()
        if self.value is None or ends is None:
            return Interval(self.value, None, None)
        longer = quantile(self.freedom, confidence) / quantile(self.freedom)
        low, high = (to(self.value, longer * end) for end in ends)
        return Interval(self.value, low, high)

    def times(self, other: Drawn) -> Drawn:
        """Multiply by another ratio with draws of the same resampling; or return nothing."""
        if self.value is None or not other.value:
            return Drawn(None, np.full_like(self.logs, np.nan))
        return Drawn(self.value * other.value, self.logs + other.logs)


def quantile(freedom: float, confidence: float = CONFIDENCE) -> float:
    """Return how many standard errors an interval of Student's t reaches to either side."""
    return float(stdtrit(freedom, 0.5 + confidence / 2))


def resample(
    session: Ints,
    occasion: Ints | None = None,
    host: Ints | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Resampling:
    """Draw hosts, sessions within them, then rounds within these.

    `session`, `occasion` and `host` have one entry per slot, numbers from 0 without a gap; without
    the latter two there is one. REQUIRES: a session is of one host.
    """
    rng, none = np.random.default_rng(seed), np.zeros_like(session)
    host = none if host is None else host
    of_session = np.zeros(int(session.max()) + 1, dtype=np.int64)
    of_session[session] = host
    once = np.ones((resamples, 1), dtype=np.int64)
    hosts = _drawn(once, np.zeros(int(host.max()) + 1, dtype=np.int64), rng)
    weights = _drawn(_drawn(hosts, of_session, rng), session, rng).astype(np.float64)
    return Resampling(session, none if occasion is None else occasion, host, weights)


def _drawn(times: Ints, parent: Ints, rng: np.random.Generator) -> Ints:
    """Return how often each unit is drawn within its parent, which was drawn `times`."""
    drawn = np.zeros((len(times), parent.size), dtype=np.int64)
    for number, of_parent in enumerate(times.T):
        units = np.flatnonzero(parent == number)
        share = np.full(units.size, 1 / units.size)
        drawn[:, units] = rng.multinomial(of_parent * units.size, share)
    return drawn


def draws(numerator: Floats, denominator: Floats, by: Resampling) -> Drawn:
    """Return mean(numerator) / mean(denominator) over the slots in which both are finite.

    For several hosts it is the mean of their ratios: a faster host, or one with more rounds, does
    not count for more. It is unknown without such a slot, or if the denominators are zero. The
    draws are of the logarithm, so that bounds never leave (0, inf); with one slot, or numerators of
    zero, there are none.
    """
    matched: Bools = np.isfinite(numerator) & np.isfinite(denominator)
    drawn, influence = _ratio(numerator, denominator, by, matched)
    return _as_long_as_t(drawn, influence, by, matched)


def _ratio(top: Floats, bottom: Floats, by: Resampling, slots: Bools) -> tuple[Drawn, Floats]:
    """Return the ratio of means over these slots, unstretched, and the influence of each slot."""
    logs = np.full(by.weights.shape[0], np.nan)
    if not bottom[slots].any():
        return Drawn(None, logs), np.empty(0)
    top, bottom = evened(top[slots], bottom[slots], by.host[slots])
    value = float(top.sum() / bottom.sum())
    if top.size == 1 or value == 0:
        return Drawn(value, logs), np.zeros(top.size)
    weights = by.weights if slots.all() else by.weights[:, slots]
    tops, bottoms = (weights @ np.column_stack([top, bottom])).T
    drawn = (tops > 0) & (bottoms > 0)  # a draw may miss every slot
    logs[drawn] = np.log(tops[drawn] / bottoms[drawn]) - math.log(value)
    return Drawn(value, logs), top / top.sum() - bottom / bottom.sum()


def difference_of_ratios(
    first: tuple[Floats, Floats], second: tuple[Floats, Floats], by: Resampling
) -> Interval:
    """Return the first ratio of means minus the second, over slots in which all four are finite.

    Its draws are stretched like a ratio's, by how far units differ in the difference itself.
    """
    whole: Bools = np.isfinite(np.array([*first, *second])).all(axis=0)
    (a, of_a), (b, of_b) = (_ratio(*ratio, by, whole) for ratio in (first, second))
    if a.value is None or b.value is None:
        return NOTHING
    apart = a.value * np.exp(a.logs) - b.value * np.exp(b.logs) - (a.value - b.value)
    drawn, influence = Drawn(a.value - b.value, apart), a.value * of_a - b.value * of_b
    return _as_long_as_t(drawn, influence, by, whole).difference()


def longer(overhead: Interval, times: float) -> Interval:
    """Stretch the interval of an overhead by a factor, on the logarithm of its ratio."""
    value, low, high = overhead.value, overhead.low, overhead.high
    if value is None or low is None or high is None or value >= 1:
        return overhead
    ratio = 1 - value
    low, high = (1 - ratio * ((1 - end) / ratio) ** times for end in (low, high))
    return Interval(value, low, high)


def mean(values: Floats, by: Resampling) -> Interval:
    """Return the mean of the finite values, with the same interval."""
    return draws(values, np.ones_like(values), by).interval()


def evened(top: Floats, bottom: Floats, host: Ints) -> tuple[Floats, Floats]:
    """Scale every host's denominators to a sum of 1; leave those of a single host.

    The ratio of sums is then the mean of the hosts' ratios. A host of zeros has none.
    """
    if not host.size or (host == host[0]).all():
        return top, bottom
    sums = np.bincount(host, weights=bottom)[host]
    scale = np.divide(1, sums, out=np.zeros_like(sums), where=sums > 0)
    return top * scale, bottom * scale


def _as_long_as_t(drawn: Drawn, influence: Floats, by: Resampling, slots: Bools) -> Drawn:
    """Stretch draws to the longest of Student's t over rounds, sessions, hosts and occasions.

    `influence[slot]` is what the slot adds to the logarithm of the ratio. Equal ratios in every
    slot leave them unchanged.
    """
    ends = drawn.ends()
    if ends is None:
        return drawn
    above = (unit[slots] for unit in (by.session, by.host, by.occasion))
    errors = [_between(influence, unit) for unit in (np.arange(influence.size), *above)]
    reach, freedom = max((quantile(df) * error, df) for error, df in errors if df)
    if reach < _ROUNDING or ends[1] - ends[0] < _ROUNDING:
        return drawn
    return Drawn(drawn.value, drawn.logs * (2 * reach / (ends[1] - ends[0])), freedom)


def _between(influence: Floats, unit: Ints) -> tuple[float, int]:
    """Return the standard error from the spread of units (rounds, sessions, hosts), and its
    freedom.

    A unit's log-ratio, minus that of all, is the sum of its slots' influences times the number of
    units: the error is that of these numbers' mean.
    """
    _, unit = np.unique(unit, return_inverse=True)
    sums = np.bincount(unit, weights=influence)
    freedom = sums.size - 1
    return (math.sqrt(sums.size / freedom * float(sums @ sums)) if freedom else 0.0), freedom


def at_once(drawn: Sequence[Drawn]) -> float:
    """Return the confidence that makes all intervals hold at once as often as one alone does.

    Each is stretched by the ratio of the largest of all deviations to a single one (max-T), for
    normal deviations that are correlated like the draws, because a handful of sessions give too few
    different draws for the tails; then each by its own Student's t.
    """
    logs = [ratio.logs for ratio in drawn if ratio.ends() is not None]
    whole = np.isfinite(np.array(logs)).all(axis=0)
    spread = [log[whole] for log in logs if log[whole].std() > 0]
    if len(spread) < 2:
        return CONFIDENCE
    lengths, axes = np.linalg.eigh(np.corrcoef(spread))
    correlated = _normal(len(spread)) @ (axes * np.sqrt(np.maximum(lengths, 0))).T
    return float(2 * ndtr(np.quantile(np.abs(correlated).max(axis=1), CONFIDENCE)) - 1)


@cache
def _normal(count: int) -> Floats:
    return np.random.default_rng(SEED).standard_normal((_JOINT_DRAWS, count))
