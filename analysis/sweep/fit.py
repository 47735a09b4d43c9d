"""A curve that never falls through points that scatter, and how far each draw would move it.

The fit is to the slowdown r = throughput(off) / throughput(device) over the mean time of a sync: if
the device is the limit, r is linear in that time. The fit is isotonic regression (Barlow,
Bartholomew, Bremner and Brunk, Statistical Inference under Order Restrictions, 1972) in the points,
and linear between them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..stats import ENDS, Floats, Interval


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
