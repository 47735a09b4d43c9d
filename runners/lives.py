"""List how the cells of each engine live, and bring them up."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from .. import engines
from ..cell import Cell
from .cells.campaign import Campaign
from .cells.driver import endpoint
from .cells.driver import life as driver
from .cells.live import Life, Live
from .cells.program import cell as program
from .recipe import axes

LIVES: dict[str, Life] = {engines.ELSEWHERE: endpoint, engines.PROGRAM: program}
"""By the engines that are not waltax's; cells of all others are those of a driver."""


def of(campaign: Campaign) -> Life:
    """Return the life of a campaign's cells, which have one engine."""
    return LIVES.get(campaign.recipe.engine, driver)


@contextlib.contextmanager
def bring_up(campaign: Campaign, cell: Cell, data_set: Path | None, session: int) -> Iterator[Live]:
    """Bring a cell up on a fresh clone and freeze it; leave nothing behind, whatever happens.

    REQUIRES: within `workspace`. Errors: WaltaxError when it does not come up, or is not what its
    label says.
    """
    setting = axes.at_work(campaign, campaign.setting(cell, data_set, session))
    with of(campaign).bring_up(setting) as live:
        live.freeze()
        yield live
