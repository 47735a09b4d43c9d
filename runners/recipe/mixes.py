"""Mixes, and workload files of YCSB's, that a person names by their files."""

from __future__ import annotations

from pathlib import Path

import click

from ... import workloads
from ...base.errors import UsageError


def is_file(word: str) -> bool:
    """Return whether a word for a workload is meant as a file."""
    return "/" in word or word.endswith(".toml")


def of_file(word: str) -> str:
    """Add the mix of a file to the table of workloads, and return what it is called there.

    Errors: UsageError for a file that cannot be read, and with all that is wrong in it.
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
    """Return the files of those of these workloads that are a user's own, for a recipe."""
    from ...workloads.mix import record

    ours = record.shipped()
    return {name: text for name in names if name not in ours and (text := workloads.of(name).text)}
