"""How a campaign ended, which its rows do not record, and what that does to its intervals.

An early end selects intervals for being narrow.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from scipy.special import chdtri

from ...base import strictjson
from .. import stats
from ..results import CellResult, Source, every_cell, twins
from ..stats import Interval

NAME = "summary"
"""The report whose file records it."""
_SURE = 0.95  # confidence that chance did not make a standard error smaller still


@dataclass(frozen=True)
class Ended:
    """What is known at a campaign's end, but is not in the rows."""

    stop_reason: str | None = None
    target_half_width: float | None = None
    early: tuple[str, ...] = ()  # workloads that ended because their intervals were narrow


def ended_as(folder: Path | None, now: Ended = Ended()) -> Ended:
    """Return what the report at the campaign's end recorded, updated by `now`.

    If `now` has a reason, it is the campaign's end.
    """
    if folder is None or now.stop_reason:
        return now
    earlier = strictjson.read_object(folder / f"{NAME}.json")
    reason, target = earlier.get("stop_reason"), earlier.get("target_half_width")
    known, workloads = isinstance(target, float) and 0 < target < 1, earlier.get("ended_early")
    return Ended(
        reason if isinstance(reason, str) else None,
        now.target_half_width or (target if known else None),
        now.early or tuple(map(str, workloads if isinstance(workloads, list) else ())),
    )


def results_of(source: Source) -> list[CellResult]:
    """Return every cell's result with the intervals of the first report, as all reports show it."""
    ended = ended_as(source.folder)
    cells = every_cell(source.rows, ended.target_half_width, twins(source.rows))
    return believed(cells, ended)


def believed(results: Sequence[CellResult], ended: Ended) -> list[CellResult]:
    """Return the results, with intervals no narrower than asked in workloads that ended early."""
    kept: list[CellResult] = []
    for workload, group in groupby(results, lambda result: result.workload):
        mine = list(group)
        wanted = ended.target_half_width if workload in ended.early else None
        kept += mine if wanted is None else no_narrower(mine, wanted)
    return kept


def target_missed(results: Sequence[CellResult], target: float | None) -> bool | None:
    """Return whether some overhead's interval is wider than the target; None without a target."""
    compared = [result for result in results if not result.is_baseline and not result.failed]
    if target is None or not compared:
        return None
    return any(result.is_wider_than(target) for result in compared)


def times(overheads: Sequence[Interval], asked: float, sessions: int) -> float:
    """Return the factor that gives the widest interval the half-width asked for.

    It is at most the factor for the largest standard error that this number of sessions allows (chi
    square): an interval that is narrow by more than chance was not selected for it. Intervals are
    stretched on the logarithm of the ratio, so the answer has to be searched for.
    """
    from scipy.optimize import brentq  # takes a fifth of a second to import

    def beyond(times: float) -> float:
        longer = (stats.longer(overhead, times).half_width for overhead in overheads)
        return max((width for width in longer if width is not None), default=asked) - asked

    if beyond(1.0) >= 0:
        return 1.0
    freedom = max(1, sessions - 1)
    most = math.sqrt(freedom / float(chdtri(freedom, _SURE)))
    return most if beyond(most) <= 0 else float(brentq(beyond, 1.0, most))


def no_narrower(results: Sequence[CellResult], asked: float) -> list[CellResult]:
    """Stretch the intervals of one workload by a common factor up to the half-width asked for.

    Looking for narrow intervals selects those that chance made narrow. docs/method.md, "When a
    campaign stops", says what the correction is worth.
    """
    compared = [
        result for result in results if not result.is_baseline and result.half_width is not None
    ]
    sessions = min((result.sessions for result in compared), default=1)
    by = times([result.interval for result in compared], asked, sessions)
    if by == 1.0:
        return list(results)
    longer = [stats.longer(result.interval, by) for result in results]
    return [
        result if result.is_baseline else replace(result, low=of.low, high=of.high)
        for result, of in zip(results, longer, strict=True)
    ]
