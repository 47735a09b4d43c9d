"""Doubts that a curve's rows raise: they accompany the curve and everything read off it."""

from __future__ import annotations

from collections.abc import Sequence

from ...row import Row
from ..results import CellResult, words
from ..results.facts import but_for_numbers
from ..results.source import origin_of
from ..stats import Interval
from .curve import Curve


def of_curve(rows: list[Row], curve: Curve) -> list[str]:
    """Return sentences on missing points, warnings of the cells' rows, and mixed versions."""
    points = [point for point in curve.points if not point.is_baseline]
    cells = [curve.baseline, *points]
    missing = [f"{said}: left out of the curve" for said in curve.left_out]
    return [*missing, *of_cells(cells), *origin_of(rows).warnings]


def of_cells(cells: Sequence[CellResult]) -> list[str]:
    """Return warnings once if they differ only in numbers: each point of a grid has its own."""
    said = ((result.device, text) for result in cells for text in result.warnings)
    return words.once(said, key=but_for_numbers)


def of_overhead(overhead: Interval) -> list[str]:
    """Return caveats for an overhead from its sign and its interval."""
    if overhead.value is not None and overhead.side(0) == 0:
        return ["not resolvable: the interval covers zero"]
    if overhead.value is None or overhead.value >= 0:
        return []
    return [
        "a negative overhead: with a log more was served than without, which no log does by "
        "itself; read it as nothing, and look for what else the cells differed in"
    ]
