"""Settings that keep a log from being flushed before the kill, and what they need."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ... import workloads
from ...base.errors import UsageError
from ...engines import ENGINES, Settings
from ...profiles import Profile
from ...runners.cells import cell_memory
from ...runners.cells.live import Share

MIB = 1 << 20
_ROOM = 3  # size of memtables over that of the log: entries are larger there
_COLUMN_FAMILIES = (
    16  # of a workload on MyRocks, including MyRocks' own; each has its own memtables
)
_PAGES = 4  # size of InnoDB's buffer pool over that of the log: changed pages are larger there
_SMALLEST_MIB = 32  # of InnoDB's log
_DISK = (
    7  # disk over the log: the log, its copy, what is reserved behind it, the tables made from it
)
_LONGEST_MIB = {"innodb": (512 << 10) // 2}  # the file of its log is twice as large
_LONGEST_MIB_OF_MEMTABLES = (64 << 10) // _ROOM  # RocksDB's are at most 64 GiB


def require(engine: str, log_mib: int) -> None:
    """Refuse a log that no setting keeps from being flushed. Errors: UsageError."""
    longest = _LONGEST_MIB.get(engine, _LONGEST_MIB_OF_MEMTABLES)
    if log_mib > longest:
        raise UsageError(
            f"--logs: found {log_mib}; {ENGINES[engine].title} can be set so that it flushes "
            f"nothing of a log up to {longest} MiB; type shorter lengths"
        )


def needs(profile: Profile, workload: str, log_mib: int) -> Share:
    """Return the most disk and memory that a kill and an opening take."""
    data_mib, engine = profile.workload(workload).data_mb, ENGINES[profile.engine]
    return Share(
        disk_mib=data_mib * (1 + 2 * engine.copied) + _DISK * log_mib,
        processes_mib=cell_memory.process_mib(profile, workload) + _PAGES * log_mib,
    )


def unflushed(profile: Profile, workload: str, log_mib: int) -> Profile:
    """Return the profile with settings by which nothing of such a log is flushed."""
    name, section = workloads.of(workload).sized_by, profile.section_as_it_is(workload)
    assert section is not None
    if ENGINES[profile.engine].on_server:
        own, cache_mib = profile.server_settings(workload), cell_memory.cache_mib(profile, workload)
        large = _OF_SERVERS[profile.engine](own, log_mib, int(cache_mib))
        served = section.model_copy(update={"server": {**section.server, **large}})
        return profile.model_copy(update={name: served})
    options = {**section.column_family, "write_buffer_size": _ROOM * log_mib * MIB}
    total = {"max_total_wal_mb": _ROOM * log_mib * _COLUMN_FAMILIES}
    return profile.model_copy(
        update={
            name: section.model_copy(update={"column_family": options}),
            "rocksdb": profile.embedded.model_copy(update=total),
        }
    )


def _myrocks(settings: Settings, log_mib: int, _cache_mib: int) -> Settings:
    """Return MyRocks' settings. RocksDB takes the last of options that are named twice."""
    options = str(settings.get("rocksdb_default_cf_options", ""))
    large = f"write_buffer_size={_ROOM * log_mib * MIB}"
    return {
        "rocksdb_default_cf_options": f"{options};{large}" if options else large,
        "rocksdb_max_total_wal_size": _ROOM * log_mib * _COLUMN_FAMILIES * MIB,
        "rocksdb_db_write_buffer_size": 0,
    }


def _innodb(_settings: Settings, log_mib: int, cache_mib: int) -> Settings:
    """Return InnoDB's settings. It writes pages early by default, and must from four fifths on."""
    return {
        "innodb_log_file_size": max(2 * log_mib, _SMALLEST_MIB) * MIB,
        "innodb_buffer_pool_size": (cache_mib + _PAGES * log_mib) * MIB,
        "innodb_adaptive_flushing": False,
        "innodb_max_dirty_pages_pct": 99,
        "innodb_max_dirty_pages_pct_lwm": 0,
    }


_OF_SERVERS: Mapping[str, Callable[[Settings, int, int], Settings]] = {
    "myrocks": _myrocks,
    "innodb": _innodb,
}
