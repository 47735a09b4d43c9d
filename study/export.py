"""`waltax export`: a campaign in a format of other tools."""

from __future__ import annotations

from pathlib import Path

import click

from ..errors import UsageError
from . import options

# As analysis.export.writers has them, which a help text must not wait for.
_FORMATS = ("sqlite", "csv", "parquet", "md")


@click.command()
@click.argument("campaign", required=False, type=click.Path(path_type=Path))
@click.option("--to", type=click.Choice(_FORMATS), required=True, help="The format.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="The file, or of csv and parquet the folder. Default: beside the campaign's rows.",
)
@options.results()
def command(campaign: Path | None, to: str, out: Path | None, results: Path) -> None:
    """The campaign, its cells and its rows as SQLite, CSV or Parquet; its report as Markdown."""
    from ..analysis.export import writers
    from ..analysis.export.tables import export
    from ..owned.places import require_own
    from ..terminal import Terminal, say

    folder = campaign or options.last_campaign(results)
    made = export(folder)
    if out is None:
        if not folder.is_dir():
            raise UsageError(f"--out: missing; {folder} is no folder, so name a file with --out")
        require_own(folder)
        out = folder / writers.WRITERS[to][1]
    writers.write(made, to, out)
    say(Terminal(), f"{out}: {', '.join(f'{len(t.records)} {t.name}' for t in made.tables)}")
