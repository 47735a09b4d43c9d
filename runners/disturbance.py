"""Find the slices that something outside disturbed, by the rule of the profile.

Our own cells cannot disturb them: foreign CPU time is neither the driver's nor the server's.
"""

from __future__ import annotations

from ..profiles.model import Disturbed
from ..row import Row, driven_s
from . import emulation

EMULATION, FOREIGN, STEAL, SHORT, THROTTLED, PAUSED = (
    "late emulation",
    "foreign CPU",
    "steal",
    "memory short",
    "throttled",
    "paused",
)

# The kernel counts CPU time in ticks of 10 ms, and one or two are a tenth of a shorter slice.
_LEAST_S = 0.2


def reasons(rule: Disturbed, seen: Row) -> list[str]:
    """Return why a slice with these columns counts as disturbed; what is unknown is no reason."""
    elapsed_s = seen.get("machine_elapsed_s") or 0.0
    cpu_s = elapsed_s and max(elapsed_s, _LEAST_S) * (seen.get("cores") or 1)
    shares = (
        (FOREIGN, seen.get("cpu_foreign_s"), rule.foreign_cpu_share, cpu_s),
        (STEAL, seen.get("steal_s"), rule.steal_share, cpu_s),
        (SHORT, seen.get("psi_memory_some_s"), rule.memory_pressure_share, elapsed_s),
        (THROTTLED, seen.get("cgroup_throttled_s"), rule.throttled_share, elapsed_s),
    )
    names = [name for name, some_s, share, of_s in shares if (some_s or 0.0) > share * of_s > 0]
    if emulation.too_long(seen):
        names.append(EMULATION)
    if _late_s(seen) > rule.pause_s:
        names.append(PAUSED)
    return names


def by_nothing_else(row: Row) -> bool:
    """Return whether nothing disturbed a slice but its own emulated device."""
    return set(row.get("disturbed") or ()) <= {EMULATION}


def _late_s(seen: Row) -> float:
    """Return how much longer waltax waited for a slice than its driver took; 0 for whole runs.

    Waits of the driver's own requests belong to the cell, however long they are.
    """
    if not seen.get("warmup_s"):
        return 0.0
    return float(seen.get("machine_elapsed_s", 0.0) - driven_s(seen))
