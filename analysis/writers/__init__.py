"""The formats of reports. To add one, write a module with a `Writer`, and a line here."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console

from ...base.errors import UsageError
from ...base.terminal import say
from ..report import Report
from . import files, markdown, monitoring, terminal

Writer = Callable[[Report, Console, Path | None], list[Path]]
"""Prints a report, or writes it into a folder, if any; returns the files' paths."""

WRITERS: dict[str, Writer] = {
    "terminal": terminal.write,
    "markdown": markdown.write,
    "json": files.write_json,
    "csv": files.write_csv,
    "figures": files.write_figures,
    "html": files.write_page,
    "openmetrics": monitoring.write_openmetrics,
    "otava": monitoring.write_otava,
}
DEFAULT = ("terminal", "json", "csv", "html")
VARIABLE = "WALTAX_FORMATS"


def default() -> tuple[str, ...]:
    """Return a report's default formats: the words of the environment variable, or `DEFAULT`.

    The page shows every figure, and drawing files as well takes as long as all the rest.
    Errors: UsageError for an unknown format.
    """
    return _known(os.environ.get(VARIABLE, "").split(), VARIABLE) or DEFAULT


def _known(formats: Sequence[str], source: str) -> tuple[str, ...]:
    for name in formats:
        if name not in WRITERS:
            raise UsageError(f"{source}: found {name!r}; one of {', '.join(WRITERS)}")
    return tuple(formats)


def publish(
    report: Report,
    console: Console,
    folder: Path | None = None,
    formats: Sequence[str] | None = None,
) -> list[Path]:
    """Write a report in each of these formats; name its files and return their paths.

    Files go into `folder`, or into the report's own; None is the `default`. Errors: UsageError for
    an unknown format, and for a folder of somebody else's.
    """
    formats = _known(formats or (), "--format") or default()
    folder = folder or report.folder
    written = [path for name in formats for path in WRITERS[name](report, console, folder)]
    if written:
        say(console, f"In {folder}: {', '.join(path.name for path in written)}")
    return written
