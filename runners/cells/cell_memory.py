"""Plan the memory of a cell: what its engine takes by its profile, and a bound on all of it."""

from __future__ import annotations

import math
import os

from ...base.errors import UsageError
from ...base.kernel import Kernel
from ...engines import ENGINES
from ...profiles import Profile, values
from ..recipe.parts import CGROUP, DIRECT, MIB, Bound
from .control_groups import hierarchy

WAL_OVERSHOOT = 1.5
"""RocksDB deletes a WAL only when all its memtables are flushed, so that the live WAL overshoots
its bound by the one being written."""
# One of our driver programs before it has opened anything, and its threads.
_DRIVER_MIB = 24.0
# What the page cache needs for files to be read and written at all, a few blocks for each client.
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


def require_room(profile: Profile, workload: str, bound: Bound) -> None:
    """Raise UsageError, which names the minimum, for a bound that leaves nothing to the data."""
    cache = cache_mib(profile, workload)
    _require(profile, workload, bound, cache, _FLOOR_MIB if bound.by == CGROUP else 0.0)


def cache_within(profile: Profile, workload: str, bound: Bound) -> int:
    """Return the size in MiB of a cache that has all the memory that a bound leaves to the data.

    Errors: UsageError when it leaves none.
    """
    _require(profile, workload, bound, 0.0, 2 * _FLOOR_MIB)
    left = bound.mib - _memtables_mib(profile, workload) - _programs_mib(profile) - _FLOOR_MIB
    return int(left * (_OF_A_POOL if ENGINES[profile.engine].writes_pages else 1.0))


def _require(profile: Profile, workload: str, bound: Bound, cache: float, floor: float) -> None:
    memtables, programs = _memtables_mib(profile, workload), _programs_mib(profile)
    least = math.ceil(cache + memtables + programs + floor)
    if bound.mib < least:
        raise UsageError(
            f"--memory: found {bound.mib} MiB, but with profile {profile.name} of {profile.engine} "
            f"the cache takes {cache:g} MiB, memtables {memtables:g} and programs {programs:g}, so "
            f"that nothing is left to the data; type --memory {least}MiB or more, or "
            "a --profile whose caches are smaller"
        )


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


def means(wanted: str, kernel: Kernel | None = None) -> str:
    """Return who holds a bound here: as `wanted`, or for "auto" a group if that is possible.

    Errors: UsageError, with the remedy, if groups are wanted and not available.
    """
    if wanted == DIRECT:
        return DIRECT
    why = _why_no_group(kernel or Kernel())
    if why is None:
        return CGROUP
    if wanted == CGROUP:
        raise UsageError(
            f"--memory-by: found cgroup, but {why}; or type --memory-by direct, "
            "which bounds the engine's cache and reads past the page cache"
        )
    return DIRECT


def _why_no_group(kernel: Kernel) -> str | None:
    """Say why no group can be made here, and what would help; return None if one can."""
    where = hierarchy(kernel)
    if where is None:
        return (
            "no control group here bounds memory: mount a hierarchy that has the memory controller"
        )
    if not os.access(where.point, os.W_OK):
        return f"user {os.geteuid()} may make no group in {where.point}: run as root"
    return None
