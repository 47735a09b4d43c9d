"""Mixes that a person names by their files."""

from __future__ import annotations

from pathlib import Path

from ... import proc, workloads
from ...errors import UsageError
from ...printable import one_line
from ...profiles import trial
from ...workloads.mix import record

_MOST_BYTES = 100_000  # a campaign keeps the text


def is_file(word: str) -> bool:
    """Return whether a word for a workload is meant as a file."""
    return "/" in word or word.endswith(".toml")


def of_file(word: str) -> str:
    """Add the mix of a file to the table of workloads, and return what it is called there.

    Errors: UsageError for a file that cannot be read, and with all that `mix` says is wrong in it.
    """
    path = Path(word).expanduser()
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(f"--workload: {one_line(word)}: {error.strerror}") from error
    if len(content) > _MOST_BYTES:
        raise UsageError(
            f"--workload: {word}: found {len(content):,} bytes, want {_MOST_BYTES:,} at most"
        )
    explain(path)
    name = record.name_of(path)
    try:
        workloads.add_mixes({name: content.decode()})
    except ValueError as error:
        raise UsageError(f"--workload: {word}: {error}; rename the file") from error
    return name


def explain(path: Path) -> str:
    """Return what a mix's file describes, in words. Errors: UsageError with what is wrong in it."""
    argv = (str(proc.program(record.PROGRAM)), "explain", f"--file={path}")
    printed, said = trial.answer(argv, "")
    if not printed:
        raise UsageError(*(line.removeprefix(f"{record.PROGRAM}: ") for line in said.splitlines()))
    return printed


def texts(names: tuple[str, ...]) -> dict[str, str]:
    """Return the files of those of these workloads that are a user's own, for a recipe."""
    ours = {one.name for one in record.shipped()}
    return {name: text for name in names if name not in ours and (text := workloads.of(name).text)}
