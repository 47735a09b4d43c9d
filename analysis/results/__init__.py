"""Rows to results: a result per cell, with what proves it and what the workload did in it.

reading    rows from the disk, checked to be one consistent set
origin     where the rows come from, and what limits them
panel      rows of several cells on one grid of slots
result     throughput and overhead of each cell, with intervals
proof      what proves a cell's label: WAL bytes, syncs, CPU
activity   what the workload did: growth, conflicts, inputs
work       what a cell did per sync and per request, for sweeps
"""

from __future__ import annotations

from .origin import Origin, Source, source
from .panel import Panel, panel, panels
from .proof import Proof
from .reading import load
from .result import CellResult, by_group, estimate, every_cell, of_panel

__all__ = [
    "CellResult",
    "Origin",
    "Panel",
    "Proof",
    "Source",
    "by_group",
    "estimate",
    "every_cell",
    "load",
    "of_panel",
    "panel",
    "panels",
    "source",
]
