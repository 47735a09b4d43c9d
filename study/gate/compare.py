"""`waltax compare`: two devices of one campaign, or two campaigns."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...errors import UsageError
from .. import last, options
from .gate import OF_CAMPAIGNS, allow

if TYPE_CHECKING:
    from rich.console import Console


@click.command()
@click.argument("a", required=False)
@click.argument("b", required=False)
@click.option("--campaign", type=OF_CAMPAIGNS, help="Of two devices. Default: the last one.")
@click.option("--base", type=OF_CAMPAIGNS, help="Of two campaigns: the one to compare with.")
@click.option("--new", type=OF_CAMPAIGNS, help="Of two campaigns: the other.")
@allow()
@click.option("--markdown", is_flag=True, help="Of two campaigns: print Markdown.")
@options.results()
def command(
    *,
    a: str | None,
    b: str | None,
    campaign: Path | None,
    base: Path | None,
    new: Path | None,
    allow: tuple[str, ...],
    markdown: bool,
    results: Path,
) -> None:
    """Devices A and B within the rounds of one campaign, or campaigns --base and --new."""
    from ... import analysis
    from ...terminal import Terminal

    if base is not None and new is not None and not (a or b or campaign):
        _campaigns(base, new, allow, Terminal(), markdown=markdown)
        return
    if base is not None or new is not None or allow or markdown:
        raise UsageError(
            "compare: --allow and --markdown are of two campaigns; type --base results/A "
            "--new results/B and no device"
        )
    if not a or not b:
        raise UsageError(
            "compare: type two devices, as in waltax compare nvme ssd (with make: make compare "
            "A=nvme B=ssd), or two campaigns: --base results/A --new results/B"
        )
    analysis.compare(campaign or last.campaign(results), a, b, Terminal())


def _campaigns(
    base: Path, new: Path, allow: tuple[str, ...], console: Console, *, markdown: bool
) -> None:
    from ... import analysis
    from ...analysis import reports
    from ...analysis.gate.sameness import side

    report = reports.against(side(base), side(new), allow)
    analysis.publish(report, console, formats=["markdown" if markdown else "terminal"])
