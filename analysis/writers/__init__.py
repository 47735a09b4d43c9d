"""The formats of reports. A new one is a module with a `Writer`, and a line here."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console

from ...base.errors import UsageError
from ...base.terminal import say
from .. import page
from ..report import Report
from . import files, markdown, terminal

Writer = Callable[[Report, Console, Path | None], list[Path]]
"""Prints a report, or writes it into a folder where there is one; returns the files' paths."""

WRITERS: dict[str, Writer] = {
    "terminal": terminal.write,
    "markdown": markdown.write,
    "json": files.write_json,
    "csv": files.write_csv,
    "figures": files.write_figures,
    "html": page.write,
}
DEFAULT = ("terminal", "json", "csv", "html")
VARIABLE = "WALTAX_FORMATS"


def default() -> tuple[str, ...]:
    """What a report is written in unless asked otherwise: the variable's words, or `DEFAULT`.

    The page shows every figure, and to draw them as files, too, takes as long as all the rest.
    Errors: UsageError for a format that there is not.
    """
    return _known(os.environ.get(VARIABLE, "").split(), VARIABLE) or DEFAULT


def _known(formats: Sequence[str], told: str) -> tuple[str, ...]:
    for name in formats:
        if name not in WRITERS:
            raise UsageError(f"{told}: found {name!r}; one of {', '.join(WRITERS)}")
    return tuple(formats)


def publish(
    report: Report,
    console: Console,
    folder: Path | None = None,
    formats: Sequence[str] | None = None,
) -> list[Path]:
    """Write a report in each of these formats; returns the paths of its files, which it names.

    Files go into `folder`, or into the report's own; None is the `default`. Errors: UsageError
    for a format that there is not, and for a folder of somebody else's.
    """
    formats = _known(formats or (), "--format") or default()
    folder = folder or report.folder
    written = [path for name in formats for path in WRITERS[name](report, console, folder)]
    if written:
        say(console, f"In {folder}: {', '.join(path.name for path in written)}")
    return written
