"""Sums, quotients and medians over a cell's slices; None where they are not known."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from ...row import Row


@dataclass(frozen=True)
class Sums:
    """The accepted slices of a cell, to be added up by column."""

    slices: Sequence[Row]

    def total(self, *columns: str) -> float | None:
        """None when a slice lacks a column: a partial sum would look like a small one."""
        values = [one.get(column) for one in self.slices for column in columns]
        known = [value for value in values if value is not None]
        return float(sum(known)) if values and len(known) == len(values) else None

    def count(self, *columns: str) -> int | None:
        """The total, as a whole number."""
        total = self.total(*columns)
        return None if total is None else int(total)

    def over(self, above: Sequence[str], below: str, scale: float = 1.0) -> float | None:
        """The total of some columns over that of another; None too where that is 0."""
        top, bottom = self.total(*above), self.total(below)
        return scale * top / bottom if top is not None and bottom else None

    def median(self, column: str) -> float | None:
        """The median of the slices that have this column."""
        values = [one[column] for one in self.slices if one.get(column) is not None]
        return statistics.median(values) if values else None

    def first(self, column: str) -> object:
        """The first value that says something; None without any."""
        return next((one[column] for one in self.slices if one.get(column)), None)
