"""Judge rows as evidence, both when their slices are measured and when they are read.

A column that a row does not have is no contradiction: not every program counts all. What rows never
keep (files elsewhere, the processes with the tap) is judged only when the slice is measured.
"""

from __future__ import annotations

import math
from pathlib import Path

from .. import row as rows
from .. import workloads
from ..cell import TAP_RUNGS, Cell
from ..engines import DURABILITIES, ENGINES, Engine
from ..row import Row
from ..workloads import WORKLOADS
from . import nodes
from .rules import contradictions
from .witnesses import Observed

_TOLERANCE = 1e-6  # as a share; both are written with all their digits
# Without these, what the witnesses saw is unknown.
_NEEDED = ("wal_bytes", "tap_write_bytes", "tap_syncs", "tap_opens", "warmup_s", "measure_s")
_OF_RUNGS = ("tap_bytes_not_kept", "tap_syncs_at_once")


def read(path: Path) -> list[Row]:
    """Return the rows of a file, each judged. Errors: as `row.read`, and for an untrue row."""
    return rows.read(path, untrue)


def untrue(row: Row) -> list[str]:
    """Return what in an accepted row contradicts its label or itself, a sentence each."""
    if row["status"] != "ok":
        return []
    cell = Cell.of_row(row)
    against = _throughput(row) + nodes.unknown(cell)
    if row.get("tap_bypasses"):
        against.append(f"{row['tap_bypasses']} WAL accesses went around the tap, want none")
    known = cell.engine in ENGINES and cell.workload in WORKLOADS
    known = known and cell.durability in DURABILITIES
    if known and ENGINES[cell.engine].elsewhere:
        return against + contradictions(cell, row["emulated"], seen(cell, row))
    if against or not known or any(row.get(name) is None for name in _NEEDED):
        return against
    if cell.tap_rung and any(row.get(name) is None for name in _OF_RUNGS):
        return against
    against += nodes.contradictions(cell, row)
    return against + contradictions(cell, row["emulated"], seen(cell, row))


def _throughput(row: Row) -> list[str]:
    """Check that the throughput is what was counted, divided by the time that it took."""
    unit = workloads.UNITS.get(row["throughput_unit"])
    seconds, count = row.get("measure_s"), None
    if unit is not None:
        operation = unit.counted.upper().replace("-", "_")
        name = f"op_{operation}_count" if operation else "requests"
        count = row.get(name)
    if unit is None or unit.seconds is None or not seconds or not isinstance(count, int):
        return []
    wanted = count * unit.seconds / seconds
    if math.isclose(row["throughput"], wanted, rel_tol=_TOLERANCE):
        return []
    return [
        f"throughput is {row['throughput']:g} {unit.name}, but {name} is {count} in measure_s "
        f"{seconds:g}, want {wanted:g}"
    ]


def seen(cell: Cell, row: Row) -> Observed:
    """Return what the witnesses saw of a slice, according to its row.

    A measured slice has more (see `runners.slice_witnesses`): a missing column agrees with the
    label.
    """
    engine, seconds = ENGINES[cell.engine], rows.driven_s(row)
    if engine.elsewhere:
        return Observed(commits=row.get("commits"), seconds=seconds, row=row)
    rung = TAP_RUNGS.index(cell.tap_rung) + 1 if cell.tap_rung else 0
    uncounted = {} if engine.wal_syncs is not None else {"engine_wal_syncs": None}
    return Observed.of(
        row,
        engine_commit_groups=_groups(engine, row),
        seconds=seconds,
        tap_emulated=bool(row.get("tap_emulated", row["emulated"])),
        tap_rung=row.get("tap_rung", rung),
        **uncounted,
    )


def _groups(engine: Engine, row: Row) -> int | None:
    if engine.commit_groups is None:
        return None
    groups: int | None = row.get(engine.commit_groups.replace(".", "_"))
    return groups
