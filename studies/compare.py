"""`waltax compare`: how far two results are apart, as a table or as an exit code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..base.errors import UsageError
from . import options

if TYPE_CHECKING:
    from rich.console import Console

    from ..analysis import Report

_OF_CAMPAIGNS = click.Path(path_type=Path)
# Copied from analysis.gate, which takes too long to import for a help text.
_ALLOWED = ("program", "profile", "device", "tool")
_ON = ("overhead", "throughput")
_OF_GATE = ("on", "min_effect", "against_floor")
_OF_TWO_CAMPAIGNS = ("gate", "allow", "devices", "markdown", "as_json")


@click.command()
@click.argument("a", required=False)
@click.argument("b", required=False)
@click.option("--campaign", type=_OF_CAMPAIGNS, help="Has both devices. Default: the last one.")
@click.option(
    "--gate",
    is_flag=True,
    help="Judge whether campaign B is worse than A. Exits with 0 within the noise, 3 regressed, "
    "4 unknown, 1 failed.",
)
@click.option(
    "--allow",
    multiple=True,
    type=click.Choice(_ALLOWED),
    help="What may differ between the campaigns; for two builds: program. Repeatable.",
)
@click.option(
    "--device",
    "devices",
    metavar="NAME",
    multiple=True,
    help="Compare two campaigns on this device alone. Repeatable.",
)
@options.choice("--on", _ON, "With --gate: what must not be worse.")
@options.number(
    "--min-effect",
    2.0,
    (0, 99),
    "With --gate: the smallest difference that matters, in points of overhead or percent of "
    "throughput.",
)
@click.option(
    "--against-floor",
    type=_OF_CAMPAIGNS,
    help="With --gate: the file that `waltax compare floor` wrote. Default: floor.json in the "
    "results, if there is one.",
)
@click.option("--markdown", is_flag=True, help="Print Markdown, as for the summary of a CI job.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
@options.results()
@click.pass_context
def command(
    context: click.Context, /, *, a: str | None, b: str | None, campaign: Path | None, **more: Any
) -> None:
    """Are two results different: two devices of a campaign, or two campaigns?

    A and B are devices of one campaign, as nvme and ssd, which took turns in the same rounds; or
    the folders of two campaigns, which are compared cell by cell.
    """
    from ..base.terminal import Terminal

    if not a or not b:
        raise UsageError(
            "compare: type two devices, as in waltax compare nvme ssd, or the folders "
            "of two campaigns: waltax compare results/A results/B"
        )
    if is_campaign(a) or is_campaign(b):
        if campaign is not None:
            raise UsageError(f"--campaign: found beside the folders {a} and {b}; leave it out")
        raise SystemExit(_campaigns(Path(a), Path(b), Terminal(), _typed(context), **more))
    for name in _OF_TWO_CAMPAIGNS + _OF_GATE:
        if name in _typed(context):
            raise UsageError(
                f"{_typed(context)[name]}: it compares two campaigns; found the devices {a} and "
                f"{b}; type two folders, as in waltax compare results/A results/B"
            )
    from .. import analysis

    analysis.compare(campaign or options.last_campaign(more["results"]), a, b, Terminal())


def is_campaign(text: str) -> bool:
    """Return whether a text names a folder, and no device."""
    return "/" in text or (Path(text) / "rows.jsonl").is_file()


def _typed(context: click.Context) -> dict[str, str]:
    from .frame import typed_flags

    return typed_flags(context)


def _campaigns(
    base: Path,
    new: Path,
    console: Console,
    typed: dict[str, str],
    *,
    gate: bool,
    markdown: bool,
    as_json: bool,
    **more: Any,
) -> int:
    """Print how far apart two campaigns are, and return the exit code, 0 without --gate."""
    from .. import analysis
    from ..analysis import reports
    from ..analysis.gate.sameness import side
    from ..base.terminal import say

    if markdown and as_json:
        raise UsageError("--json: found --markdown as well; type one of them")
    if gate:
        report, code = _gated(base, new, **more)
    else:
        for name in _OF_GATE:
            if name in typed:
                raise UsageError(f"{typed[name]}: it belongs to --gate; add that, or leave it out")
        report, code = reports.against(side(base), side(new), more["allow"], more["devices"]), 0
    if as_json:
        say(console, json.dumps(report.content, allow_nan=False))
    else:
        analysis.publish(report, console, formats=["markdown" if markdown else "terminal"])
    return code


def _gated(
    base: Path,
    new: Path,
    *,
    allow: tuple[str, ...],
    devices: tuple[str, ...],
    on: str,
    min_effect: float,
    against_floor: Path | None,
    results: Path,
) -> tuple[Report, int]:
    """Judge NEW against BASE, with the noise floor of this machine if one was measured."""
    from ..analysis import reports
    from ..analysis.gate import floor
    from ..analysis.gate.sameness import side

    kept = results / floor.FILE
    known = floor.read_if_there(kept) if against_floor is None else floor.read(against_floor)
    gated = reports.gate(
        side(base),
        side(new),
        known,
        allow=allow,
        on=on,
        min_effect=min_effect / 100,
        devices=devices,
    )
    return gated.report, gated.code
