"""Judge rows as evidence, both when their slices are measured and when they are read.

A column that a row does not have is no contradiction: not every program counts all. What rows never
keep (files elsewhere, the processes with the tap) is judged only when the slice is measured.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

from .. import row as rows
from .. import workloads
from ..base.errors import UsageError
from ..cell import Cell
from ..engines import ENGINES, Shards
from ..row import Row
from .rules import contradictions
from .slice import Slice, is_known

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
    against = [*_throughput(row), *_unknown_shards(cell)]
    if row.get("tap_bypasses"):
        against.append(f"{row['tap_bypasses']} WAL accesses went around the tap, want none")
    if not is_known(cell):
        return against
    needed: tuple[str, ...] = () if ENGINES[cell.engine].elsewhere else _NEEDED
    needed += _OF_RUNGS if cell.tap_rung else ()
    lacks = any(row.get(name) is None for name in needed)
    return against if against or lacks else contradictions(Slice(cell, row))


def _unknown_shards(cell: Cell) -> Iterator[str]:
    """Say that nobody knows how the cell's store was cut."""
    try:
        Shards.of(cell.shards)
    except UsageError as error:
        yield str(error)


def _throughput(row: Row) -> Iterator[str]:
    """Check that the throughput is what was counted, divided by the time that it took."""
    unit = workloads.UNITS.get(row["throughput_unit"])
    seconds, count = row.get("measure_s"), None
    if unit is not None:
        operation = unit.counted.upper().replace("-", "_")
        name = f"op_{operation}_count" if operation else "requests"
        count = row.get(name)
    if unit is None or unit.seconds is None or not seconds or not isinstance(count, int):
        return
    wanted = count * unit.seconds / seconds
    if not math.isclose(row["throughput"], wanted, rel_tol=_TOLERANCE):
        yield (
            f"throughput is {row['throughput']:g} {unit.name}, but {name} is {count} in measure_s "
            f"{seconds:g}, want {wanted:g}"
        )
