"""Columns of several cells on one grid of slots, so that any two of them can be compared.

`overhead` compares throughputs within a group of one size. Here are all columns, across sizes:
the cells of a campaign take turns in the same rounds, whatever they differ in.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...row import Row
from .. import identity, stats
from ..stats import Floats, Interval, Resampling

Measure = Callable[[Row], float | None]


@dataclass(frozen=True)
class Slots:
    """The accepted slices of each cell by the number of their (campaign, session, round).

    A cell with a failed slice has none: it has no result.
    """

    cells: dict[str, dict[int, Row]]
    by: Resampling

    def first(self, cell: str) -> Row:
        return next(iter(self.cells[cell].values()))

    def values(self, cell: str, measure: Measure) -> Floats:
        """One a slot; NaN where the cell has no slice or the slice no such figure."""
        found = np.full(self.by.session.size, np.nan)
        for slot, one in self.cells[cell].items():
            value = measure(one)
            found[slot] = np.nan if value is None else value
        return found

    def mean(self, cell: str, measure: Measure) -> float | None:
        values = self.values(cell, measure)
        known = values[np.isfinite(values)]
        return float(known.mean()) if known.size else None

    def ratio(self, cell: str, against: str, measure: Measure) -> Interval:
        """Of the means, over the slots in which both have the figure, with the interval."""
        numerator, denominator = self.values(cell, measure), self.values(against, measure)
        return stats.ratio_of_means(numerator, denominator, self.by)

    def ratio_of_ratios(
        self, over: tuple[str, str], under: tuple[str, str], measure: Measure
    ) -> Interval:
        """How much more the first pair's ratio is than the second's; pairs as in `ratio`."""
        drawn = [
            stats.log_ratio_draws(self.values(a, measure), self.values(b, measure), self.by)
            for a, b in (over, under)
        ]
        (top, tops), (bottom, bottoms) = drawn
        if top is None or not bottom:
            return Interval(None, None, None)
        logs = tops - bottoms
        if not np.isfinite(logs).any():
            return Interval(top / bottom, None, None)
        low, high = stats.percentiles(logs)
        return Interval(
            top / bottom, top / bottom * float(np.exp(low)), top / bottom * float(np.exp(high))
        )


def of_rows(rows: list[Row]) -> Slots:
    """Errors: WaltaxError where the rows of a cell were measured on different things."""
    identity.require_one(rows)
    failed = {one["cell"] for one in rows if one["status"] == "failed"}
    accepted = [one for one in rows if one["cell"] not in failed]
    keys = sorted({_key(one) for one in accepted or rows})
    numbers = {key: number for number, key in enumerate(keys)}
    sessions = {key: number for number, key in enumerate(sorted({key[:2] for key in keys}))}
    cells: dict[str, dict[int, Row]] = {}
    for one in accepted:
        cells.setdefault(one["cell"], {})[numbers[_key(one)]] = one
    return Slots(cells, stats.resample(np.array([sessions[key[:2]] for key in keys])))


def _key(one: Row) -> tuple[str, int, int]:
    return one["campaign"], one["session"], one["round"]
