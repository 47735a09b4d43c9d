"""Rows to overheads with intervals, tables, figures, reports. Reads rows and nothing else.

    rows = load([Path("results/20240101-linkbench-quick")])
    for one in estimate(rows): print(one.device, one.overhead, one.low, one.high)
    publish(reports.devices([Path("results/...")]), console)

results    rows to results: a result per cell, with what proves it, and how it is said
series     results over one axis: one list of columns for tables, files and figures
published  what others measured, beside ours
report     a report as a value: verdicts, tables, lines, figures, content
reports    the studies' reports
writers    the formats that reports are written in
figures    what reports draw
page       a report as one file for a browser

`load` and `estimate` need numpy and a corner of scipy; what draws is imported when called.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .report import Report
from .results import CellResult, estimate, every_cell, load

if TYPE_CHECKING:
    from rich.console import Console

__all__ = [
    "CellResult",
    "Report",
    "compare",
    "estimate",
    "every_cell",
    "load",
    "publish",
]


def publish(
    report: Report,
    console: Console,
    folder: Path | None = None,
    formats: Sequence[str] | None = None,
) -> list[Path]:
    """Print a report, write its files and name them; return their paths.

    Files go into `folder`, or else into the report's own, if it has one. `formats` are names of
    `writers.WRITERS`; the default is `writers.default`. Errors: UsageError for an unknown format.
    """
    from . import writers

    return writers.publish(report, console, folder, formats)


def compare(campaign: Path, a: str, b: str, console: Console) -> None:
    """Print throughput(a) / throughput(b) with its interval, a sentence per comparison group."""
    from ..base.terminal import say
    from .reports import pairs

    for pair in pairs.compare(load([campaign]), a, b):
        say(console, pairs.sentence(pair))
