"""List how the cells of each workload are prepared and brought up."""

from __future__ import annotations

from .. import engines, workloads
from ..cell import Cell
from .cells.command import life as serve
from .cells.dbbench import life as dbbench
from .cells.driver import life as driver
from .cells.endpoint import life as endpoints
from .cells.life import Life

LIVES: dict[str, Life] = {
    "driver": driver,
    "dbbench": dbbench,
    "command": serve,
    engines.ELSEWHERE: endpoints,
}
"""Keyed by `life` of a workload's record, or, for servers that their owners run, by the engine."""


def word(cell: Cell) -> str:
    """Return the key of a cell's life."""
    if engines.of(cell.engine).elsewhere:
        return engines.ELSEWHERE
    return workloads.of(cell.workload).life


def of(cell: Cell) -> Life:
    """Return the life of a cell."""
    return LIVES[word(cell)]
