"""Measuring a campaign on the screen, and its end: what is printed, kept and typed to resume."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..axes import PAIRED
from ..base.errors import WaltaxError
from ..runners.hosts.where import HostsError
from ..runners.recipe import axes, command_line
from .last_lines import Closing
from .request import Request
from .study import Study

if TYPE_CHECKING:
    from rich.console import Console

    from ..runners.campaign import Campaign
    from ..runners.loop import Executor, Outcome

INTERRUPTED = 130
"""The exit code."""


def finish(
    study: Study[Any], campaign: Campaign, outcome: Outcome, console: Console, closing: Closing
) -> int:
    """Print and write the overheads, say how the campaign ended, and return the exit code."""
    from ..analysis import reports

    if study.shows_overheads and outcome.progress.rows:
        overheads = reports.devices(
            [campaign.folder],
            stop_reason=outcome.reason,
            target_half_width=campaign.profile.timing.target_half_width,
            ended_early=outcome.tight,
        )
        closing.publish(overheads, console)
    for cell, why in outcome.progress.failures.items():
        say(console, f"FAILED {cell}: {why}")
    say(console, f"Ended because {outcome.reason}.", *_doubt(outcome))
    if outcome.interrupted:
        return INTERRUPTED
    return 1 if outcome.progress.failures else 0


def _doubt(outcome: Outcome) -> list[str]:
    """Explain what happens to the intervals when they are why a campaign ended."""
    if not outcome.tight:
        return []
    return [
        "Intervals that end a campaign were picked for being narrow. So all of a workload are "
        "stretched by as much as that may be chance, and at most up to the half-width that was "
        'asked for; see docs/method.md, "When a campaign stops".'
    ]


def report_own(
    study: Study[Any],
    request: Request,
    folders: Sequence[Path],
    console: Console,
    closing: Closing,
    *,
    ended_well: bool,
) -> None:
    """Publish the study's own reports; after failures too few cells may be left, which it says."""
    try:
        publish(study, request, folders, console, closing)
    except WaltaxError as error:
        if ended_well:
            raise
        say(console, f"No report: {error}")


def publish(
    study: Study[Any],
    request: Request,
    folders: Sequence[Path],
    console: Console,
    closing: Closing,
    formats: Sequence[str] | None = None,
) -> None:
    """Print and write the study's own reports, if any, and those of receipts and builds."""
    from ..analysis import reports
    from ..analysis.reports.receipts import KEPT
    from ..runners.recipe import campaign_file

    own = [] if study.report is None else list(study.report(request, folders))
    has_receipts = "receipts" in [report.name for report in own]
    if not has_receipts and any((folder / KEPT).exists() for folder in folders):
        own.append(reports.receipts(folders))
    for axis in PAIRED:
        values = [axes.TABLE[axis].values(campaign_file.told(folder)) for folder in folders]
        if any(len(names) > 1 for names in values):
            order = [name for names in values for name in names]
            own.append(reports.builds(folders, order, axis))
    for made in own:
        closing.publish(made, console, formats, answers=True)


def again(campaign: Campaign, request: Request | None = None) -> str:
    """Return the command line that resumes a campaign, on the hosts of `request` if it has any."""
    hosts = "" if request is None else request.hosts or ""
    return command_line.again(campaign.recipe.kind, campaign.folder, hosts)


@contextlib.contextmanager
def leaving_a_hint(campaign: Campaign, request: Request, console: Console) -> Iterator[None]:
    """Print how to resume the campaign when Ctrl-C or the loss of its hosts ends it at once."""
    try:
        yield
    except (KeyboardInterrupt, HostsError):
        if campaign.rows_path.exists():
            say(console, "", *hint(campaign, request))
        raise


def hint(campaign: Campaign, request: Request) -> Sequence[str]:
    """Return how to resume a campaign; the command has its own line, to be pasted."""
    return "Continue with:", f"  {again(campaign, request)}"


def speaker(console: Console) -> Callable[[str], None]:
    """Return a function that prints a line on the console."""
    return lambda text: say(console, text)


def say(console: Console, *lines: str) -> None:
    """Print lines that may hold foreign text."""
    from ..base import terminal

    terminal.say(console, *lines)


def measure_shown(campaign: Campaign, console: Console, executor: Executor) -> Outcome:
    """Measure a campaign to its end, with a line after each round."""
    from .. import analysis
    from ..runners import loop
    from ..runners.screen import screen

    shown = screen(campaign, speaker(console), analysis.estimate)
    return loop.measure(campaign, analysis.estimate, shown, executor)
