"""Judge rows as evidence, both when their slices are measured and when they are read.

A column that a row does not have is no contradiction: not every program counts all.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

from .. import row as rows
from .. import workloads
from ..base.errors import UsageError
from ..cell import Cell
from ..engines import DURABILITIES, ENGINES, Shards
from ..row import Row
from .rules import contradictions
from .slice import Slice

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
    cell, against = Cell.of_row(row), [*_throughput(row)]
    if row.get("tap_bypasses"):
        against.append(f"{row['tap_bypasses']} WAL accesses went around the tap, want none")
    try:
        Shards.of(cell.shards)
    except UsageError as error:
        against.append(str(error))
    of_now = cell.durability in DURABILITIES and cell.workload in workloads.WORKLOADS
    if against or cell.engine not in ENGINES or not of_now:
        return against
    needed = _NEEDED * (not ENGINES[cell.engine].elsewhere) + _OF_RUNGS * bool(cell.tap_rung)
    lacks = any(row.get(name) is None for name in needed)
    return [] if lacks else contradictions(Slice(cell, row))


def _throughput(row: Row) -> Iterator[str]:
    """Check that the throughput is what was counted, divided by the time that it took."""
    unit, seconds = workloads.UNITS.get(row["throughput_unit"]), row.get("measure_s")
    if unit is None or unit.seconds is None or not seconds:
        return
    operation = unit.counted.upper().replace("-", "_")
    name = f"op_{operation}_count" if operation else "requests"
    count = row.get(name)
    if count is None:
        return
    wanted = count * unit.seconds / seconds
    if not math.isclose(row["throughput"], wanted, rel_tol=_TOLERANCE):
        yield (
            f"throughput is {row['throughput']:g} {unit.name}, but {name} is {count} in measure_s "
            f"{seconds:g}, want {wanted:g}"
        )
