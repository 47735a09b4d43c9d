"""Measuring a campaign on the screen, and its end: what is printed, and typed to resume."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from ..runners.hosts.where import HostsError
from ..runners.recipe import command_line
from .request import Request

if TYPE_CHECKING:
    from rich.console import Console

    from ..runners.campaign import Campaign
    from ..runners.loop import Executor, Outcome

INTERRUPTED = 130
"""The exit code."""


def words(outcome: Outcome) -> list[str]:
    """Say which cells failed and why a campaign ended, and what that does to its intervals."""
    stretched = [
        "Intervals that end a campaign were picked for being narrow. So all of a workload are "
        "stretched by as much as that may be chance, and at most up to the half-width that was "
        'asked for; see docs/method.md, "When a campaign stops".'
    ]
    return [
        *(f"FAILED {cell}: {why}" for cell, why in outcome.progress.failures.items()),
        f"Ended because {outcome.reason}.",
        *(stretched if outcome.tight else []),
    ]


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


def say(console: Console, *lines: str, style: str | None = None) -> None:
    """Print lines that may hold foreign text."""
    from ..base import terminal  # a help must not wait for it

    terminal.say(console, *lines, style=style)


def measure_shown(campaign: Campaign, console: Console, executor: Executor) -> Outcome:
    """Measure a campaign to its end, with a line after each round."""
    from .. import analysis
    from ..runners import loop
    from ..runners.screen import screen

    shown = screen(campaign, partial(say, console), analysis.estimate)
    return loop.measure(campaign, analysis.estimate, shown, executor)
