"""List how the cells of each workload are prepared and brought up."""

from __future__ import annotations

from .. import engines, workloads
from ..cell import Cell
from .cells.command import life as serve
from .cells.dbbench import life as dbbench
from .cells.driver import life as driver
from .cells.endpoint import life as endpoints
from .cells.life import Life
from .cells.program import life as programs

LIVES: dict[str, Life] = {
    "driver": driver,
    "dbbench": dbbench,
    "command": serve,
    engines.ELSEWHERE: endpoints,
    engines.PROGRAM: programs,
}
"""Keyed by `life` of a workload's record, or by an engine that is not waltax's."""


def word(cell: Cell) -> str:
    """Return the key of a cell's life."""
    if cell.engine in LIVES:
        return cell.engine
    return workloads.of(cell.workload).life


def of(cell: Cell) -> Life:
    """Return the life of a cell."""
    return LIVES[word(cell)]
