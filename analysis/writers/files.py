"""A report's files: its content as JSON, its lines as CSV, its figures as PNG and SVG."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from rich.console import Console

from ...base.errors import naming
from ...base.folders.places import require_own
from ..figures import vector
from ..report import Report


def write_json(report: Report, _console: Console, folder: Path | None) -> list[Path]:
    """Write the content as <name>.json, if there is any."""
    if folder is None or report.content is None:
        return []
    require_own(folder)
    path = folder / f"{report.name}.json"
    with naming(path):
        path.write_text(json.dumps(report.content, indent=1, allow_nan=False) + "\n")
    return [path]


def write_csv(report: Report, _console: Console, folder: Path | None) -> list[Path]:
    """Write the lines as <name>.csv, if there are any; missing values are empty."""
    if folder is None or not report.lines:
        return []
    require_own(folder)
    path = folder / f"{report.name}.csv"
    with naming(path), path.open("w", newline="") as file:
        names = dict.fromkeys(name for line in report.lines for name in line)
        writer = csv.DictWriter(file, fieldnames=list(names))
        writer.writeheader()
        writer.writerows(report.lines)
    return [path]


def write_figures(report: Report, _console: Console, folder: Path | None) -> list[Path]:
    """Draw each figure as <name>.png and <name>.svg."""
    if folder is None or not report.figures:
        return []
    require_own(folder)
    written = []
    for name in report.figures:
        png, svg = folder / f"{name}.png", folder / f"{name}.svg"
        with naming(png):
            vector.draw(report, name, png)
        with naming(svg):
            svg.write_text(vector.svg(report, name))
        written += [png, svg]
    return written
