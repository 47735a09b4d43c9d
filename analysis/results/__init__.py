"""Rows to results: a result per cell, with what proves it and what the workload did in it.

source     rows from the disk, and where they come from
disturbed  slices that something outside disturbed
hosts      on which host and machine rows were measured: a session, and so a ratio, has one host
identity   what stood behind the names of a cell
panel      rows of several cells on one grid of slots
result     the record of a cell: throughput and overhead, with intervals
estimates  rows to these records
facts      what a cell's slices say besides: WAL bytes, syncs, CPU, growth, inputs
doubts     what speaks against a cell's overhead
latency    how long requests took, of the slices' histograms
words      how results are said
"""

from __future__ import annotations

from .estimates import by_group, estimate, every_cell, of_panel, twins
from .panel import Panel, panel_of, panels
from .result import CellResult, Doubt
from .source import Origin, Source, load, read

__all__ = [
    "CellResult",
    "Doubt",
    "Origin",
    "Panel",
    "Source",
    "by_group",
    "estimate",
    "every_cell",
    "load",
    "of_panel",
    "panel_of",
    "panels",
    "read",
    "twins",
]
