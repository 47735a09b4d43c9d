"""List how the cells of each workload live, prepare their data, and bring them up."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from .. import engines
from ..base.errors import naming
from ..cell import Cell
from .cells.campaign import Campaign
from .cells.driver import life as driver
from .cells.endpoint import life as endpoints
from .cells.life import Life
from .cells.live import Live
from .cells.program import life as programs
from .recipe import axes

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


def prepare(campaign: Campaign, say: Callable[[str], None]) -> dict[str, Path | None]:
    """Return each cell's data set by the cell's id, and make those that do not exist yet.

    It is None for a cell that makes its data itself. Errors: WaltaxError.
    """
    made: dict[str, Path | None] = {}
    for life, part in parts(campaign):
        made |= life.prepare(part, say)
    return made


@contextlib.contextmanager
def bring_up(campaign: Campaign, cell: Cell, data_set: Path | None, session: int) -> Iterator[Live]:
    """Bring a cell up on a fresh clone and freeze it; leave nothing behind, whatever happens.

    REQUIRES: within `workspace`. Errors: WaltaxError when it does not come up, or is not what its
    label says.
    """
    with (
        axes.around(campaign, campaign.setting(cell, data_set, session)) as setting,
        of(cell).bring_up(setting) as live,
    ):
        kept = campaign.folder / f"{cell.id}.ready.json"
        with naming(kept):
            kept.write_text(json.dumps(live.ready, indent=1) + "\n")
        live.freeze()
        yield live
