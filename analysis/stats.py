"""Ratios of throughputs with intervals: a hierarchical bootstrap, stretched by Student's t.

A *slot* is one (session, round); every cell has at most one slice in it. Sessions are drawn
with replacement, then rounds within each drawn session (Davison and Hinkley, Bootstrap
Methods and their Application, 1997, section 3.8), the same draw for all cells. Few sessions
make the plain percentiles too narrow, so they are stretched about the estimate to the length
that Student's t asks for; docs/method.md, "Intervals", has the derivation and the coverage.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit  # scipy.stats.t takes a second to import

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

CONFIDENCE = 0.95
RESAMPLES = 4000
SEED = 1
_UPPER = 0.5 + CONFIDENCE / 2
_NORMAL_QUANTILE = 1.959964  # of _UPPER


@dataclass(frozen=True)
class Interval:
    """An estimate; None where there is nothing to estimate it, or its bounds, from."""

    value: float | None
    low: float | None
    high: float | None

    def complement(self) -> Interval:
        """The interval of one minus this."""
        low, value, high = (
            None if end is None else 1 - end for end in (self.high, self.value, self.low)
        )
        return Interval(value, low, high)


@dataclass(frozen=True)
class Resampling:
    """`session[slot]` numbers each slot's session from 0; `weights[draw, slot]` counts how
    often a draw of the bootstrap took the slot."""

    session: Ints
    weights: Floats


def resample(session: Ints, resamples: int = RESAMPLES, seed: int = SEED) -> Resampling:
    """Draw sessions, then rounds within them. `session` has one entry per slot."""
    rng = np.random.default_rng(seed)
    count = int(session.max()) + 1
    drawn = rng.multinomial(count, np.full(count, 1 / count), size=resamples)
    weights = np.zeros((resamples, session.size))
    for number in range(count):
        slots = np.flatnonzero(session == number)
        even = np.full(slots.size, 1 / slots.size)
        weights[:, slots] = rng.multinomial(drawn[:, number] * slots.size, even)
    return Resampling(session, weights)


def ratio_of_means(numerator: Floats, denominator: Floats, by: Resampling) -> Interval:
    """mean(numerator) / mean(denominator) over the slots in which both are finite.

    Nothing without such a slot, or with a denominator of zeros. The bounds are computed for
    the logarithm, so that they never leave (0, inf); with one slot, or a numerator of zeros,
    there are none.
    """
    value, logs = log_ratio_draws(numerator, denominator, by)
    drawn = logs[np.isfinite(logs)]
    if value is None or not drawn.size:
        return Interval(value, None, None)
    low, high = np.quantile(drawn, (1 - _UPPER, _UPPER))
    return Interval(value, value * math.exp(low), value * math.exp(high))


def log_ratio_draws(
    numerator: Floats, denominator: Floats, by: Resampling
) -> tuple[float | None, Floats]:
    """The ratio of means, and of each draw its logarithm less that of the ratio, stretched.

    Draws of one `by` belong together, whatever cells they are of, so that what is computed of
    several cells draw by draw keeps their dependence. NaN where a draw missed every matched slot,
    and everywhere where `ratio_of_means` has no bounds.
    """
    nothing = np.full(by.weights.shape[0], np.nan)
    matched = np.isfinite(numerator) & np.isfinite(denominator)
    top, bottom = numerator[matched], denominator[matched]
    if not bottom.any():
        return None, nothing
    value = float(top.sum() / bottom.sum())
    if top.size == 1 or value == 0:
        return value, nothing
    weights = by.weights[:, matched]
    tops, bottoms = weights @ top, weights @ bottom
    drawn = (tops > 0) & (bottoms > 0)  # a draw may miss every matched slot
    influence = top / top.sum() - bottom / bottom.sum()
    nothing[drawn] = np.log(tops[drawn] / bottoms[drawn]) - math.log(value)
    return value, nothing * _stretch(influence, by.session[matched])


def percentiles(drawn: Floats) -> tuple[float, float]:
    """The bounds of the interval of what was computed of every draw; infinities are allowed.

    `drawn` holds a draw at least; a draw that is NaN counts for nothing.
    """
    known = drawn[~np.isnan(drawn)]
    ends = (1 - _UPPER, _UPPER)
    if np.isfinite(known).all():
        low, high = np.quantile(known, ends)
    else:  # there is nothing between a number and an infinity
        low, high = np.quantile(known, ends, method="closest_observation")
    return float(low), float(high)


def mean(values: Floats, by: Resampling) -> Interval:
    """The mean of the finite values, with the same interval."""
    return ratio_of_means(values, np.ones_like(values), by)


def _stretch(influence: Floats, session: Ints) -> float:
    """How much longer than the bootstrap's percentiles the interval must be.

    `influence[slot]` is what the slot adds to the logarithm of the ratio. `between` and
    `within` estimate the two parts of its variance; the bootstrap reproduces both, each
    a little small, and the degrees of freedom of their sum are Satterthwaite's.
    """
    _, session = np.unique(session, return_inverse=True)
    slots, sizes = influence.size, np.bincount(session)
    sessions = sizes.size
    sums = np.bincount(session, weights=influence)
    residuals = influence - (sums / sizes)[session]
    between = sessions / max(sessions - 1, 1) * float(sums @ sums) if sessions > 1 else 0.0
    within = slots / (slots - sessions) * float(residuals @ residuals) if slots > sessions else 0.0
    total = between + within
    if total < 1e-24:  # rounding: equal ratios in every slot
        return 1.0
    freedom = total**2 / (between**2 / max(sessions - 1, 1) + within**2 / max(slots - sessions, 1))
    bootstrapped = between * (sessions - 1) / sessions + within * (slots - sessions) / slots
    return float(stdtrit(freedom, _UPPER)) / _NORMAL_QUANTILE * math.sqrt(total / bootstrapped)
