"""`waltax compare`: how far two results are apart, as a table or as an exit code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from ..base.errors import UsageError
from . import options

# Copied from analysis.gate, which takes too long to import for a help text.
_ALLOWED = ("program", "profile", "device", "tool")
_ON = ("overhead", "throughput")


@click.command()
@click.argument("a", required=False)
@click.argument("b", required=False)
@click.option("--campaign", type=options.FOLDER, help="Has both devices. Default: the last one.")
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
    type=options.FOLDER,
    help="The file that `waltax compare floor` wrote. Default: floor.json in the "
    "results, if there is one.",
)
@click.option("--markdown", is_flag=True, help="Print Markdown, as for the summary of a CI job.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
@options.results()
@click.pass_context
def command(
    context: click.Context,
    /,
    *,
    a: str | None,
    b: str | None,
    campaign: Path | None,
    results: Path,
    **judged: Any,
) -> None:
    """Are two results different: two devices of a campaign, or two campaigns?

    A and B are devices of one campaign, as nvme and ssd, which took turns in the same rounds; or
    the folders of two campaigns, which are compared cell by cell.
    """
    from ..analysis import reports, writers
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
        raise SystemExit(_campaigns(Path(a), Path(b), results, **judged))
    for name, flag in typed_flags(context).items():
        if name in judged:
            raise UsageError(
                f"{flag}: it compares two campaigns; found the devices {a} and {b}; type two "
                "folders, as in waltax compare results/A results/B"
            )
    folder, console = campaign or options.last_campaign(results), Terminal()
    if campaign is None:
        say(console, f"In {folder}:")
    writers.publish(reports.builds([folder], [b, a], "device"), console, formats=["terminal"])


def is_campaign(text: str) -> bool:
    """Return whether a text names a folder, and no device."""
    return "/" in text or (Path(text) / "rows.jsonl").is_file()


def _campaigns(
    base: Path,
    new: Path,
    results: Path,
    *,
    gate: bool,
    markdown: bool,
    as_json: bool,
    min_effect: float,
    against_floor: Path | None,
    **judged: Any,
) -> int:
    """Print how far apart two campaigns are, and return the exit code, 0 without --gate."""
    from ..analysis import reports, writers
    from ..analysis.gate import floor
    from ..analysis.results import read
    from ..base.terminal import Terminal

    if markdown and as_json:
        raise UsageError("--json: found --markdown as well; type one of them")
    kept = against_floor or results / floor.FILE
    floors = floor.read(kept) if against_floor or kept.exists() else ()
    report = reports.gate(read([base]), read([new]), floors, min_effect=min_effect / 100, **judged)
    content = report.content or {}
    if as_json:
        click.echo(json.dumps(content, allow_nan=False))
    else:
        writers.publish(report, Terminal(), formats=["markdown" if markdown else "terminal"])
    return int(content["exit_code"]) if gate else 0
