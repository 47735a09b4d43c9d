"""How much memory a cell's engine takes, as its profile says."""

from __future__ import annotations

import re

from ....engines import ENGINES
from ....errors import UsageError
from ....profiles import Profile

WAL_OVERSHOOT = 1.5
"""RocksDB deletes a WAL only when all its memtables are flushed, so that the live WAL overshoots
its bound by the one being written."""
MIB = 1 << 20
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def cache_mib(profile: Profile, workload: str | None) -> float:
    """The largest cache of one cell; of a server without a workload's own settings if None.

    Errors: UsageError when a server's is not set.
    """
    if not ENGINES[profile.engine].on_server:
        return profile.embedded.block_cache_mb
    return _mib(profile, workload, ENGINES[profile.engine].cache)


def log_mib(profile: Profile, workload: str | None) -> float:
    """The bound of one cell's log. Errors: UsageError when a server's is not set."""
    if not ENGINES[profile.engine].on_server:
        return profile.embedded.max_total_wal_mb
    return _mib(profile, workload, ENGINES[profile.engine].log_bound)


def process_mib(profile: Profile, workload: str | None, cached_mib: float = float("inf")) -> float:
    """One cell's processes at their largest: cache and memtables (about the WAL's bound).

    `cached_mib` is the most that there is to be cached.
    """
    engine = ENGINES[profile.engine]
    memtables_mib = 0.0 if engine.writes_pages else log_mib(profile, workload)
    return min(cache_mib(profile, workload), cached_mib) + memtables_mib + engine.process_mib


def _mib(profile: Profile, workload: str | None, name: str) -> float:
    told = profile.server if workload is None else profile.server_settings(workload)
    value = told.get(name)
    size = re.fullmatch(r"(\d+)([KMG]?)", str(value), re.IGNORECASE)
    if size is None:
        raise UsageError(
            f"profile {profile.name}: server.{name}: found {value!r}, want a size such as "
            '"512M": the memory that a campaign needs is planned by it'
        )
    return int(size[1]) * _UNITS[size[2].upper()] / MIB
