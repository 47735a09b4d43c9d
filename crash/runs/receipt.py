"""What a mode buys, by the outcomes of many cuts: a row for each failure."""

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
"""The strategies with a different state for each seed."""


@dataclass(frozen=True)
class Receipt:
    """The results of one mode with one failure, over `states` at `cuts` moments.

    `distinct` states differ from the others of their moment. `acknowledged` and `lost` are sums
    over the states. `everything` counts states that lost all acknowledged commits, `opens` those
    that opened, and `consistent` those that were consistent. `names` is the model.

    `lost_seconds` is what a cut at a random moment loses at worst: the mean over the moments of the
    most that any state of a moment lost, with its interval (95 %, bootstrap over the moments; None
    for one moment). `lost_seconds_most` is the most that any state lost. No state can lose more
    than `recorded_seconds`, from the first acknowledgement to the last.
    """

    engine: str
    workload: str
    device: str
    mode: str
    knob: str
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
    """Yield cuts at `count` random moments of a log, with `states` for each moment.

    Every strategy gets one state; the rest are drawn.
    """
    for moment in state.moments(log, count, seed):
        for strategy, number in itertools.islice(_strategies(), states):
            yield Cut(moment, strategy, names, seed + number)


def _strategies() -> Iterator[tuple[str, int]]:
    yield from ((name, 0) for name in STRATEGIES)
    for number in itertools.count(1):
        yield from ((name, number) for name in _DRAWN)


def of(cell: Cell, log: Log, outcomes: Iterable[Outcome]) -> Iterator[Receipt]:
    """Yield a receipt for each failure among the outcomes of a cell's run."""
    every = list(outcomes)
    for failure in get_args(Failure):
        failed = [
            outcome for outcome in every if STRATEGIES[outcome.cut.strategy].failure == failure
        ]
        if failed:
            yield _receipt(cell, log, failure, failed)


def _receipt(cell: Cell, log: Log, failure: Failure, outcomes: Sequence[Outcome]) -> Receipt:
    worst: dict[int, float] = {}
    for outcome in outcomes:
        worst[outcome.cut.moment] = max(outcome.lost_seconds, worst.get(outcome.cut.moment, 0.0))
    low, high = _interval(list(worst.values()))
    acks = [call.end for call in log.acks if call.end is not None]
    return Receipt(
        engine=cell.engine,
        workload=cell.workload,
        device=cell.device,
        mode=cell.durability,
        knob=cell.knob,
        failure=failure,
        names=outcomes[0].cut.names,
        cuts=len(worst),
        states=len(outcomes),
        distinct=len({(outcome.cut.moment, outcome.digest) for outcome in outcomes}),
        acknowledged=sum(outcome.acknowledged for outcome in outcomes),
        lost=sum(outcome.lost for outcome in outcomes),
        everything=sum(outcome.lost == outcome.acknowledged > 0 for outcome in outcomes),
        lost_seconds=round(sum(worst.values()) / len(worst), 6),
        lost_seconds_low=low,
        lost_seconds_high=high,
        lost_seconds_most=round(max(worst.values()), 6),
        recorded_seconds=round((max(acks) - min(acks)) / 1e9, 6),
        opens=sum(outcome.opens for outcome in outcomes),
        consistent=sum(outcome.consistent for outcome in outcomes),
    )


def _interval(values: Sequence[float]) -> tuple[float | None, float | None]:
    """Return the interval of the mean; a single value has none."""
    if len(values) < 2:
        return None, None
    if min(values) == max(values):  # a bootstrap fails on these
        return round(values[0], 6), round(values[0], 6)
    from scipy.stats import bootstrap

    interval = bootstrap((values,), statistics.fmean, method="percentile", vectorized=False, rng=0)
    low, high = interval.confidence_interval
    return round(float(low), 6), round(float(high), 6)
