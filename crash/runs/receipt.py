"""What a mode buys, from the outcomes of many cuts: a row for each failure."""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import get_args

from ...cell import Cell
from ..cutter import state
from ..cutter.content import STRATEGIES, Failure
from ..cutter.state import Cut
from ..log import Log
from .states import Outcome

_DRAWN = ("prefix", "sectors")
"""The strategies of which each seed is another state."""


@dataclass(frozen=True)
class Receipt:
    """What one mode came to when one thing failed, over `states` of `cuts` moments.

    `distinct` of the states differ from the others of their moment. `acknowledged` and `lost` are
    sums over the states, `everything` counts those that lost all that was acknowledged, and
    `opens` and `consistent` those that did and were. `names` is the model.

    `lost_seconds` is what a cut at a random moment of the run loses at worst: the mean over the
    moments of the most that any state of it lost, with the bounds of its interval (95 %, bootstrap
    over the moments; None of one moment). `lost_seconds_most` is the most that any state lost, and
    `recorded_seconds` the time from the first acknowledgement to the last: no state can have lost
    more.
    """

    engine: str
    workload: str
    device: str
    mode: str
    failure: Failure
    names: str
    cuts: int
    states: int
    distinct: int
    acknowledged: int
    lost: int
    everything: int
    lost_seconds: float
    lost_seconds_low: float | None
    lost_seconds_high: float | None
    lost_seconds_most: float
    recorded_seconds: float
    opens: int
    consistent: int


def cuts(log: Log, count: int, states: int, names: str, seed: int) -> Iterator[Cut]:
    """So many moments of a log at random, and as many states of each.

    Every strategy has one; what more is asked for is drawn.
    """
    for moment in state.moments(log, count, seed):
        for strategy, number in itertools.islice(_strategies(), states):
            yield Cut(moment, strategy, names, seed + number)


def _strategies() -> Iterator[tuple[str, int]]:
    yield from ((name, 0) for name in STRATEGIES)
    for number in itertools.count(1):
        yield from ((name, number) for name in _DRAWN)


def of(cell: Cell, log: Log, outcomes: Iterable[Outcome]) -> Iterator[Receipt]:
    """A receipt for each failure that the outcomes of a cell's run have."""
    every = list(outcomes)
    for failure in get_args(Failure):
        found = [one for one in every if STRATEGIES[one.cut.strategy].failure == failure]
        if found:
            yield _receipt(cell, log, failure, found)


def _receipt(cell: Cell, log: Log, failure: Failure, found: Sequence[Outcome]) -> Receipt:
    worst: dict[int, float] = {}
    for one in found:
        worst[one.cut.moment] = max(one.lost_seconds, worst.get(one.cut.moment, 0.0))
    low, high = _interval(list(worst.values()))
    acks = [call.end for call in log.acks if call.end is not None]
    return Receipt(
        engine=cell.engine,
        workload=cell.workload,
        device=cell.device,
        mode=cell.durability,
        failure=failure,
        names=found[0].cut.names,
        cuts=len(worst),
        states=len(found),
        distinct=len({(one.cut.moment, one.digest) for one in found}),
        acknowledged=sum(one.acknowledged for one in found),
        lost=sum(one.lost for one in found),
        everything=sum(one.lost == one.acknowledged > 0 for one in found),
        lost_seconds=round(sum(worst.values()) / len(worst), 6),
        lost_seconds_low=low,
        lost_seconds_high=high,
        lost_seconds_most=round(max(worst.values()), 6),
        recorded_seconds=round((max(acks) - min(acks)) / 1e9, 6),
        opens=sum(one.opens for one in found),
        consistent=sum(one.consistent for one in found),
    )


def _interval(values: Sequence[float]) -> tuple[float | None, float | None]:
    """Of their mean. Errors: none; a single value has no interval."""
    if len(values) < 2:
        return None, None
    if min(values) == max(values):  # which a bootstrap cannot be asked about
        return round(values[0], 6), round(values[0], 6)
    from scipy.stats import bootstrap

    found = bootstrap((values,), statistics.fmean, method="percentile", vectorized=False, rng=0)
    low, high = found.confidence_interval
    return round(float(low), 6), round(float(high), 6)
