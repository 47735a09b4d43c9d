"""The table of lives: how the cells of each workload are prepared and brought up."""

from __future__ import annotations

from .. import engines, workloads
from ..cell import Cell
from ..dbbench import life as dbbench
from ..driver.cells import life as driver
from ..endpoints import life as endpoints
from ..harness.life import Life
from ..serve import life as serve

LIVES: dict[str, Life] = {
    "driver": driver,
    "dbbench": dbbench,
    "command": serve,
    engines.ELSEWHERE: endpoints,
}
"""By the word `life` of a workload's record; of servers of their owners', by their engine."""


def word(cell: Cell) -> str:
    """The word of a cell's life."""
    if engines.of(cell.engine).elsewhere:
        return engines.ELSEWHERE
    return workloads.of(cell.workload).life


def of(cell: Cell) -> Life:
    """The life of a cell."""
    return LIVES[word(cell)]
