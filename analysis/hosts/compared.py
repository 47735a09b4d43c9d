"""Each cell host by host: its result of one host's rows alone, beside that of all hosts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ...row import Row
from ..results import CellResult, every_cell
from ..results.hosts import NAMELESS, host_of, names
from . import apart


@dataclass(frozen=True, eq=False)
class OnHost:
    """A cell on one host. `points` is its overhead less the mean over the others, a fraction.

    It `disagrees` by the rule of `apart`, and where its own interval does not hold the mean over
    the others, so that a host of few rounds is not named for their noise.
    """

    host: str
    result: CellResult
    off: CellResult | None  # what it was compared with there
    points: float | None = None
    disagrees: bool = False


@dataclass(frozen=True, eq=False)
class Spread:
    """A cell on all hosts that have it: the typical one, and each."""

    typical: CellResult
    hosts: tuple[OnHost, ...] = field(repr=False)

    @property
    def sd(self) -> float | None:
        """How far hosts are apart beyond what their sessions explain: a fraction of overhead."""
        between, overhead = self.typical.variance.sd_between_hosts, self.typical.overhead
        return None if between is None or overhead is None else (1 - overhead) * between

    @property
    def disagreeing(self) -> list[OnHost]:
        return [one for one in self.hosts if one.disagrees]


def spreads(rows: Sequence[Row], results: Sequence[CellResult]) -> list[Spread]:
    """One for each of these results that is no baseline; none where no row names a host.

    Errors: as `every_cell`.
    """
    alone = {
        host: {one.cell: one for one in every_cell([row for row in rows if host_of(row) == host])}
        for host in names(rows)
    }
    compared = [one for one in results if not one.is_baseline]
    return [_spread(one, alone, one.compared or 1) for one in compared if alone]


def _spread(
    typical: CellResult, alone: Mapping[str, Mapping[str, CellResult]], devices: int
) -> Spread:
    there = [
        OnHost(host or NAMELESS, cells[typical.cell], cells.get(typical.baseline or ""))
        for host, cells in alone.items()
        if typical.cell in cells
    ]
    known = [place for place, one in enumerate(there) if _has_ratio(one.result)]
    if len(known) > 1:
        logs = np.array([math.log(_ratio(there[place].result)) for place in known])
        others = logs - apart.from_the_others(logs)
        named = apart.disagree(logs, logs.size * devices)
        for place, log, is_named in zip(known, others, named, strict=True):
            there[place] = _beside(there[place], 1 - math.exp(log), bool(is_named))
    return Spread(typical, tuple(there))


def _beside(one: OnHost, others: float, is_named: bool) -> OnHost:
    found = one.result
    assert found.overhead is not None
    held = found.low is None or found.high is None or found.low <= others <= found.high
    points = found.overhead - others
    return OnHost(one.host, found, one.off, points, disagrees=is_named and not held)


def _has_ratio(one: CellResult) -> bool:
    return one.overhead is not None and one.overhead < 1


def _ratio(one: CellResult) -> float:
    assert one.overhead is not None
    return 1 - one.overhead
