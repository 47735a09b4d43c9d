"""What the cells of a campaign begin with."""

from __future__ import annotations

from pathlib import Path

from ..cell import bench_of
from ..dbbench import program
from . import dataset
from .campaign import Campaign
from .dataset import Say
from .dbbench import data as dbbench


def prepare(campaign: Campaign, say: Say) -> dict[str, Path | None]:
    """Each cell's data set, by its id, loaded now unless it is there already.

    None for a benchmark that begins with an empty database. Errors: WaltaxError, also when
    db_bench is wanted and there is none that is known.
    """
    if any(bench_of(cell.workload) is not None for cell in campaign.cells):
        program.find()
    found: dict[tuple[str, str], Path | None] = {}
    for cell in campaign.cells:
        key = (cell.workload, cell.size)
        if key in found:
            continue
        if bench_of(cell.workload) is None:
            found[key] = dataset.prepare(campaign.profile, cell.workload, campaign.data_root, say)
        else:
            found[key] = dbbench.prepare(
                campaign.profile, cell.workload, cell.size, campaign.data_root, say
            )
    return {cell.id: found[cell.workload, cell.size] for cell in campaign.cells}
