"""Check a slice whose memory was bounded, by what its row says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_MIB = 1 << 20
# A page of the cell's own counters, and one of a server's.
_NO_LOG_BYTES = 1 * _MIB

Row = Mapping[str, Any]


def contradictions(emulated: bool, row: Row) -> list[str]:
    """Return what contradicts the bound that a row claims, a sentence each; none without one."""
    means = row.get("memory_bound")
    if not means:
        return []
    limit, most = _number(row, "memory_limit_bytes"), _number(row, "memory_used_bytes_max")
    against = []
    if not limit or not most:
        against.append(f"memory is bounded by {means}, but nothing says what was used of it")
    elif most > limit:
        against.append(
            f"memory is bounded by {means} at {limit / _MIB:,.1f} MiB, but {most / _MIB:,.1f} MiB "
            "were used"
        )
    beside = _number(row, "memory_log_bytes") if emulated else _NO_LOG_BYTES
    bound = _number(row, "memory_bound_bytes")
    if limit > bound + max(beside, _NO_LOG_BYTES):
        against.append(
            f"the bound is {bound / _MIB:,.1f} MiB, but the kernel held to {limit / _MIB:,.1f}"
        )
    if row.get("memory_outside"):
        against.append(f"{row['memory_outside']} programs of the cell are outside of its bound")
    return against


def _number(row: Row, name: str) -> float:
    """Return a number of a row, 0 if it is none: anybody may have written the row."""
    value = row.get(name)
    return float(value) if isinstance(value, int | float) else 0.0
