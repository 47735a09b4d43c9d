"""Intervals that ended a campaign: they were picked for being narrow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .. import stats
from ..stats import Interval
from .result import CellResult

_MOST = 2.0**20


def times(overheads: Sequence[Interval], asked: float) -> float:
    """How much longer all intervals must be for the widest to have the half-width asked for.

    An interval gets longer about the logarithm of its ratio, so the answer has to be searched for.
    """
    from scipy.optimize import brentq  # takes a fifth of a second to import

    def beyond(times: float) -> float:
        longer = (stats.longer(one, times).half_width for one in overheads)
        return max((width for width in longer if width is not None), default=asked) - asked

    if beyond(1.0) >= 0:
        return 1.0
    most = 2.0
    while beyond(most) < 0:
        most *= 2
        if most > _MOST:
            return 1.0  # they have no length, whose multiple is none
    return float(brentq(beyond, 1.0, most))


def no_narrower(results: Sequence[CellResult], asked: float) -> list[CellResult]:
    """The results of one workload, their intervals stretched alike up to the half-width asked for.

    Of narrow intervals, those that chance has made so are the share that a look picks: what is
    promised then is the target, and no less. docs/method.md, "When a campaign stops", has what that
    is worth.
    """
    by = times([one.interval for one in results if not one.is_baseline], asked)
    return [_longer(one, by) for one in results]


def _longer(one: CellResult, by: float) -> CellResult:
    if one.is_baseline or by == 1.0:
        return one
    alone = stats.longer(one.interval, by)
    together = Interval(one.overhead, one.low_simultaneous, one.high_simultaneous)
    together = stats.longer(together, by)
    return replace(
        one,
        low=alone.low,
        high=alone.high,
        low_simultaneous=together.low,
        high_simultaneous=together.high,
    )
