"""`waltax report`: repeat the report of campaigns, or pack one into a file."""

from __future__ import annotations

import json
from pathlib import Path

import click

from ..base.errors import UsageError
from . import options

_BUNDLE = "bundle"
FORMATS = ("terminal", "markdown", "json", "csv", "figures", "html", "openmetrics", "otava")
"""The names of `analysis.writers.WRITERS`, for which a help must not wait."""


@click.command()
@click.argument("campaigns", nargs=-1, type=options.FOLDER)
@click.option("--campaign", "also", multiple=True, type=options.FOLDER, help="One of CAMPAIGNS.")
@options.results()
@click.option(
    "--format",
    "formats",
    multiple=True,
    type=click.Choice([*FORMATS, _BUNDLE]),
    help="figures are PNG and SVG, openmetrics gauges of each cell, otava a CSV line for each "
    "campaign, for change points, and bundle an archive of one campaign, to keep or to send. "
    "Repeatable. Default: terminal, json, csv and html.",
)
@click.option("--out", type=options.FOLDER, help="Where to write a bundle.")
@click.option(
    "--schema",
    type=click.Choice(["rows", "summary"]),
    help="Print the JSON schema of a line of rows.jsonl, or of summary.json, and nothing else.",
)
def command(
    campaigns: tuple[Path, ...],
    also: tuple[Path, ...],
    results: Path,
    formats: tuple[str, ...],
    out: Path | None,
    schema: str | None,
) -> None:
    """Write the report of the last campaign, or of CAMPAIGNS, again, in any format.

    A study, such as why, adds its own report.
    """
    from .. import row
    from ..analysis.reports import summary
    from ..base.terminal import Terminal, say
    from . import bundle, frame

    if schema:
        click.echo(json.dumps((row if schema == "rows" else summary).schema(), indent=1))
        return
    folders = [*campaigns, *also] or [options.last_campaign(results)]
    if out is not None and _BUNDLE not in formats:
        raise UsageError(f"--out: found without --format {_BUNDLE}, which it names a file for")
    if _BUNDLE in formats:
        if len(folders) != 1:
            raise UsageError(
                f"--format: {_BUNDLE} holds one campaign; found {len(folders)}; name one"
            )
        say(Terminal(), bundle.bundle(folders[0], out))
    drawn = tuple(name for name in formats if name != _BUNDLE)
    if drawn or not formats:
        frame.report(folders, Terminal(), drawn or None)
