"""Bring a campaign's cells up, and remove everything of theirs at the end."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path

from ..base.errors import naming
from ..cell import Cell
from . import lives
from .campaign import Campaign
from .cells.live import Live
from .recipe import axes


def prepare(campaign: Campaign, say: Callable[[str], None]) -> dict[str, Path | None]:
    """Return each cell's data set by the cell's id, and make those that do not exist yet.

    It is None for a cell that makes its data itself. Errors: WaltaxError.
    """
    made: dict[str, Path | None] = {}
    for life, part in lives.parts(campaign):
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
        lives.of(cell).bring_up(setting) as live,
    ):
        kept = campaign.folder / f"{cell.id}.ready.json"
        with naming(kept):
            kept.write_text(json.dumps(live.ready, indent=1) + "\n")
        live.freeze()
        yield live
