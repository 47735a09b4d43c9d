"""Rows to results: 1 - throughput(cell) / throughput(baseline), matched round by round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

import numpy as np

from ... import workloads
from ...cell import Cell
from ...row import Row
from .. import stats
from ..stats import NOTHING, Interval
from . import doubts
from .panel import Panel, panels
from .result import CellResult

_AGAIN = "again"
_OF_CELL = (
    *("engine", "workload", "profile", "device", "durability", "threads"),
    *("replica", "knob", "build"),
)


def estimate(rows: Sequence[Row]) -> list[CellResult]:
    """Return one result per cell that is not a baseline, replicas of `off` included."""
    return [result for result in every_cell(rows) if not result.is_baseline]


def every_cell(
    rows: Sequence[Row],
    target_half_width: float | None = None,
    replicas: Sequence[CellResult] = (),
) -> list[CellResult]:
    """Return all results, baselines included, one comparison group after another, cheapest first.

    `target_half_width`, a fraction, is what the intervals were to reach. `replicas` are the twins
    of these rows; what they reveal is among the results' doubts.
    """
    twin = {replica.at.baseline: replica for replica in replicas}
    return [
        replace(result, target_half_width=target_half_width, twin=twin.get(result.at.baseline))
        for panel in panels(rows)
        for result in of_panel(panel)
    ]


def twins(rows: Sequence[Row]) -> list[CellResult]:
    """Return a result per twin of a baseline: an overhead that should be 0."""
    cells = ((Cell.of_row(row), row) for row in rows)
    # Under another name it is a cell of its own.
    again = [
        row | {"replica": _AGAIN} if cell.is_twin else row
        for cell, row in cells
        if cell.is_twin or cell.is_baseline
    ]
    return [
        result
        for panel in panels(again)
        for result in of_panel(panel)
        if result.replica == _AGAIN and result.baseline
    ]


def by_group(results: Sequence[CellResult]) -> list[list[CellResult]]:
    """Split results into comparison groups, in the order of `every_cell`."""
    return [list(members) for _, members in groupby(results, lambda result: result.at.group)]


def of_panel(panel: Panel) -> list[CellResult]:
    """Return one result per cell of the group, the baseline first, then the cheapest."""
    results = [_result(panel, cell) for cell in panel.rows]
    if all(result.has_off for result in results):
        return sorted(results, key=_cheapest_first)
    # Keep each device with its baseline, the cheapest device first.
    dearest: dict[str, float] = {}
    for result in results:
        dearest[result.device] = max(dearest.get(result.device, 0.0), result.overhead or 0.0)
    return sorted(
        results, key=lambda result: (dearest[result.device], result.device, _cheapest_first(result))
    )


def _cheapest_first(result: CellResult) -> tuple[bool, bool, float, str]:
    return not result.is_baseline, result.overhead is None, result.overhead or 0.0, result.cell


def _result(panel: Panel, cell: Cell) -> CellResult:
    rows = panel.rows[cell]
    against = panel.rows.get(cell.baseline)
    throughput = stats.mean(panel.values(cell), panel.by)
    failures = [row["failure"] for row in rows if row["status"] == "failed"]
    every = (row for mine in panel.rows.values() for row in mine)
    slots = np.isfinite(panel.values(cell))
    matched = panel.matched(cell, cell.baseline) if against else slots
    return CellResult(
        at=cell,
        rows=rows,
        cell=rows[0]["cell"],
        **{name: getattr(cell, name) for name in _OF_CELL},
        **{name: rows[0][name] for name in ("emulated", "device_kind", "throughput_unit")},
        several_modes=len({cell.durability for cell in panel.rows} - {"off"}) > 1,
        paced=next((row["paced"] for row in every if row.get("paced") is not None), None),
        baseline=against[0]["cell"] if against else None,
        throughput=throughput.value,
        throughput_low=throughput.low,
        throughput_high=throughput.high,
        **_cost(panel, cell),
        occasions=np.unique(panel.by.occasion[matched]).size,
        hosts=np.unique(panel.by.host[matched]).size if any(panel.hosts) else 0,
        sessions=np.unique(panel.by.session[matched]).size,
        rounds=int(matched.sum()),
        rounds_unmatched=int(slots.sum() - matched.sum()),
        failed_slices=len(failures),
        failures=tuple(dict.fromkeys(failures)),
        panel=panel,
        doubted=doubts.of,
    )


def _cost(panel: Panel, cell: Cell) -> dict[str, Any]:
    """Return the cost of a cell under the field names of a result; None if it cannot be known."""
    mine, baseline = panel.values(cell), panel.values(cell.baseline)
    matched = panel.matched(cell, cell.baseline)
    with_wal, without = mine[matched], baseline[matched]
    overhead, median, added = NOTHING, None, None
    if cell.is_baseline and np.isfinite(mine).any():
        overhead, median, added = Interval(0.0, 0.0, 0.0), 0.0, 0.0
    elif not cell.is_baseline and without.any():  # the cell may have done nothing
        ratio = panel.ratio(cell, cell.baseline)
        overhead = ratio.complement()
        median = 1 - float(np.median(with_wal[without > 0] / without[without > 0]))
        unit_s = workloads.UNITS[panel.rows[cell][0]["throughput_unit"]].seconds
        # Little's law in a closed loop: each of `threads` clients waits threads / throughput.
        off = stats.mean(np.where(matched, baseline, np.nan), panel.by).value
        if ratio.value and off and unit_s is not None:
            added = 1e6 * unit_s / off * (1 / ratio.value - 1) * cell.threads
    return {
        **{"overhead": overhead.value, "low": overhead.low, "high": overhead.high},
        "overhead_median_of_ratios": median,
        "added_us_per_request": added,
    }
