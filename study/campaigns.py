"""One campaign from its head to its table, as the command line shows it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ..terminal import say as say

if TYPE_CHECKING:
    from rich.console import Console

    from ..runners.campaign import Campaign
    from ..runners.loop import Outcome


def measure(campaign: Campaign, console: Console, *, share_machine: bool) -> Outcome:
    """Measure it to its end, with a live table on a terminal and a line a round elsewhere."""
    from rich.live import Live

    from .. import analysis
    from ..runners import loop, screen

    if not console.is_terminal:
        shown = screen.plain(campaign, console, analysis.estimate)
        return loop.measure(campaign, analysis.estimate, shown, share_machine=share_machine)
    with Live(console=console, auto_refresh=False, transient=True) as display:
        shown = screen.live(campaign, display, analysis.live_table)
        return loop.measure(campaign, analysis.estimate, shown, share_machine=share_machine)


def finish(campaign: Campaign, outcome: Outcome, console: Console, *, command: str = "run") -> int:
    """Print the table, keep it as files, and say how it ended; returns the exit code.

    `command` is the one that goes on with it.
    """
    from .. import analysis
    from ..runners import typed

    if any(row["status"] == "ok" for row in outcome.progress.rows):
        analysis.report(
            [campaign.folder],
            console,
            stop_reason=outcome.reason,
            target_half_width=campaign.profile.timing.target_half_width,
        )
    for cell, why in outcome.progress.failures.items():
        say(console, f"FAILED {cell}: {why}")
    say(console, f"Ended because {outcome.reason}.")
    if outcome.interrupted:
        say(console, f"Continue with: {typed.again(command, campaign.folder)}")
        return 130
    return 1 if outcome.progress.failures else 0


def print_head(campaign: Campaign, console: Console) -> None:
    """What is about to happen, before it happens: the seed makes it repeatable."""
    profile = campaign.profile
    say(console, f"campaign {campaign.id}, seed {campaign.recipe.seed}")
    say(console, f"profile {profile.name}: {profile.title}")
    for workload in campaign.recipe.workloads:
        counts = {cell.threads for cell in campaign.cells if cell.workload == workload}
        threads = ", ".join(str(count) for count in sorted(counts))
        size = size_words(campaign, workload)
        say(console, f"workload: {workload}, {threads} threads: {size}")
    say(console, f"options and evidence: {os.path.relpath(campaign.folder)}")
    warned = [(cell.device, campaign.placements[cell.id].warnings) for cell in campaign.cells]
    for device, warnings in dict.fromkeys(warned):
        for warning in warnings:
            say(console, f"warning: {device}: {warning}")


def size_words(campaign: Campaign, workload: str) -> str:
    """What is loaded and who works on it, as the profile's own tables have it."""
    from ..cell import bench_of
    from ..runners.workloads import WORKLOADS

    if bench_of(workload) is not None:
        return _db_bench_words(campaign, workload)
    section = campaign.profile.workload(workload)
    data = WORKLOADS[workload].data(section.load)
    if workload != "tpcc":
        return data
    threads = max(cell.threads for cell in campaign.cells if cell.workload == workload)
    terminals = int(section.run.get("terminals", 0))
    if terminals in (0, threads):
        served = "a terminal for each thread"
    else:
        served = f"{terminals:,} terminals that {threads} threads serve in turn"
    if threads <= int(section.load.get("warehouses", 1)):
        return f"{data}; {served}"
    return f"{data}; {served}; threads that share a warehouse get in each other's way"


def _db_bench_words(campaign: Campaign, workload: str) -> str:
    from ..runners.dbbench.data import data

    sizes = campaign.recipe.sizes or ("",)
    found = [data(campaign.profile, workload, size) for size in sizes]
    keys = f"{found[0].entries:,} keys"
    if len(found) > 1:
        keys += f" of the sizes {', '.join(one.named for one in found)}"
    else:
        size = found[0].size
        keys += f" of {size.key_bytes} bytes with values of {size.value_bytes}"
    operations = campaign.profile.workload(workload).run.get("operations")
    each = "" if operations is None else f" of {int(operations):,} operations"
    return f"{keys}; a whole run of db_bench{each} for each slice"


def print_plan(campaign: Campaign, console: Console) -> None:
    """Its sizes. Errors: UsageError where measuring it would be refused."""
    print_sizes(campaign, console)
    require(campaign)


def require(campaign: Campaign) -> None:
    """Errors: UsageError for what makes no sense or has no room, before anything is made."""
    from ..runners import plan

    plan.require_sense(campaign)
    plan.require_room(campaign)


def print_sizes(campaign: Campaign, console: Console) -> None:
    """Cells, time, disk and memory: the upper bounds of `runners.plan`."""
    from ..runners.plan import plan

    sizes = plan(campaign)
    for cell, place in zip(sizes.cells, sizes.places, strict=True):
        say(console, f"  {cell:45} {place}")
    time = f"at most {sizes.measuring_s / 60:.1f} min of slices"
    if sizes.whole_runs:
        time = f"at least {sizes.whole_runs:,} whole runs; time not known"
    say(
        console,
        f"time    {time}, at least {sizes.sessions_at_least} sessions",
        f"disk    at most {sizes.disk_mib:,.0f} MiB in {campaign.data_root}",
        f"written about {sizes.written_mib:,.0f} MiB to that disk",
        f"memory  at most {sizes.memory_mib:,.0f} MiB, emulated WALs included",
    )
