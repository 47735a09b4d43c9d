"""The memory of one cell: what its engine takes by its profile, and a bound on all of it."""

from .bound import CGROUP, DIRECT, Bound
from .engine import MIB, WAL_OVERSHOOT, cache_mib, log_mib, process_mib

__all__ = [
    "CGROUP",
    "DIRECT",
    "MIB",
    "WAL_OVERSHOOT",
    "Bound",
    "cache_mib",
    "log_mib",
    "process_mib",
]
