"""Synced writes of one size as a file tells of them, and what a commit waits for in all."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..quantiles import Pairs, with_mean
from ..tap_model import mass

_BODY = 99.0  # percent, up to which nothing is known between two quantiles but their ends
_MOST = 0.98  # of the way from a straight line to a step
_SLACK = 1e-3  # us, so that a mean that is met up to rounding counts as met
_GRID = (np.arange(2000) + 0.5) / 20  # percents at which two distributions are added


@dataclass(frozen=True)
class Times:
    """A distribution in us: rising (percent, us) pairs, and the mean."""

    pairs: Pairs
    mean_us: float


@dataclass(frozen=True)
class Timed:
    """Synced writes of one size: the time of a sync, and that of its write where it is waited for.

    A write that the page cache took is not. `said` describes the tool and the run in a clause.
    """

    bytes: int
    sync: Times
    write: Times | None
    said: str

    @property
    def waited(self) -> tuple[Times, ...]:
        """The parts of what a commit waits for."""
        return (self.sync,) if self.write is None else (self.write, self.sync)

    @property
    def mean_us(self) -> float:
        """What a commit waits for on average."""
        return sum(part.mean_us for part in self.waited)

    def quantiles(self) -> Pairs:
        """Return (percent, us) of what a commit waits for, with the mean that the file tells.

        Write and sync are added as independent: the slowest of one seldom meets that of the other.
        """
        pairs = self.sync.pairs
        if self.write is not None:
            percents = sorted({percent for part in self.waited for percent, _ in part.pairs})
            times = np.percentile(np.add.outer(_drawn(self.write), _drawn(self.sync)), percents)
            pairs = list(zip(percents, map(float, times), strict=True))
        return (
            pairs
            if len(pairs) == 1
            else with_mean(bent(pairs, self.mean_us), self.mean_us + _SLACK)
        )


def _drawn(times: Times) -> list[float]:
    percents, us = np.array(times.pairs).T
    return [float(one) for one in np.interp(_GRID, percents, us)]


def bent(pairs: Pairs, mean_us: float) -> Pairs:
    """Return the pairs with a point more in each gap, such that they have the mean.

    A tool tells a dozen quantiles, and straight lines between them have another mean. All lines are
    bent by the same share of their height, so that every quantile and the mean are the tool's.
    """
    gaps = [gap for gap in pairwise(pairs) if gap[1][0] <= _BODY]
    height = sum((b[0] - a[0]) / 100 * (b[1] - a[1]) / 2 for a, b in gaps)
    missing = mean_us - mass([(0.0, pairs[0][1]), *pairs, (100.0, pairs[-1][1])])
    bend = min(_MOST, max(-_MOST, missing / height)) if height else 0.0
    # On the diagonal that falls across a gap, each bend has a point.
    along, up = (1 - bend) / 2, (1 + bend) / 2
    points = [(a[0] + along * (b[0] - a[0]), a[1] + up * (b[1] - a[1])) for a, b in gaps]
    return sorted([*pairs, *((round(percent, 3), us) for percent, us in points)])
