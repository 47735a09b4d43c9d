"""A report for programs, beside the rows: its content as JSON, its lines as CSV."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from rich.console import Console

from ...owned.places import require_own
from ..report import Report


def write_json(report: Report, _console: Console, folder: Path | None) -> list[Path]:
    """Write the content as <name>.json, where there is some."""
    if folder is None or report.content is None:
        return []
    require_own(folder)
    path = folder / f"{report.name}.json"
    path.write_text(json.dumps(report.content, indent=1, allow_nan=False) + "\n")
    return [path]


def write_csv(report: Report, _console: Console, folder: Path | None) -> list[Path]:
    """Write the lines as <name>.csv, where there are some; all have the keys of the first."""
    if folder is None or not report.lines:
        return []
    require_own(folder)
    path = folder / f"{report.name}.csv"
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(report.lines[0]))
        writer.writeheader()
        writer.writerows(report.lines)
    return [path]
