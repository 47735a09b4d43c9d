"""`waltax report`: repeat the report of campaigns, or pack one into a file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import click

from ..base.errors import UsageError
from . import bundle, export, options

PACKED: dict[str, Callable[[Path, Path | None], str]] = {
    "sqlite": export.sqlite,
    "bundle": bundle.bundle,
}
"""Formats with one file per campaign: each function writes it and says what it wrote."""
_MADE_BY_OTHERS = {
    "tables": f"sqlite3 -csv -header {export.FILE} 'SELECT * FROM rows'",
    "parquet": "duckdb -c \"COPY (FROM 'rows.jsonl') TO 'rows.parquet'\"",
}
"""Formats of older releases, and what makes them of others."""


@click.command()
@click.argument("campaigns", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--campaign", "also", multiple=True, type=click.Path(path_type=Path), help="One of CAMPAIGNS."
)
@options.results()
@click.option(
    "--format",
    "formats",
    multiple=True,
    help="terminal, markdown, json, csv, html, figures (PNG and SVG), openmetrics (gauges of each "
    "cell), or otava (a CSV line for each campaign, for change points); for one campaign also "
    "sqlite, a database with its rows, or bundle, an archive to keep or to send. "
    "Repeatable. Default: terminal, json, csv and html.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Where to write sqlite or a bundle.",
)
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
    from ..analysis.writers import WRITERS
    from ..base.terminal import Terminal, say
    from . import frame

    if schema:
        click.echo(json.dumps((row if schema == "rows" else summary).schema(), indent=1))
        return
    for name in [name for name in formats if name in _MADE_BY_OTHERS]:
        raise UsageError(
            f"--format: found {name}; type --format sqlite, or make it: {_MADE_BY_OTHERS[name]}"
        )
    known = (*WRITERS, *PACKED)
    if unknown := [name for name in formats if name not in known]:
        raise UsageError(f"--format: found {unknown[0]!r}; type one of {', '.join(known)}")
    folders = [*campaigns, *also] or [options.last_campaign(results)]
    packed = [name for name in formats if name in PACKED]
    if len(packed) != 1 and out is not None:
        raise UsageError(
            f"--out: found {len(packed)} formats that are one file; add one, --format "
            f"{' or --format '.join(PACKED)}"
        )
    if packed and len(folders) != 1:
        raise UsageError(
            f"--format: {packed[0]} holds one campaign; found {len(folders)}; name one"
        )
    for name in packed:
        say(Terminal(), PACKED[name](folders[0], out))
    drawn = tuple(name for name in formats if name not in PACKED)
    if drawn or not formats:
        frame.report(folders, Terminal(), drawn or None)
