"""How much one measure grows with another, over measurements that neighbours may have disturbed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_LEVEL = 0.95


@dataclass(frozen=True)
class Trend:
    """`slope` per unit, with its 95 % interval, and what is left at none of it, `at_zero`.

    Theil and Sen's: the median of the slopes between all pairs, which a few that were disturbed
    cannot move far.
    """

    slope: float
    low: float
    high: float
    at_zero: float


def trend(of: Sequence[float], measured: Sequence[float]) -> Trend | None:
    """None where all are of the same."""
    if len(set(of)) < 2:
        return None
    from scipy.stats import theilslopes

    found = theilslopes(measured, of, _LEVEL)
    return Trend(
        float(found.slope), float(found.low_slope), float(found.high_slope), float(found.intercept)
    )
