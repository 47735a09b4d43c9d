"""What the runners must know of each engine; its settings are in the profile."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ..errors import UsageError
from ..profiles import Profile


@dataclass(frozen=True)
class Engine:
    """Counters are named as the driver's events name them."""

    title: str
    on_server: bool  # else in the driver's process
    wal_bytes: str  # counter of the bytes appended to the log
    wal_syncs: str | None  # of the log's syncs; None: the engine counts none
    commit_groups: str | None  # of writes to the log that each a leader made for its group
    log_files: tuple[str, ...]  # patterns below the data directory: logs that belong elsewhere
    # Beside what commits do: a thread of its own syncs the log this often, in `delayed` after it
    # has written it.
    background_per_s: float
    # It writes its log ahead of data pages, too: then even modes without a sync have some.
    writes_pages: bool
    # For plans, measured with `quick` on two cores.
    copied: float  # of a data set's bytes, what a clone has copies of instead of links
    growth: float  # of a clone in a session, against the embedded engine's
    process_mib: float  # of its process beside cache and memtables
    cache: str  # setting with the size of its largest cache
    log_bound: str  # setting that bounds the log's size


# By the names of `cell.ENGINES`.
ENGINES = {
    "rocksdb": Engine(
        title="RocksDB",
        on_server=False,
        wal_bytes="rocksdb.wal.bytes",
        wal_syncs="rocksdb.wal.synced",
        commit_groups="rocksdb.write.self",
        log_files=("*.log",),
        background_per_s=0.0,
        writes_pages=False,
        copied=0.0,
        growth=1.0,
        process_mib=0.0,
        cache="block_cache_mb",
        log_bound="max_total_wal_mb",
    ),
    "myrocks": Engine(
        title="MyRocks",
        on_server=True,
        wal_bytes="rocksdb_wal_bytes",
        wal_syncs="rocksdb_wal_synced",
        commit_groups="rocksdb_write_self",
        log_files=("#rocksdb/*.log",),
        background_per_s=1.0,
        writes_pages=False,
        copied=0.0,
        growth=0.5,
        process_mib=100.0,
        cache="rocksdb_block_cache_size",
        log_bound="rocksdb_max_total_wal_size",
    ),
    "innodb": Engine(
        title="InnoDB",
        on_server=True,
        wal_bytes="innodb_os_log_written",
        wal_syncs=None,
        commit_groups=None,
        log_files=("ib_logfile*",),
        background_per_s=1.0,
        writes_pages=True,
        copied=1.0,
        growth=0.5,
        process_mib=150.0,
        cache="innodb_buffer_pool_size",
        log_bound="innodb_log_file_size",
    ),
}

_MIB = 1 << 20
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def cache_mib(profile: Profile, workload: str) -> float:
    """The largest cache of one cell. Errors: UsageError when a server's is not set."""
    if not ENGINES[profile.engine].on_server:
        return profile.embedded.block_cache_mb
    return _mib(profile, workload, ENGINES[profile.engine].cache)


def log_mib(profile: Profile, workload: str) -> float:
    """The bound of one cell's log. Errors: UsageError when a server's is not set."""
    if not ENGINES[profile.engine].on_server:
        return profile.embedded.max_total_wal_mb
    return _mib(profile, workload, ENGINES[profile.engine].log_bound)


def _mib(profile: Profile, workload: str, name: str) -> float:
    value = profile.server_settings(workload).get(name)
    found = re.fullmatch(r"(\d+)([KMG]?)", str(value), re.IGNORECASE)
    if found is None:
        raise UsageError(
            f"profile {profile.name}: server.{name}: found {value!r}, want a size such as "
            '"512M": the memory that a campaign needs is planned by it'
        )
    return int(found[1]) * _UNITS[found[2].upper()] / _MIB


def stray_log_files(engine: str, datadir: Path, wal_dir: Path) -> tuple[Path, ...]:
    """Log files with data in the data directory, where none belongs."""
    if datadir == wal_dir:
        return ()
    found = [path for pattern in ENGINES[engine].log_files for path in datadir.glob(pattern)]
    return tuple(path for path in sorted(found) if path.stat().st_size > 0)


def versions(engine: str, described: Mapping[str, str], server: str | None) -> dict[str, str]:
    """Names to versions, of `ready.engine` and of a server's own engine."""
    if server is None:
        return {"rocksdb": described["rocksdb_version"]}
    mariadb = {"mariadb": described["server_version"].partition("-")[0]}
    return mariadb | ({"rocksdb": server} if engine == "myrocks" else {})
