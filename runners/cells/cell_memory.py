"""Plan the memory of a cell: what its engine takes by its profile, and a bound on all of it."""

from __future__ import annotations

import math

from ...base.errors import UsageError
from ...engines import ENGINES
from ...profiles import Profile, values
from ..recipe.parts import MIB, Bound

WAL_OVERSHOOT = 1.5
"""RocksDB deletes a WAL only when all its memtables are flushed, so that the live WAL overshoots
its bound by the one being written."""
# One of our driver programs before it has opened anything, and its threads.
_DRIVER_MIB = 24.0
# For buffers of reads and writes past the page cache, a few blocks for each client.
_FLOOR_MIB = 8.0
# RocksDB's defaults.
_OF_MEMTABLES = {"write_buffer_size": 64 << 20, "max_write_buffer_number": 2}
# InnoDB's pages as a share of its buffer pool; the rest describes what is in them.
_OF_A_POOL = 0.9


def cache_mib(profile: Profile, workload: str) -> float:
    """Return the largest cache of a cell. Errors: UsageError when a server's is not set."""
    if not ENGINES[profile.engine].on_server:
        return profile.embedded.block_cache_mb
    return _mib(profile, workload, ENGINES[profile.engine].cache)


def log_mib(profile: Profile, workload: str) -> float:
    """Return the bound of a cell's log. Errors: UsageError when a server's is not set."""
    if not ENGINES[profile.engine].on_server:
        return profile.embedded.max_total_wal_mb
    return _mib(profile, workload, ENGINES[profile.engine].log_bound)


def process_mib(profile: Profile, workload: str, cached_mib: float = float("inf")) -> float:
    """Return a cell's processes at their largest: cache and memtables (about the WAL's bound).

    `cached_mib` is the most data that can be cached.
    """
    engine = ENGINES[profile.engine]
    memtables_mib = 0.0 if engine.writes_pages else log_mib(profile, workload)
    return min(cache_mib(profile, workload), cached_mib) + memtables_mib + engine.process_mib


def _mib(profile: Profile, workload: str, name: str) -> float:
    value = profile.server_settings(workload).get(name)
    size = values.parse(str(value))
    if not isinstance(size, int) or isinstance(size, bool):
        raise UsageError(
            f"profile {profile.name}: server.{name}: found {value!r}, want a size such as "
            '"512M": the memory that a campaign needs is planned by it'
        )
    return size / MIB


def cache_within(profile: Profile, workload: str, bound: Bound) -> int:
    """Return the size in MiB of a cache that has all the memory that a bound leaves to the data.

    Errors: UsageError, which names the minimum, when it leaves none.
    """
    memtables, programs = _memtables_mib(profile, workload), _programs_mib(profile)
    least = math.ceil(memtables + programs + 2 * _FLOOR_MIB)
    if bound.mib < least:
        raise UsageError(
            f"--memory: found {bound.mib} MiB, but with profile {profile.name} of {profile.engine} "
            f"memtables take {memtables:g} MiB, programs {programs:g} and the least cache "
            f"{2 * _FLOOR_MIB:g}; type --memory {least}MiB or more"
        )
    left = bound.mib - memtables - programs - _FLOOR_MIB
    return int(left * (_OF_A_POOL if ENGINES[profile.engine].writes_pages else 1.0))


def _programs_mib(profile: Profile) -> float:
    """Return what a cell's programs take beside caches, memtables and log."""
    return ENGINES[profile.engine].process_mib + _DRIVER_MIB


def _memtables_mib(profile: Profile, workload: str) -> float:
    """Return about the log's bound: what the log holds is in memtables as well.

    Without a log only their own options bound them, those of one column family at least.
    """
    engine = ENGINES[profile.engine]
    if engine.writes_pages:
        return 0.0
    bound = log_mib(profile, workload)
    if engine.on_server:
        return bound
    options = {**profile.embedded.column_family, **profile.workload(workload).column_family}
    sizes = [values.parse(str(options.get(*of))) for of in _OF_MEMTABLES.items()]
    return max(bound, math.prod(size for size in sizes if isinstance(size, int)) / MIB)
