"""The studies' reports. A new one is a module that makes a `Report`, and a line here.

writers.publish(reports.devices([Path("results/...")]), console)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from ..report import Report
from .builds import builds as builds
from .campaign import devices as devices
from .cell_sweeps import memory as memory
from .cell_sweeps import shards as shards
from .cell_sweeps import threads as threads
from .gate import floor as floor
from .gate import gate as gate
from .knobs import knobs as knobs
from .latency import latency as latency
from .load import load as load
from .program import program as program
from .receipts import receipts as receipts
from .recovery import KEPT, MODES_KEPT
from .recovery import recovery as recovery
from .recovery import recovery_modes as recovery_modes
from .sizes import sizes as sizes
from .why import why as why

WITHOUT_ROWS: Mapping[str, Callable[[Path], Report]] = {
    KEPT: recovery,
    MODES_KEPT: recovery_modes,
}
"""Reports by the file that a command keeps instead of a campaign's rows."""
