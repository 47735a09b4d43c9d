"""A campaign, measured to its end before the user's eyes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from ..runners.campaign import Campaign
    from ..runners.executor import Executor
    from ..runners.loop import Outcome


def measure_shown(campaign: Campaign, console: Console, executor: Executor) -> Outcome:
    """Measure it to its end, with a live table on a terminal and a line a round elsewhere."""
    from rich.live import Live

    from .. import analysis
    from ..runners import loop, screen

    if not console.is_terminal:
        shown = screen.plain(campaign, console, analysis.estimate)
        return loop.measure(campaign, analysis.estimate, shown, executor)
    with Live(console=console, auto_refresh=False, transient=True) as display:
        shown = screen.live(campaign, display, analysis.live_table)
        return loop.measure(campaign, analysis.estimate, shown, executor)
