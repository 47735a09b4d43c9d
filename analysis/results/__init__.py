"""Rows to results: a result per cell, with what proves it and what the workload did in it.

source       rows from the disk, and where they come from
disturbance  slices that something outside disturbed
hosts        on which machine rows were measured, and of what: a session, and so a ratio, has one
panel        rows of several cells on one grid of slots
result       the record of a cell: throughput and overhead, with intervals
estimates    rows to these records
facts        what a cell's slices say besides: WAL bytes, syncs, CPU, growth, inputs
doubts       what speaks against a cell's overhead
latency      how long requests took, of the slices' histograms
words        how results are said
ladder       what each step from no log to a device adds
curve        overhead over the latency of a sync: how fast one must be, what a device would cost
"""

from __future__ import annotations

from .estimates import by_group as by_group
from .estimates import estimate as estimate
from .estimates import every_cell as every_cell
from .estimates import of_panel as of_panel
from .estimates import twins as twins
from .panel import Panel as Panel
from .panel import panel_of as panel_of
from .panel import panels as panels
from .result import CellResult as CellResult
from .result import Doubt as Doubt
from .source import Origin as Origin
from .source import Source as Source
from .source import load as load
from .source import read as read
