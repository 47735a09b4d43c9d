"""`waltax workload`: what a mix's file describes, and what is wrong in it."""

from __future__ import annotations

from pathlib import Path

import click

from ..errors import UsageError
from ..workloads.mix.record import FILES


@click.command()
@click.argument("file", required=False)
@click.option("--schema", is_flag=True, help="Print the JSON schema of such files, for editors.")
def command(*, file: str | None, schema: bool) -> None:
    """What is in a workload that a TOML FILE describes, in plain words; and what is wrong in it.

    FILE is yours, or the name of one of waltax's own.
    """
    from .. import proc
    from ..runners.recipe import mixes

    if schema:
        click.echo(proc.run([proc.program("mix"), "schema"]), nl=False)
    elif file is None:
        names = " ".join(sorted(path.stem for path in FILES.glob("*.toml")))
        raise UsageError(f"workload: name a FILE.toml of yours, or one of waltax's own: {names}")
    else:
        own = FILES / f"{file}.toml"
        click.echo(mixes.explain(own if own.is_file() else Path(file)), nl=False)
