"""Intervals that ended a campaign: they were picked for being narrow."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from scipy.special import chdtri

from .. import stats
from ..stats import Interval
from .result import CellResult

_SURE = 0.95  # that chance has not made a standard error smaller yet


def times(overheads: Sequence[Interval], asked: float, sessions: int) -> float:
    """How much longer all intervals must be for the widest to have the half-width asked for.

    And no longer than if their standard error, which is of so many sessions, were the largest that
    it may be (chi square): an interval that is narrow by more than chance was not picked for it.
    An interval gets longer about the logarithm of its ratio, so the answer has to be searched for.
    """
    from scipy.optimize import brentq  # takes a fifth of a second to import

    def beyond(times: float) -> float:
        longer = (stats.longer(one, times).half_width for one in overheads)
        return max((width for width in longer if width is not None), default=asked) - asked

    if beyond(1.0) >= 0:
        return 1.0
    freedom = max(1, sessions - 1)
    most = math.sqrt(freedom / float(chdtri(freedom, _SURE)))
    return most if beyond(most) <= 0 else float(brentq(beyond, 1.0, most))


def no_narrower(results: Sequence[CellResult], asked: float) -> list[CellResult]:
    """The results of one workload, their intervals stretched alike up to the half-width asked for.

    Of narrow intervals, those that chance has made so are the share that a look picks.
    docs/method.md, "When a campaign stops", has what that is worth.
    """
    compared = [one for one in results if not one.is_baseline and one.half_width is not None]
    sessions = min((one.sessions for one in compared), default=1)
    by = times([one.interval for one in compared], asked, sessions)
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
