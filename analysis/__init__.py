"""Rows to overheads with intervals, tables, figures, reports. Reads rows and nothing else.

    rows = load([Path("results/20240101-linkbench-quick")])
    for one in estimate(rows): print(one.device, one.overhead, one.low, one.high)
    writers.publish(reports.devices([Path("results/...")]), console)

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

from .report import Report
from .results import CellResult, estimate, every_cell, load

__all__ = ["CellResult", "Report", "estimate", "every_cell", "load"]
