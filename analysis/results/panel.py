"""Rows of several cells on one grid of slots, so that any two cells can be compared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import methodcaller
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ...base.errors import WaltaxError
from ...cell import Cell
from ...row import Row, standing
from .. import stats
from ..stats import Drawn, Floats, Interval, Ints, Resampling
from . import disturbance as disturbed
from .disturbance import Disturbance
from .hosts import PROGRAM, TOOL, behind, host_of

Slot = tuple[str, int, int]
"""Campaign, session, round. The cells of a campaign take turns in the same rounds."""
Measure = Callable[[Row], float | None]
Unit = TypeVar("Unit", str, tuple[str, int])


THROUGHPUT: Measure = methodcaller("get", "throughput")


@dataclass(frozen=True)
class Panel:
    """Rows by cell, and the accepted rows of each cell by the number of their slot.

    A cell with a failed slice has no slices, because it has no result. Slices that were disturbed
    from outside are left out, unless they are too many; see `disturbed`. A baseline that was
    measured twice has a twin, whose figures count as its own, because every cell is compared with
    the baseline: `slices` has those of the twin, and `rows` only cells of their own.
    """

    rows: dict[Cell, list[Row]]
    slices: dict[Cell, dict[int, Row]]
    slots: dict[Slot, int]
    by: Resampling
    disturbance: Disturbance
    hosts: tuple[str, ...]  # by their number in `by`; an unnamed host if rows name none

    def values(self, cell: Cell, measure: Measure = THROUGHPUT) -> Floats:
        """Return a value per slot; NaN if the cell has no slice there, or the slice no such figure.

        For a baseline with a twin the value is the mean of both, or the only one there is.
        """
        values = self._figures(self.slices.get(cell, {}), measure)
        if cell.twin not in self.slices:
            return values
        others = self._figures(self.slices[cell.twin], measure)
        both = np.where(np.isnan(others), values, (values + others) / 2)
        return np.where(np.isnan(values), others, both)

    def _figures(self, slices: dict[int, Row], measure: Measure) -> Floats:
        values = np.full(len(self.slots), np.nan)
        for slot, row in slices.items():
            values[slot] = measure(row)  # None becomes NaN
        if measure is THROUGHPUT and all("overtime_s" in row for row in slices.values()):
            return _by_time(values, slices)
        return values

    def matched(self, a: Cell, b: Cell) -> NDArray[np.bool_]:
        """Return a mask of the slots in which both cells have an accepted slice."""
        return np.isfinite(self.values(a)) & np.isfinite(self.values(b))

    def ratio(self, cell: Cell, against: Cell, measure: Measure = THROUGHPUT) -> Interval:
        """Return the ratio of two cells' means over the slots in which both have the figure."""
        return self.draws(cell, against, measure).interval()

    def draws(self, cell: Cell, against: Cell, measure: Measure = THROUGHPUT) -> Drawn:
        """Return the same ratio with its draws."""
        return stats.draws(self.values(cell, measure), self.values(against, measure), self.by)


def _by_time(values: Floats, slices: dict[int, Row]) -> Floats:
    """Return throughputs whose mean is all requests divided by all their time, with influences.

    A slice lasts until its last requests are answered, so the slow slices are the longest: a plain
    mean of throughputs would give them too little weight.
    """
    seconds = np.full(values.size, np.nan)
    seconds[list(slices)] = [row["measure_s"] for row in slices.values()]
    whole = np.nansum(seconds) or 1.0
    rate = np.nansum(values * seconds) / whole
    by_time: Floats = rate + (values - rate) * seconds * (len(slices) / whole)
    return by_time


def panel_of(rows: Iterable[Row]) -> Panel:
    """Return all these rows on one grid, however their cells differ.

    Errors: WaltaxError where the rows of a cell were measured on different things.
    """
    return _grid(_by_cell(rows))


def panels(rows: Iterable[Row]) -> list[Panel]:
    """Return a panel per comparison group, without the rungs of a ladder; see `Cell.group`.

    Errors: WaltaxError for a cell whose rows were measured on different things.
    """
    groups: dict[tuple[object, ...], dict[Cell, list[Row]]] = {}
    for cell, mine in _by_cell(rows).items():
        if cell.rung:
            continue  # an intervention changes the cost: see `ladder`
        groups.setdefault(cell.group, {})[cell] = mine
    known = {key: group for key, group in groups.items() if not all(c.is_twin for c in group)}
    return [_grid(known[key]) for key in sorted(known)]


def _by_cell(rows: Iterable[Row]) -> dict[Cell, list[Row]]:
    """Group rows by cell.

    Errors: WaltaxError, naming cell and column, if two rows of a cell measured different things, or
    on two machines of one host's name.

    A resumed campaign, or several campaigns read as one, can hold such rows: a device keeps its
    name, and so the cell its id, when it is emulated one day and real the next.
    """
    cells: dict[Cell, list[Row]] = {}
    for row in standing(rows):
        cells.setdefault(Cell.of_row(row), []).append(row)
    for mine in cells.values():
        for (word, name, _), values in behind(mine).items():
            if len(values) > 1 and word not in (PROGRAM, TOOL):
                raise WaltaxError(
                    f"cell {mine[0]['cell']}: found {name} {' and '.join(values)}; its slices "
                    f"were measured with different {word}s; report them separately"
                )
    return cells


def _grid(rows: dict[Cell, list[Row]]) -> Panel:
    every = [row for mine in rows.values() for row in mine]
    of_session = {slot_of(row)[:2]: host_of(row) for row in every}
    disturbance = disturbed.of(every)
    accepted = {cell: m for cell, m in rows.items() if all(row["status"] == "ok" for row in m)}
    own = {cell: mine for cell, mine in rows.items() if not cell.is_twin}
    # Any slot will do if all have failed.
    timed = {cell: mine for cell, mine in own.items() if cell in accepted} or own
    keys = {slot_of(row) for mine in timed.values() for row in mine}
    slots = {key: number for number, key in enumerate(sorted(keys))}
    slices = {
        cell: {
            slots[slot_of(row)]: row
            for row in mine
            if slot_of(row) in slots and not disturbance.leaves_out(row)
        }
        for cell, mine in accepted.items()
    }
    session, _ = _numbered([key[:2] for key in slots])
    occasion, _ = _numbered([key[0] for key in slots])
    host, names = _numbered([of_session[key[:2]] for key in slots])
    by = stats.resample(session, occasion, host)
    return Panel(own, slices, slots, by, disturbance, tuple(names))


def _numbered(values: Sequence[Unit]) -> tuple[Ints, list[Unit]]:
    """Number the values from 0 in sorted order; also return the distinct values by number."""
    names = sorted(set(values))
    numbers = {value: number for number, value in enumerate(names)}
    return np.array([numbers[value] for value in values]), names


def slot_of(row: Row) -> Slot:
    """Return the slot of a row."""
    return row["campaign"], row["session"], row["round"]
