"""report.html: a report as one file that a browser opens without a network, and without scripts.

provenance  where it was measured, and what measures it again
draw        all of it as HTML, through `templates`
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from ..report import Report

NAME = "report.html"


def write(report: Report, _console: Console, folder: Path | None) -> list[Path]:
    """Write the page of a report with rows as report.html; the last report of a folder wins."""
    if folder is None or report.source is None:
        return []
    from ..writers.files import saved
    from . import draw

    return saved(folder, NAME, draw.page(report, report.source))
