"""Rows as evidence: what a row says of its slice is judged when it is measured, and when read.

A column that a row does not have is no contradiction: older releases wrote fewer. What rows never
keep (files elsewhere, the processes with the tap, the blocks of files) is judged when the slice is
measured, and only then.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from .. import row, workloads
from ..cell import TAP_RUNGS, Cell
from ..engines import DURABILITIES, ENGINES, Engine
from ..row import Row
from ..workloads import WORKLOADS
from . import nodes
from .observed import Observed, commits
from .rules import contradictions

_TOLERANCE = 1e-6  # a share; both are written with all their digits
# Without these nothing is known of what the witnesses saw.
_NEEDED = ("wal_bytes", "tap_write_bytes", "tap_syncs", "tap_opens", "warmup_s", "measure_s")
_OF_RUNGS = ("tap_bytes_not_kept", "tap_syncs_at_once")


def read(path: Path) -> list[Row]:
    """The rows of a file, each judged. Errors: as `row.read`, and for a row that is not true."""
    return row.read(path, untrue)


def untrue(one: Row) -> list[str]:
    """What in an accepted row contradicts its label, or itself, a sentence each."""
    if one["status"] != "ok":
        return []
    cell = Cell.of_row(one)
    found = _throughput(one) + nodes.unknown(cell)
    if one.get("tap_bypasses"):
        found.append(f"{one['tap_bypasses']} WAL accesses went around the tap, want none")
    known = cell.engine in ENGINES and cell.workload in WORKLOADS
    known = known and cell.durability in DURABILITIES
    if known and ENGINES[cell.engine].elsewhere:
        return found + contradictions(cell, one["emulated"], seen(cell, one))
    if found or not known or any(one.get(name) is None for name in _NEEDED):
        return found
    if cell.tap_rung and any(one.get(name) is None for name in _OF_RUNGS):
        return found
    found += nodes.contradictions(cell, one)
    return found + contradictions(cell, one["emulated"], seen(cell, one))


def _throughput(one: Row) -> list[str]:
    """The throughput is what was counted, by the time that it took."""
    unit = workloads.UNITS.get(one["throughput_unit"])
    seconds, count = one.get("measure_s"), None
    if unit is not None:
        operation = unit.counted.upper().replace("-", "_")
        name = f"op_{operation}_count" if operation else "requests"
        count = one.get(name)
    if unit is None or unit.seconds is None or not seconds or not isinstance(count, int):
        return []
    wanted = count * unit.seconds / seconds
    if math.isclose(one["throughput"], wanted, rel_tol=_TOLERANCE):
        return []
    return [
        f"throughput is {one['throughput']:g} {unit.name}, but {name} is {count} in measure_s "
        f"{seconds:g}, want {wanted:g}"
    ]


def seen(cell: Cell, one: Row) -> Observed:
    """What the witnesses saw of a slice, as its row has it.

    While it is measured the row has more (`runners.observed.moment`): what is not there agrees with
    the label.
    """
    engine, done, seconds = ENGINES[cell.engine], _commits(cell, one), row.driven_s(one)
    if engine.elsewhere:
        elapsed_s = one.get("machine_elapsed_s")
        return Observed(commits=done, seconds=seconds, elapsed_s=elapsed_s, row=one)
    if one.get("tap_writes") is None:  # which commits are compared with: older rows have none
        done = None
    rung = TAP_RUNGS.index(cell.tap_rung) + 1 if cell.tap_rung else 0
    uncounted = {} if engine.wal_syncs is not None else {"engine_wal_syncs": None}
    return Observed.of(
        one,
        engine_commit_groups=_groups(engine, one),
        commits=done,
        seconds=seconds,
        tap_emulated=bool(one.get("tap_emulated", one["emulated"])),
        tap_rung=one.get("tap_rung", rung),
        own_syncs_known=done is not None or "definitions" in one,
        **uncounted,
    )


def _groups(engine: Engine, one: Row) -> int | None:
    if engine.commit_groups is None:
        return None
    found: int | None = one.get(engine.commit_groups.replace(".", "_"))
    return found


def _commits(cell: Cell, one: Row) -> int | None:
    """As `commits` of the driver's event, of which the columns are; None of a row without these."""
    if one.get("commits") is not None:
        return commits(cell.workload, one)
    operations: dict[str, Any] = {}
    for name in WORKLOADS[cell.workload].writes or ():
        count, none = (one.get(f"op_{name}_{what}") for what in ("count", "not_found"))
        if count is not None:
            operations[name] = {"count": count, "not_found": none or 0}
    counted = {name: one.get(name) for name in ("requests", "slice_requests")}
    if not operations or None in counted.values():
        return None
    return commits(cell.workload, {**counted, "operations": operations})
