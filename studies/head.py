"""What is printed before a campaign begins."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..device_names import point_us
from ..workloads import WORKLOADS

if TYPE_CHECKING:
    from ..runners.campaign import Campaign


def words(campaign: Campaign) -> list[str]:
    """Return what is about to be measured, with the seed that makes it repeatable."""
    from ..runners.recipe import axes

    profile, recipe = campaign.profile, campaign.recipe
    return [
        f"campaign {campaign.id}, seed {recipe.seed}",
        f"profile {profile.name}: {profile.title}",
        *(_workload(campaign, name) for name in recipe.workloads),
        f"options and evidence: {os.path.relpath(campaign.folder)}",
        *axes.words(campaign),
        *_devices(campaign),
        f"{len(campaign.cells)} cells take turns: {_time(campaign)}",
    ]


def _workload(campaign: Campaign, workload: str) -> str:
    """Say how many clients work on how much data."""
    from ..runners import lives

    clients = ""
    if WORKLOADS[workload].knows_clients:
        counts = {cell.threads for cell in campaign.cells if cell.workload == workload}
        clients = f", {', '.join(map(str, sorted(counts)))} threads"
    part = campaign.of_workload(workload)
    return f"workload: {workload}{clients}: {lives.of(part).words(part)}"


def _devices(campaign: Campaign) -> Iterator[str]:
    """Yield the grid of constant devices in one line, and the warnings of the others."""
    points = {us for cell in campaign.cells if (us := point_us(cell.device)) is not None}
    if points:
        grid = ", ".join(f"{us:,}" for us in sorted(points))
        yield f"grid: syncs of {grid} us, emulated over memory"
    placed = [
        (cell.device, campaign.placements[cell.id])
        for cell in campaign.cells
        if point_us(cell.device) is None
    ]
    logs = [place for _, place in placed]
    placed += [("binlog", place) for place in campaign.binlogs.values() if place not in logs]
    warned = [(name, text) for name, place in placed for text in place.warnings]
    yield from (f"warning: {name}: {text}" for name, text in dict.fromkeys(warned))


def _time(campaign: Campaign) -> str:
    from ..runners import plan

    if plan.plan(campaign).whole_runs:
        return "the time depends on the program"
    return (
        f"at most {plan.measuring_s(campaign) / 60:.1f} min of slices; on top come loading, and "
        f"{campaign.profile.timing.min_sessions} starts and checks of each"
    )


def sizes(campaign: Campaign) -> list[str]:
    """Return the cells, and the upper bounds of `runners.plan` on disk and memory."""
    from ..runners import plan

    share = plan.plan(campaign)
    bound = "at least" if share.whole_runs else "at most"  # what a program writes is its own
    return [
        *(f"  {cell.id:45} {plan.place(campaign, cell.id)}" for cell in campaign.cells),
        f"disk    {bound} {share.disk_mib:,.0f} MiB in {campaign.data_root}",
        f"written about {share.written_mib:,.0f} MiB to that disk"
        + ", and what the program writes" * bool(share.whole_runs),
        f"memory  {bound} {share.memory_mib:,.0f} MiB, emulated WALs included",
    ]
