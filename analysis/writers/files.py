"""A report's files: its content as JSON, its lines as CSV, its figures as PNG and SVG."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from ...base.errors import naming
from ...base.folders.places import require_own
from .. import figures
from ..report import Report


def saved(folder: Path, name: str, text: str) -> list[Path]:
    """Write a file of a report. Errors: UsageError for a folder of somebody else's."""
    require_own(folder)
    path = folder / name
    with naming(path):
        path.write_text(text, encoding="utf-8", newline="")
    return [path]


def csv_of(lines: Sequence[Mapping[str, Any]], end: str = "\r\n") -> str:
    """Return lines as CSV, with a column for each name; missing values are empty."""
    text = io.StringIO()
    names = dict.fromkeys(name for line in lines for name in line)
    writer = csv.DictWriter(text, fieldnames=list(names), lineterminator=end)
    writer.writeheader()
    writer.writerows(lines)
    return text.getvalue()


def write_json(report: Report, _console: Console, folder: Path | None) -> list[Path]:
    """Write the content as <name>.json, if there is any."""
    if folder is None or report.content is None:
        return []
    text = json.dumps(report.content, indent=1, allow_nan=False)
    return saved(folder, f"{report.name}.json", text + "\n")


def write_csv(report: Report, _console: Console, folder: Path | None) -> list[Path]:
    """Write the lines as <name>.csv, if there are any."""
    if folder is None or not report.lines:
        return []
    return saved(folder, f"{report.name}.csv", csv_of(report.lines))


def write_page(report: Report, _console: Console, folder: Path | None) -> list[Path]:
    """Write the page of a report with rows as report.html; the last report of a folder wins."""
    if folder is None or report.source is None:
        return []
    from .. import page

    return saved(folder, page.FILE, page.page(report, report.source))


def write_figures(report: Report, _console: Console, folder: Path | None) -> list[Path]:
    """Draw each figure as <name>.png and <name>.svg."""
    if folder is None:
        return []
    written = []
    for name, make in report.figures.items():
        require_own(folder)
        png = folder / f"{name}.png"
        with naming(png):
            svg = figures.draw(make, png)
        written += [png, *saved(folder, f"{name}.svg", svg)]
    return written
