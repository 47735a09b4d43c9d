"""Intervals that ended a campaign: they were picked for being narrow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .. import stats
from ..stats import Interval
from .result import CellResult


def times(half_widths: Sequence[float], asked: float) -> float:
    """How much longer all intervals must be for the widest to have the half-width asked for."""
    widest = max(half_widths, default=asked)
    return max(1.0, asked / widest) if widest > 0 else 1.0


def no_narrower(results: Sequence[CellResult], asked: float) -> list[CellResult]:
    """The results of one workload, their intervals stretched alike up to the half-width asked for.

    Of narrow intervals, those that chance has made so are the share that a look picks: what is
    promised then is the target, and no less. docs/method.md, "When a campaign stops", has what that
    is worth.
    """
    widths = [one.half_width for one in results if not one.is_baseline and one.half_width]
    by = times(widths, asked)
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
