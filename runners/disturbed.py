"""Which slices something outside disturbed, by the rule of the profile.

What our own cells do cannot disturb them: foreign CPU time is neither the driver's nor the
server's, and the memory's speed is taken while all cells are frozen.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from ..profiles.model import Disturbed
from ..row import Row, driven_s
from . import emulation

_WALKS_AT_LEAST = 20  # before which nobody knows what is usual here
_LATEST = 200  # walks that say so
EMULATION, FOREIGN, STEAL, MEMORY, SHORT, THROTTLED, PAUSED = (
    "late emulation",
    "foreign CPU",
    "steal",
    "memory speed",
    "memory short",
    "throttled",
    "paused",
)


def reasons(rule: Disturbed, seen: Row, before: Sequence[Row]) -> list[str]:
    """Why a slice with these columns counts as disturbed; none where nothing is known.

    `before` are the campaign's rows so far, which say how fast its memory usually is.
    """
    elapsed_s = seen.get("machine_elapsed_s") or 0.0
    cpu_s = elapsed_s * (seen.get("cores") or 1)
    shares = (
        (FOREIGN, seen.get("cpu_foreign_s"), rule.foreign_cpu_share, cpu_s),
        (STEAL, seen.get("steal_s"), rule.steal_share, cpu_s),
        (SHORT, _short_s(seen), rule.memory_pressure_share, elapsed_s),
        (THROTTLED, seen.get("cgroup_throttled_s"), rule.throttled_share, elapsed_s),
    )
    found = [name for name, some_s, share, of_s in shares if (some_s or 0.0) > share * of_s > 0]
    if emulation.too_long(seen):
        found.append(EMULATION)
    stepped_s = abs(seen.get("machine_clock_step_s") or 0.0)
    if seen.get("programs_stopped") or max(_late_s(seen), stepped_s) > rule.pause_s:
        found.append(PAUSED)
    walks = [row["machine_walk_ns"] for row in before if row.get("machine_walk_ns")][-_LATEST:]
    walk_ns = seen.get("machine_walk_ns")
    known = walk_ns is not None and len(walks) >= _WALKS_AT_LEAST
    if known and walk_ns > rule.walk_ratio * statistics.median(walks):
        found.append(MEMORY)
    return found


def _short_s(seen: Row) -> float:
    """How long somebody waited for memory, but for a cell that waits since its own is bounded."""
    own_s = (seen.get("cell_psi_memory_some_s") or 0.0) if seen.get("memory_bound") else 0.0
    return (seen.get("psi_memory_some_s") or 0.0) - own_s


def by_nothing_else(row: Row) -> bool:
    """Whether nothing disturbed a slice but its own emulated device."""
    return set(row.get("disturbed") or ()) <= {EMULATION}


def _late_s(seen: Row) -> float:
    """How much longer waltax waited for a slice than its driver took; of whole runs, nothing.

    What the driver's own requests waited for is the cell's, whatever its length.
    """
    if not seen.get("warmup_s"):
        return 0.0
    return float(seen.get("machine_elapsed_s", 0.0) - driven_s(seen))
