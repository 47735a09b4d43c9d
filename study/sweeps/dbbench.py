"""What the two sweeps of db_bench share: whether there is room, and a campaign with its report."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...errors import UsageError, WaltaxError
from ...runners import typed
from . import shared

if TYPE_CHECKING:
    from rich.console import Console

    from ...runners.campaign import Campaign

Report = Callable[["Campaign", "Console"], object]
# What says nothing of what was measured, and may stand beside --campaign.
PLACES = ("data_dir", "results", "share_machine")
_MIB = 1 << 20
_WIDTH = 112  # columns


def split(flag: str, asked: str | None, known: Sequence[str]) -> tuple[str, ...]:
    """What is separated by commas, each once; all of `known` when nothing is asked for.

    Errors: UsageError for one that is not known.
    """
    if asked is None:
        return tuple(known)
    found = tuple(dict.fromkeys(asked.split(",")))
    for one in found:
        if one not in known:
            raise UsageError(f"{flag}: found {one!r}; one or more of {','.join(known)}")
    return found


def one_device(asked: dict[str, Any], default: str) -> str:
    """The name or the file. Errors: UsageError for several, or for one without a log."""
    from ...runners.campaign import load_device

    named = asked["devices"] or (default,)
    if len(set(named)) > 1:
        raise UsageError(f"--device: found {', '.join(named)}; this sweep takes one")
    if load_device(named[0]).is_off:
        raise UsageError(
            f"--device: found {named[0]}, which writes no log; it is measured in any case, and the "
            f"device beside it: type --device {default} (with make: DEVICE={default})"
        )
    return shared.kept(named[0])


def existing(folder: Path) -> Path:
    """The folder, or the nearest one above it that is there."""
    folder = folder.absolute()
    return next(path for path in (folder, *folder.parents) if path.exists())


def require_disk(campaign: Campaign, less: Callable[[float], str]) -> None:
    """Errors: UsageError with the plan's figures when the disk is too small.

    `less` says what to type instead, of the share of the plan that there is room for.
    """
    from ...runners.plan import plan

    sizes, folder = plan(campaign), existing(campaign.data_root)
    free_mib = shutil.disk_usage(folder).free / _MIB
    if sizes.disk_mib > free_mib:
        raise UsageError(
            f"{folder}: {free_mib:,.0f} MiB free, but the sweep may need {sizes.disk_mib:,.0f} MiB "
            f"(and write about {sizes.written_mib:,.0f}); {less(free_mib / sizes.disk_mib)}, free "
            "some, or name another directory with --data-dir"
        )


def run(campaign: Campaign, asked: dict[str, Any], console: Console, report: Report) -> int:
    """Measure it, and print its own report; returns the exit code."""
    from .. import campaigns

    campaigns.print_head(campaign, console)
    _print_runs(campaign, console)
    if asked["only_plan"]:
        campaigns.print_plan(campaign, console)
        return 0
    outcome = campaigns.measure(campaign, console, share_machine=asked["share_machine"])
    try:
        report(campaign, console)  # which names what failed
    except WaltaxError as error:  # too little of it went well
        campaigns.say(console, f"no report: {error}")
        for cell, why in outcome.progress.failures.items():
            campaigns.say(console, f"FAILED {cell}: {why}")
    campaigns.say(console, f"Ended because {outcome.reason}.")
    if outcome.interrupted:
        command = str(click.get_current_context().info_name)
        campaigns.say(console, f"Continue with: {typed.again(command, campaign.folder)}")
        return 130
    return 1 if outcome.progress.failures else 0


def _print_runs(campaign: Campaign, console: Console) -> None:
    """How many: the time of a run that does so many operations is the machine's."""
    from ..campaigns import say

    timing = campaign.profile.timing
    rounds = timing.min_sessions * timing.rounds_per_session
    say(
        console,
        f"{len(campaign.cells)} cells take turns: at least {rounds * len(campaign.cells):,} whole "
        f"runs of db_bench, {rounds} of each cell",
    )


def say_files(written: Sequence[Path], console: Console) -> None:
    from .. import campaigns

    if written:
        names = ", ".join(path.name for path in written)
        campaigns.say(console, f"In {written[0].parent}: {names}")


def widen(console: Console) -> None:
    """A pipe has no width of its own; the widest table has this one."""
    if not console.is_terminal:
        console.width = max(console.width, _WIDTH)
