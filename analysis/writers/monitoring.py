"""A campaign's cells for tools that watch figures over time: OpenMetrics text, and Otava's CSV."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Any

from rich.console import Console

from ...base.terminal import say
from ...cell import COLUMNS
from ...row import Row
from ..report import Report
from ..reports.campaign_end import NAME
from ..results import every_cell
from .files import csv_of, saved

_FIGURES = ("throughput", "overhead")


def write_openmetrics(report: Report, _console: Console, folder: Path | None) -> list[Path]:
    """Write each number of each cell as a gauge into <name>.prom."""
    if folder is None or report.name != NAME or not report.lines:
        return []
    text = "".join(f"{line}\n" for line in _metrics(report.lines))
    return saved(folder, f"{report.name}.prom", text)


def _metrics(cells: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for name in dict.fromkeys(name for cell in cells for name in cell if name not in COLUMNS):
        values = [(cell, cell.get(name)) for cell in cells]
        samples = [(cell, float(value)) for cell, value in values if isinstance(value, int | float)]
        if samples:
            yield f"# TYPE waltax_{name} gauge"
        for cell, value in samples:
            yield f"waltax_{name}{{{_labels(cell)}}} {value!r}"
    yield "# EOF"


def _labels(cell: Mapping[str, Any]) -> str:
    escaped = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})
    named = ((name, str(cell.get(name) or "")) for name in ("cell", *COLUMNS))
    return ",".join(f'{name}="{text.translate(escaped)}"' for name, text in named if text)


def write_otava(report: Report, console: Console, folder: Path | None) -> list[Path]:
    """Write a line for each campaign, oldest first, and a column for each figure of each cell.

    Several campaigns have no folder, so theirs are printed.
    """
    if report.name != NAME or report.source is None:
        return []
    by_campaign = groupby(
        sorted(report.source.rows, key=lambda row: row["campaign"]), lambda row: row["campaign"]
    )
    lines = sorted((_line(list(rows)) for _, rows in by_campaign), key=lambda line: line["time"])
    text = csv_of(lines, "\n")
    if folder is None:
        say(console, *text.splitlines())
        return []
    return saved(folder, "otava.csv", text)


def _line(rows: Sequence[Row]) -> dict[str, Any]:
    began = datetime.fromtimestamp(min(row["start_unix_s"] for row in rows), UTC)
    figures = {
        f"{result.cell}.{name}": getattr(result, name)
        for result in every_cell(rows)
        for name in _FIGURES[: 1 if result.is_baseline else 2]
    }
    about = {"time": began.isoformat(timespec="seconds"), "campaign": rows[0]["campaign"]}
    return {**about, "commit": rows[0].get("git_commit") or "", **figures}
