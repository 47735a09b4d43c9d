"""`waltax workload`: explain the file of a mix, and what is wrong in it."""

from __future__ import annotations

import json
from pathlib import Path

import click

from ..base.errors import UsageError, meant
from ..workloads import WORKLOADS
from ..workloads.mix.record import shipped


@click.command()
@click.argument("file", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print what the driver program reads.")
@click.option("--schema", is_flag=True, help="Print the JSON schema of these files, for editors.")
def command(*, file: str | None, as_json: bool, schema: bool) -> None:
    """What does the file of a workload say, and what is wrong in it?

    FILE is a TOML file of yours, or the name of one that comes with waltax.
    """
    from ..base.tomlfile import read_bytes
    from ..workloads import files
    from ..workloads.mix import compiled, read
    from ..workloads.mix.file import Mix

    if schema:
        click.echo(json.dumps(Mix.model_json_schema(), indent=1))
        return
    path = shipped().get(file or "") or Path(file or "")
    if not path.is_file() and not {".", "/"} & set(file or ""):
        said, names = f"found {file!r}; " if file else "", ", ".join(shipped())
        if file in WORKLOADS:
            said = f"{file} has no file; docs/workloads.md says what it does; "
        near = meant(file or "", shipped())
        raise UsageError(
            f"workload: {said}name a file (./mine.toml), or one of ours: {names}{near}"
        )
    content = read_bytes(path)
    if as_json:
        click.echo(compiled.compiled(read.read(path, content)))
        return
    for line in files.explained(path, content):
        click.echo(line)
