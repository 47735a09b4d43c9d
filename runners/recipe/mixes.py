"""Mixes, and workload files of YCSB, that a person names by their files."""

from __future__ import annotations

from pathlib import Path

import click

from ... import workloads
from ...base.errors import UsageError


def is_file(word: str) -> bool:
    """Return whether a workload was typed as a file."""
    return "/" in word or word.endswith(".toml")


def of_file(word: str) -> str:
    """Add a file's mix to the table of workloads, and return its name there.

    Errors: UsageError for an unreadable file, and with all that is wrong in it.
    """
    from ...base.tomlfile import read_bytes
    from ...workloads import files
    from ...workloads.mix import record

    path = Path(word).expanduser()
    content, name = read_bytes(path), record.name_of(path)
    for note in files.require(path, content):
        click.echo(f"{path}: {note}", err=True)
    try:
        workloads.add_mixes({name: content.decode(errors="replace")})
    except ValueError as error:
        raise UsageError(f"--workload: {word}: {error}; rename the file") from error
    return name


def texts(names: tuple[str, ...]) -> dict[str, str]:
    """Return, for a recipe, the files of those of the workloads that are a user's own."""
    from ...workloads.mix import record

    ours = record.shipped()
    return {name: text for name in names if name not in ours and (text := workloads.of(name).text)}
