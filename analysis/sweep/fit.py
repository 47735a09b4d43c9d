"""A curve that never falls through points that scatter, and how far each draw would move it.

The fit is to the slowdown r = throughput(off) / throughput(device) over the mean time of a sync: if
the device is the limit, r is linear in that time. The fit is isotonic regression (Barlow,
Bartholomew, Bremner and Brunk, Statistical Inference under Order Restrictions, 1972) in the points,
and linear between them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..stats import Floats


@dataclass(frozen=True, eq=False)
class Fit:
    """`sync_us` rises, `slowdown` never falls; both have an entry per point.

    `drawn_*` are the same for each draw of the bootstrap, a line per draw, NaN for draws that
    missed a point.
    """

    sync_us: Floats
    slowdown: Floats
    drawn_sync_us: Floats
    drawn_slowdown: Floats

    def slowdown_at(self, sync_us: float) -> tuple[float, Floats]:
        """Return the slowdown of the fit and of each draw; constant beyond the last point."""
        value = _interpolate(self.sync_us[None], self.slowdown[None], sync_us)
        return float(value[0]), _interpolate(self.drawn_sync_us, self.drawn_slowdown, sync_us)

    def latency_for(self, slowdown: float) -> tuple[float, Floats]:
        """Return the longest sync, in us, with at most this slowdown, for the fit and each draw.

        Minus infinity if every point slows down more, infinity if none does.
        """
        value = _invert(self.sync_us[None], self.slowdown[None], slowdown)
        return float(value[0]), _invert(self.drawn_sync_us, self.drawn_slowdown, slowdown)


def fit(sync_us: Floats, slowdown: Floats, log_sync_us: Floats, log_slowdown: Floats) -> Fit:
    """Fit the points, and each draw, given the logarithms by which the draw moves them.

    A point's weight is the inverse of its variance over the draws; if all draws are NaN, as with a
    single round, points of equal relative error are assumed.
    """
    weights = _weights(slowdown, log_slowdown)
    drawn_x, drawn_r = sync_us * np.exp(log_sync_us), slowdown * np.exp(log_slowdown)
    x, r = _monotone(sync_us[None], slowdown[None], weights)
    return Fit(x[0], r[0], *_monotone(drawn_x, drawn_r, weights))


def isotonic(values: Floats, weights: Floats) -> Floats:
    """Return the closest values, in weighted squares, that never fall along the last axis.

    A line with a NaN is all NaN.
    """
    from scipy.optimize import isotonic_regression  # takes a fifth of a second to import

    lines = np.full_like(values, np.nan)
    for place in np.flatnonzero(np.isfinite(values).all(axis=-1)):
        lines[place] = isotonic_regression(values[place], weights=weights[place]).x
    return lines


def _weights(slowdown: Floats, logs: Floats) -> Floats:
    drawn = logs[np.isfinite(logs).all(axis=1)]
    relative = drawn.var(axis=0) if len(drawn) else np.ones(slowdown.size)
    # No point may outweigh all others because it happened to agree with itself.
    relative = np.maximum(relative, 1e-3 * relative.max()) if relative.max() > 0 else 1.0
    weights: Floats = 1 / (relative * slowdown**2)
    return weights


def _monotone(sync_us: Floats, slowdown: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Fit each line in the order of its own syncs, since a draw may swap neighbours."""
    order = np.argsort(sync_us, axis=1)
    by_line = np.broadcast_to(weights, slowdown.shape)
    x, r, w = (np.take_along_axis(a, order, axis=1) for a in (sync_us, slowdown, by_line))
    return x, isotonic(r, w)


def _interpolate(x: Floats, y: Floats, at: float) -> Floats:
    """Interpolate each line of `y` over its line of `x` at one place; constant beyond the ends."""
    return np.array([np.interp(at, *line) for line in zip(x, y, strict=True)])


def _invert(x: Floats, y: Floats, limit: float) -> Floats:
    """Return the last place on each line that does not exceed the limit."""
    inside = [np.interp(limit, r, us, left=-np.inf) for us, r in zip(x, y, strict=True)]
    places = np.where(y[:, -1] <= limit, np.inf, inside)
    return np.where(np.isnan(x + y).any(axis=1), np.nan, places)
