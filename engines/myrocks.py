"""MyRocks: RocksDB as a storage engine of a MariaDB server."""

from __future__ import annotations

from . import rocksdb
from .engine import Engine, Server, Settings


def _mode(flush_at_commit: int, *, no_log: bool = False, manual_flush: bool = False) -> Settings:
    """Return the settings of a mode.

    `delayed` needs rocksdb_manual_wal_flush, MariaDB's default; without it, each commit writes, as
    in `flush`. With it, `flush` would be `delayed` and lose commits when only the server dies; so
    the other modes turn it off.
    """
    return {
        "rocksdb_flush_log_at_trx_commit": flush_at_commit,
        "rocksdb_write_disable_wal": no_log,
        "rocksdb_manual_wal_flush": manual_flush,
    }


SERVER = Server(
    plugin="ha_rocksdb.so",
    settings={
        "plugin_load_add": "ha_rocksdb.so",
        "default_storage_engine": "ROCKSDB",
        # No second engine, no second log: InnoDB would sync its own, and two
        # engines in one commit would log a third time (tc.log).
        "innodb": False,
    },
    modes={
        "sync": _mode(1),
        "flush": _mode(2),
        "delayed": _mode(0, manual_flush=True),
        "off": _mode(0, no_log=True),
    },
    # Even without a log RocksDB logs what is prepared; without 2PC nothing is.
    modes_with_binlog={"off": {"rocksdb_enable_2pc": False}},
    wal_dir="rocksdb_wal_dir",
    log_in="#rocksdb",
    log_names="*.log",
    version_in="#rocksdb/LOG",
    weakened={"rocksdb_wal_recovery_mode": ("3", rocksdb.WHY_WEAK)},
    flushes=("memtable_now", "memtable_and_lzero_now"),
)

ENGINE = Engine(
    name="myrocks",
    title="MyRocks",
    modes=("sync", "flush", "delayed", "off"),
    server=SERVER,
    wal_bytes="rocksdb_wal_bytes",
    wal_syncs="rocksdb_wal_synced",
    commit_groups="rocksdb_write_self",
    log_files=("#rocksdb/*.log",),
    background_per_s=1.0,
    growth=0.5,
    process_mib=100.0,
    cache="rocksdb_block_cache_size",
    log_bound="rocksdb_max_total_wal_size",
    info_log="#rocksdb/LOG",
    direct={
        "rocksdb_use_direct_reads": True,
        "rocksdb_use_direct_io_for_flush_and_compaction": True,
    },
)
