"""What is printed before a campaign begins."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..base.terminal import say
from ..cell import is_point
from ..engines import ENGINES
from ..engines.builds.build import equal_words
from ..workloads import WORKLOADS
from . import noise

if TYPE_CHECKING:
    from rich.console import Console

    from ..runners.campaign import Campaign


def print_head(campaign: Campaign, console: Console) -> None:
    """Print what is about to be measured, with the seed that makes it repeatable."""
    from ..runners.recipe import axes

    profile = campaign.profile
    say(console, f"campaign {campaign.id}, seed {campaign.recipe.seed}")
    say(console, f"profile {profile.name}: {profile.title}")
    for workload in campaign.recipe.workloads:
        size = size_words(campaign, workload)
        say(console, f"workload: {workload}{_clients(campaign, workload)}: {size}")
        say(console, *noise.words(campaign, workload))
    say(console, *_binlog(campaign))
    if campaign.recipe.read_latency_us:
        from ..analysis.results.words import data_reads

        say(console, data_reads(campaign.recipe.read_latency_us))
    say(console, f"options and evidence: {os.path.relpath(campaign.folder)}")
    say(console, *_builds(campaign))
    say(console, *axes.words(profile, campaign.cells, campaign.recipe))
    # A sweep prints the devices of its grid itself, in one line.
    named = [cell for cell in campaign.cells if not is_point(cell.device)]
    warned = [(cell.device, campaign.placements[cell.id].warnings) for cell in named]
    for device, warnings in dict.fromkeys(warned):
        for warning in warnings:
            say(console, f"warning: {device}: {warning}")


def _builds(campaign: Campaign) -> list[str]:
    """Describe each build, and warn of builds that are the same."""
    engine = "MariaDB" if ENGINES[campaign.recipe.engine].on_server else "RocksDB"
    lines = []
    for build in campaign.builds.values():
        revision = f", revision {build.revision}" if build.revision else ""
        lines.append(f"build {build.name}: {build.root} ({engine} {build.release}{revision})")
    return lines + [f"warning: {words}" for words in equal_words(campaign.builds.values())]


def _binlog(campaign: Campaign) -> list[str]:
    """Say where the servers' second logs are, with the warnings about their devices."""
    placed = [campaign.binlogs[cell.id] for cell in campaign.cells if cell.id in campaign.binlogs]
    if not placed:
        return []
    if campaign.recipe.binlog == "same":
        where = "on the WAL's device"
    else:
        where = f"{placed[0].device.name}{' (emulated)' if placed[0].emulated else ''}"
    said = [
        f"binlog: {where}, synced with each group of commits, or as a setting says, in every cell"
    ]
    doubts = dict.fromkeys(text for placement in placed for text in placement.warnings)
    shared = placed[0] is campaign.placements[next(iter(campaign.binlogs))]
    return said + ([] if shared else [f"warning: binlog: {text}" for text in doubts])


def _clients(campaign: Campaign, workload: str) -> str:
    if not WORKLOADS[workload].knows_clients:
        return ""
    counts = {cell.threads for cell in campaign.cells if cell.workload == workload}
    return f", {', '.join(str(count) for count in sorted(counts))} threads"


def size_words(campaign: Campaign, workload: str) -> str:
    """Return how much data is loaded, and how many clients work on it."""
    from ..runners import lives

    part = campaign.of_workload(workload)
    return lives.of(part.cells[0]).words(part)


def turns(campaigns: Sequence[Campaign]) -> list[str]:
    """Return a line for each campaign: how many cells take turns, and for how long at most."""
    from ..runners import plan

    lines = []
    for campaign in campaigns:
        minutes, starts = plan.measuring_s(campaign) / 60, campaign.profile.timing.min_sessions
        lines.append(
            f"{len(campaign.cells)} cells take turns: at most {minutes:.1f} min of slices; on top "
            f"come loading, and {starts} starts and checks of each"
        )
    return lines


def print_sizes(campaign: Campaign, console: Console) -> None:
    """Print the cells, and the upper bounds of `runners.plan` on time, disk and memory."""
    from ..runners import plan

    sizes = plan.plan(campaign)
    for cell in campaign.cells:
        say(console, f"  {cell.id:45} {plan.place(campaign, cell.id)}")
    time = f"at most {plan.measuring_s(campaign) / 60:.1f} min of slices"
    if sizes.whole_runs:
        time = f"at least {sizes.whole_runs:,} whole runs; time not known"
    say(
        console,
        f"time    {time}, at least {campaign.profile.timing.min_sessions} sessions",
        f"disk    at most {sizes.disk_mib:,.0f} MiB in {campaign.data_root}",
        f"written about {sizes.written_mib:,.0f} MiB to that disk",
        f"memory  at most {sizes.memory_mib:,.0f} MiB, emulated WALs included",
    )
    devices, workloads = campaign.recipe.devices, campaign.recipe.workloads
    if campaign.recipe.kind == "run" and len(devices) * len(workloads) > 1:
        device, workload = devices[0], workloads[0]
        say(
            console,
            f"less    with one device and one workload (--device {device} --workload {workload}), "
            "or a smaller --profile (ci)",
        )
