"""How much one measure grows with another, in measurements that neighbours may have disturbed."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from .stats import Interval

_DRAWS = 2000
_TAIL = 0.025


class Point(NamedTuple):
    """One occasion: the `step` that was intended, its actual place, and the measurement."""

    step: int
    of: float
    measured: float


class Trend(NamedTuple):
    """`slope` per unit, with its 95 % interval, and the value at zero, `at_zero`.

    This is the Theil-Sen estimator: the median of the slopes between points of different steps,
    which a few disturbed points cannot move far. The interval is a bootstrap over the points; there
    is none if a step has one point, since its scatter is unknown.
    """

    slope: Interval
    at_zero: float


def trend(points: Sequence[Point]) -> Trend | None:
    """Fit a trend; None if all points are of one step."""
    slope = _slope(points)
    if slope is None:
        return None
    at_zero = statistics.median(point.measured - slope * point.of for point in points)
    return Trend(Interval(slope, *_bounds(points)), at_zero)


def _slope(points: Sequence[Point]) -> float | None:
    slopes = [
        (b.measured - a.measured) / (b.of - a.of)
        for a, b in combinations(points, 2)
        if a.step != b.step and a.of != b.of
    ]
    return statistics.median(slopes) if slopes else None


def _bounds(points: Sequence[Point]) -> tuple[float | None, float | None]:
    steps = [point.step for point in points]
    if min(map(steps.count, steps)) < 2:
        return None, None
    import numpy as np

    rng = np.random.default_rng(0)
    draws = rng.integers(len(points), size=(_DRAWS, len(points)))
    slopes = (_slope([points[at] for at in draw]) for draw in draws)
    low, high = np.quantile([slope for slope in slopes if slope is not None], [_TAIL, 1 - _TAIL])
    return float(low), float(high)
