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

_OF_CAMPAIGNS = click.Path(path_type=Path)
# Copied from analysis.gate, which takes too long to import for a help text.
_ALLOWED = ("program", "profile", "device", "tool")
_ON = ("overhead", "throughput")
_OF_TWO_CAMPAIGNS = (
    *("gate", "allow", "devices", "markdown", "as_json", "on", "min_effect", "against_floor"),
)


@click.command()
@click.argument("a", required=False)
@click.argument("b", required=False)
@click.option("--campaign", type=_OF_CAMPAIGNS, help="Has both devices. Default: the last one.")
@click.option(
    "--gate",
    is_flag=True,
    help="Exit with the verdict on campaign B: 0 within the noise of A, 3 regressed, 4 unknown, 1 "
    "failed.",
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
@options.choice("--on", _ON, "What must not be worse.")
@options.number(
    "--min-effect",
    2.0,
    (0, 99),
    "The smallest difference that matters, in points of overhead or percent of throughput.",
)
@click.option(
    "--against-floor",
    type=_OF_CAMPAIGNS,
    help="The file that `waltax compare floor` wrote. Default: floor.json in the "
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
    from ..base.terminal import Terminal, say
    from .frame import typed_flags

    if not a or not b:
        raise UsageError(
            "compare: type two devices, as in waltax compare nvme ssd, or the folders "
            "of two campaigns: waltax compare results/A results/B"
        )
    if is_campaign(a) or is_campaign(b):
        if campaign is not None:
            raise UsageError(f"--campaign: found beside the folders {a} and {b}; leave it out")
        raise SystemExit(_campaigns(Path(a), Path(b), Terminal(), **more))
    typed = typed_flags(context)
    for name in _OF_TWO_CAMPAIGNS:
        if name in typed:
            raise UsageError(
                f"{typed[name]}: it compares two campaigns; found the devices {a} and "
                f"{b}; type two folders, as in waltax compare results/A results/B"
            )
    from .. import analysis

    console, folder = Terminal(), campaign or options.last_campaign(more["results"])
    if campaign is None:
        say(console, f"In {folder}:")
    analysis.compare(folder, a, b, console)


def is_campaign(text: str) -> bool:
    """Return whether a text names a folder, and no device."""
    return "/" in text or (Path(text) / "rows.jsonl").is_file()


def _campaigns(
    base: Path,
    new: Path,
    console: Console,
    *,
    gate: bool,
    markdown: bool,
    as_json: bool,
    allow: tuple[str, ...],
    devices: tuple[str, ...],
    on: str,
    min_effect: float,
    against_floor: Path | None,
    results: Path,
) -> int:
    """Print how far apart two campaigns are, and return the exit code, 0 without --gate."""
    from .. import analysis
    from ..analysis import reports
    from ..analysis.gate import floor
    from ..analysis.gate.sameness import side
    from ..base.terminal import say

    if markdown and as_json:
        raise UsageError("--json: found --markdown as well; type one of them")
    kept = against_floor or results / floor.FILE
    report = reports.gate(
        side(base),
        side(new),
        floor.read(kept) if against_floor or kept.exists() else (),
        allow=allow,
        on=on,
        min_effect=min_effect / 100,
        devices=devices,
    )
    content = report.content or {}
    if as_json:
        say(console, json.dumps(content, allow_nan=False))
    else:
        analysis.publish(report, console, formats=["markdown" if markdown else "terminal"])
    return int(content["exit_code"]) if gate else 0
