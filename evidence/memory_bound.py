"""Check a slice whose memory was bounded, by what its row says."""

from __future__ import annotations

from collections.abc import Iterator

from .slice import Slice

_MIB = 1 << 20
# A page of the cell's own counters, and one of a server's.
_NO_LOG_BYTES = 1 * _MIB


def contradictions(seen: Slice) -> Iterator[str]:
    """Yield what contradicts the bound that a row claims, a sentence each; none without one."""
    means = seen["memory_bound"]
    if not means:
        return
    limit, most = seen["memory_limit_bytes"], seen["memory_used_bytes_max"]
    if not limit or not most:
        yield f"memory is bounded by {means}, but nothing says what was used of it"
    elif most > limit:
        yield (
            f"memory is bounded by {means} at {limit / _MIB:,.1f} MiB, but {most / _MIB:,.1f} MiB "
            "were used"
        )
    bound, beside = seen["memory_bound_bytes"], seen["memory_log_bytes"] if seen.emulated else 0
    if limit > bound + max(beside, _NO_LOG_BYTES):
        yield f"the bound is {bound / _MIB:,.1f} MiB, but the kernel held to {limit / _MIB:,.1f}"
    if seen["memory_outside"]:
        yield f"{seen['memory_outside']} programs of the cell are outside of its bound"
