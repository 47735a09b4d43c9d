"""What a cell loses against its baseline: a share of throughput, and time a request."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ... import workloads
from ...cell import Cell
from .. import stats
from ..stats import Drawn, Interval
from .panel import Panel


@dataclass(frozen=True)
class Cost:
    """Fractions, and microseconds; None where it cannot be known."""

    overhead: Interval
    median_of_ratios: float | None = None
    added_us_per_request: float | None = None
    added_us_per_request_whole_system: float | None = None


def cost_of(panel: Panel, cell: Cell, drawn: Drawn | None) -> Cost:
    """Of a cell whose ratio to its baseline was drawn so; None: it is the baseline."""
    mine, baseline = panel.values(cell), panel.values(cell.baseline)
    if drawn is None and np.isfinite(mine).any():
        return Cost(Interval(0.0, 0.0, 0.0), 0.0, 0.0, 0.0)
    matched = panel.matched(cell, cell.baseline)
    with_wal, without = mine[matched], baseline[matched]
    if drawn is None or not without.any():  # it may have done nothing
        return Cost(Interval(None, None, None))
    ratio = drawn.interval()
    median = 1 - float(np.median(with_wal[without > 0] / without[without > 0]))
    unit_s = workloads.UNITS[panel.rows[cell][0]["throughput_unit"]].seconds
    if not ratio.value or unit_s is None:
        return Cost(ratio.complement(), median)
    # Little's law in a closed loop: each of `threads` clients waits threads / throughput.
    off = stats.mean(np.where(matched, baseline, np.nan), panel.by).value
    assert off
    added = 1e6 * unit_s / off * (1 / ratio.value - 1)
    return Cost(ratio.complement(), median, added * cell.threads, added)
