"""The studies' reports. A new one is a module that makes a `Report`, and a line here.

publish(reports.devices([Path("results/...")]), console)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from ..report import Report
from .builds import builds
from .campaign import devices
from .gate import against, floor, gate
from .knobs import knobs
from .latency import latency
from .memory import memory
from .paper_table import paper
from .receipts import receipts
from .recovery import KEPT, recovery
from .recovery_modes import KEPT as MODES_KEPT
from .recovery_modes import recovery_modes
from .releases import releases
from .shards import shards
from .sizes import sizes
from .statements import KEPT as STATEMENTS_KEPT
from .statements import statements
from .threads import threads
from .why import why

__all__ = [
    "against",
    "builds",
    "devices",
    "floor",
    "gate",
    "knobs",
    "latency",
    "memory",
    "paper",
    "receipts",
    "recovery",
    "recovery_modes",
    "releases",
    "shards",
    "sizes",
    "statements",
    "threads",
    "why",
]

WITHOUT_ROWS: Mapping[str, Callable[[Path], Report]] = {
    KEPT: recovery,
    MODES_KEPT: recovery_modes,
    STATEMENTS_KEPT: statements,
}
"""By the file that a command keeps instead of a campaign's rows: the report of its folder."""
