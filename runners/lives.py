"""List how the cells of each workload are prepared and brought up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from .. import engines
from ..cell import Cell
from .cells.campaign import Campaign
from .cells.driver import life as driver
from .cells.endpoint import life as endpoints
from .cells.life import Life
from .cells.program import life as programs

LIVES: dict[str, Life] = {engines.ELSEWHERE: endpoints, engines.PROGRAM: programs}
"""By the engines that are not waltax's; cells of all others are those of a driver."""


def of(cell: Cell) -> Life:
    """Return the life of a cell."""
    return LIVES.get(cell.engine, driver)


def parts(campaign: Campaign) -> Iterator[tuple[Life, Campaign]]:
    """Yield each life, with the campaign of the cells that live so."""
    for life in dict.fromkeys(map(of, campaign.cells)):
        cells = tuple(cell for cell in campaign.cells if of(cell) is life)
        yield life, replace(campaign, cells=cells)


def options(campaign: Campaign) -> dict[str, str]:
    """Return the files that say how the engine is set: their names and texts."""
    by_life = [life.options(part) for life, part in parts(campaign)]
    return {name: text for files in by_life for name, text in files.items()}
