"""`waltax gate`: whether a campaign is worse than another, as an exit code."""

from __future__ import annotations

import json
from pathlib import Path

import click

from ...errors import UsageError
from .. import options

OF_CAMPAIGNS = click.Path(path_type=Path)
# As analysis.gate has them, which a help text must not wait for.
_ALLOWED = ("program", "profile", "device", "tool")
_ON = ("overhead", "throughput")


def allow() -> options.Option:
    """The option --allow."""
    return click.option(
        "--allow",
        multiple=True,
        type=click.Choice(_ALLOWED),
        help="What may differ between the campaigns. Repeatable. For two builds: program.",
    )


@click.command()
@click.option("--base", required=True, type=OF_CAMPAIGNS, help="The campaign to compare with.")
@click.option("--new", required=True, type=OF_CAMPAIGNS, help="The campaign to judge.")
@allow()
@click.option(
    "--on",
    type=click.Choice(_ON),
    default=_ON[0],
    show_default=True,
    help="What must not be worse.",
)
@click.option(
    "--min-effect",
    type=click.FloatRange(0, 99),
    default=2.0,
    show_default=True,
    help="The smallest difference of interest: points of overhead, or percent of throughput.",
)
@click.option(
    "--floor",
    type=OF_CAMPAIGNS,
    help="What `waltax floor` kept. Default: floor.json of the results, where it is there.",
)
@click.option("--markdown", is_flag=True, help="Print Markdown, as for the summary of a CI job.")
@click.option("--json", "as_json", is_flag=True, help="Print the report for programs.")
@options.results()
def command(
    *,
    base: Path,
    new: Path,
    allow: tuple[str, ...],
    on: str,
    min_effect: float,
    floor: Path | None,
    markdown: bool,
    as_json: bool,
    results: Path,
) -> None:
    """Whether campaign NEW is worse than BASE: exit 0 within, 3 regressed, 4 unknown, 1 failed.

    REGRESSED takes an interval off zero, and a difference above the noise floor of this machine
    and --min-effect.
    """
    from ... import analysis
    from ...analysis import reports
    from ...analysis.gate import floor as floors
    from ...analysis.gate.sameness import side
    from ...terminal import Terminal, say

    if markdown and as_json:
        raise UsageError("--json: found --markdown as well; type one of them")
    known = floors.read_if_there(results / floors.FILE) if floor is None else floors.read(floor)
    gated = reports.gate(
        side(base), side(new), known, allow=allow, on=on, min_effect=min_effect / 100
    )
    console = Terminal()
    if as_json:
        say(console, json.dumps(gated.report.content, allow_nan=False))
    else:
        analysis.publish(gated.report, console, formats=["markdown" if markdown else "terminal"])
    raise SystemExit(gated.code)
