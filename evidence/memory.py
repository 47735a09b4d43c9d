"""What must be true of a slice whose memory was bounded, by what its row says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_MIB = 1 << 20
# Read one after the other, while the kernel writes pages back; and what we read ourselves of the
# cell's files (their lists, their options) is charged to us.
_SLACK_BYTES = 2 * _MIB
_SLACK = 0.02
# A page of the cell's own counters, and of a server's.
_NO_LOG_BYTES = 1 * _MIB
# Of the bound: lists of files, options and info logs are read through the page cache always.
_PAST_THE_CACHE = 0.1

Told = Mapping[str, Any]


def contradictions(emulated: bool, told: Told) -> list[str]:
    """What speaks against a bound that the row claims, a sentence each; nothing without one."""
    means = told.get("memory_bound")
    if not means:
        return []
    limit, most = _number(told, "memory_limit_bytes"), _number(told, "memory_used_bytes_max")
    against = []
    if not limit or not most:
        against.append(f"memory is bounded by {means}, but nothing says what was used of it")
    elif most > limit:
        against.append(
            f"memory is bounded by {means} at {limit / _MIB:,.1f} MiB, but {most / _MIB:,.1f} MiB "
            "were used"
        )
    beside = _number(told, "memory_log_bytes") if emulated else _NO_LOG_BYTES
    bound = _number(told, "memory_bound_bytes")
    if limit > bound + max(beside, _NO_LOG_BYTES):
        against.append(
            f"the bound is {bound / _MIB:,.1f} MiB, but the kernel held to {limit / _MIB:,.1f}"
        )
    if told.get("memory_outside"):
        against.append(f"{told['memory_outside']} programs of the cell are outside of its bound")
    return against + _pages(means, told, limit)


def _pages(means: str, told: Told, limit: float) -> list[str]:
    """Pages of the data in memory are those that the bound counts."""
    resident = _number(told, "memory_resident_bytes")
    if told.get("memory_page_cache_bytes") is None:
        if resident > limit * _PAST_THE_CACHE + _SLACK_BYTES:
            return [
                f"memory is bounded by {means}, but {resident / _MIB:,.1f} MiB of the data are in "
                "the page cache"
            ]
        return []
    counted = _number(told, "memory_page_cache_bytes")
    if resident > counted * (1 + _SLACK) + _SLACK_BYTES:
        return [
            f"{resident / _MIB:,.1f} MiB of the data are in the page cache, but the bound counts "
            f"only {counted / _MIB:,.1f}: others hold the rest for it"
        ]
    return []


def _number(told: Told, name: str) -> float:
    """Zero for what is none: rows are read that somebody may have written."""
    value = told.get(name)
    return float(value) if isinstance(value, int | float) else 0.0
