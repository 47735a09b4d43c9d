"""List how the cells of each workload are prepared and brought up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from .. import engines, workloads
from ..cell import Cell
from .cells.campaign import Campaign
from .cells.dbbench import life as dbbench
from .cells.driver import life as driver
from .cells.endpoint import life as endpoints
from .cells.life import Life
from .cells.program import life as programs

LIVES: dict[str, Life] = {
    "driver": driver,
    "dbbench": dbbench,
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


def parts(campaign: Campaign) -> Iterator[tuple[Life, Campaign]]:
    """Yield each life, with the campaign of the cells that live so."""
    for key in dict.fromkeys(map(word, campaign.cells)):
        cells = tuple(cell for cell in campaign.cells if word(cell) == key)
        yield LIVES[key], replace(campaign, cells=cells)


def options(campaign: Campaign) -> dict[str, str]:
    """Return the files that say how the engine is set: their names and texts."""
    by_life = [life.options(part) for life, part in parts(campaign)]
    return {name: text for files in by_life for name, text in files.items()}
