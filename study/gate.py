"""Two campaigns against each other: `waltax gate` as an exit code, `waltax compare` as a table.

`waltax floor` says how far campaigns of one recipe come out apart on this machine.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import UsageError
from . import devices, occasions, options
from .devices import DevicesAsked
from .study import Say, Study

if TYPE_CHECKING:
    from rich.console import Console

    from ..analysis import Report
    from ..runners.campaign import Campaign

_OF_CAMPAIGNS = click.Path(path_type=Path)
# As analysis.gate has them, which a help text must not wait for.
_ALLOWED = ("program", "profile", "device", "tool")
_ON = ("overhead", "throughput")
_OF_A_FLOOR = 5  # campaigns


def _allow() -> options.Option:
    """The option --allow."""
    return click.option(
        "--allow",
        multiple=True,
        type=click.Choice(_ALLOWED),
        help="What may differ between the campaigns. Repeatable. For two builds: program.",
    )


@click.command()
@click.option("--base", required=True, type=_OF_CAMPAIGNS, help="The campaign to compare with.")
@click.option("--new", required=True, type=_OF_CAMPAIGNS, help="The campaign to judge.")
@_allow()
@options.choice("--on", _ON, "What must not be worse.")
@options.number(
    "--min-effect",
    2.0,
    (0, 99),
    "The smallest difference of interest: points of overhead, or percent of throughput.",
)
@click.option(
    "--floor",
    type=_OF_CAMPAIGNS,
    help="What `waltax floor` kept. Default: floor.json of the results, where it is there.",
)
@click.option("--markdown", is_flag=True, help="Print Markdown, as for the summary of a CI job.")
@click.option("--json", "as_json", is_flag=True, help="Print the report for programs.")
@options.results()
def gate(
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
    from .. import analysis
    from ..analysis import reports
    from ..analysis.gate import floor as floors
    from ..analysis.gate.sameness import side
    from ..terminal import Terminal, say

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


@click.command()
@click.argument("a", required=False)
@click.argument("b", required=False)
@click.option("--campaign", type=_OF_CAMPAIGNS, help="Of two devices. Default: the last one.")
@click.option("--base", type=_OF_CAMPAIGNS, help="Of two campaigns: the one to compare with.")
@click.option("--new", type=_OF_CAMPAIGNS, help="Of two campaigns: the other.")
@_allow()
@click.option("--markdown", is_flag=True, help="Of two campaigns: print Markdown.")
@options.results()
def compare(
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
    from .. import analysis
    from ..terminal import Terminal

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
    analysis.compare(campaign or options.last_campaign(results), a, b, Terminal())


def _campaigns(
    base: Path, new: Path, allow: tuple[str, ...], console: Console, *, markdown: bool
) -> None:
    from .. import analysis
    from ..analysis import reports
    from ..analysis.gate.sameness import side

    report = reports.against(side(base), side(new), allow)
    analysis.publish(report, console, formats=["markdown" if markdown else "terminal"])


def _plan_floor(asked: DevicesAsked, say: Say) -> Sequence[Campaign]:
    """A campaign as `waltax run` has it, of this kind. Errors: as there."""
    (planned,) = devices.RUN.plan(asked, say)
    return [replace(planned, recipe=replace(planned.recipe, kind=FLOOR.kind))]


def _report_floor(asked: DevicesAsked, folders: Sequence[Path]) -> Sequence[Report]:
    """The floor of these campaigns; nothing of the first alone, while others follow."""
    from ..analysis import reports

    if len(folders) == 1 and not asked.campaigns:
        return []
    return [reports.floor(folders, asked.results)]


FLOOR = Study(
    kind="floor",
    noun="campaign of a noise floor",
    about="With --campaign, several times: of campaigns of one recipe that are there already. "
    "The floors are kept in floor.json of the results, where `waltax gate` looks for them.",
    asked=DevicesAsked,
    options=(
        *devices.RUN.options,
        options.number(
            "--campaigns",
            _OF_A_FLOOR,
            (1, occasions.MOST),
            "Measure so many, one after the other; it takes 3.",
            "repeat",
        ),
    ),
    plan=_plan_floor,
    repeats=False,
    report=_report_floor,
    smaller=devices.RUN.smaller,
)
