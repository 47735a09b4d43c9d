"""What a mode buys, from the outcomes of many cuts: a row for each failure."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import get_args

from ..cutter import state
from ..cutter.state import Cut
from ..cutter.strategies import STRATEGIES, Failure
from ..log import Log
from .states import Outcome

_DRAWN = ("prefix", "sectors")
"""The strategies of which each seed is another state."""


@dataclass(frozen=True)
class Receipt:
    """What one mode came to when one thing failed, over `states` of `cuts` moments.

    `acknowledged` and `lost` are sums over the states; `lost_seconds` is the most that any lost,
    and `opens` and `consistent` are how many of them did and were. `names` is the model.
    """

    engine: str
    workload: str
    device: str
    mode: str
    failure: Failure
    names: str
    cuts: int
    states: int
    acknowledged: int
    lost: int
    lost_seconds: float
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


def of(
    engine: str, workload: str, device: str, mode: str, outcomes: Iterable[Outcome]
) -> Iterator[Receipt]:
    """A receipt for each failure that the outcomes have."""
    every = list(outcomes)
    for failure in get_args(Failure):
        found = [one for one in every if STRATEGIES[one.cut.strategy].failure == failure]
        if found:
            yield _receipt((engine, workload, device, mode), failure, found)


def _receipt(
    what: tuple[str, str, str, str], failure: Failure, found: Sequence[Outcome]
) -> Receipt:
    return Receipt(
        *what,
        failure=failure,
        names=found[0].cut.names,
        cuts=len({one.cut.moment for one in found}),
        states=len(found),
        acknowledged=sum(one.acknowledged for one in found),
        lost=sum(one.lost for one in found),
        lost_seconds=round(max(one.lost_seconds for one in found), 6),
        opens=sum(one.opens for one in found),
        consistent=sum(one.consistent for one in found),
    )
