"""RocksDB, embedded in the driver's process."""

from __future__ import annotations

from .engine import Engine

SKIPPING = "kSkipAnyCorruptedRecords"
"""The value of wal_recovery_mode that skips unreadable records."""
WHY_WEAK = "what is recovered may lack commits in its middle, and nobody is told"

ENGINE = Engine(
    name="rocksdb",
    title="RocksDB",
    modes=("sync", "flush", "off"),
    why_not={
        "delayed": "rocksdb has no thread that writes the log for it: flush comes nearest",
    },
    wal_bytes="rocksdb.wal.bytes",
    wal_syncs="rocksdb.wal.synced",
    commit_groups="rocksdb.write.self",
    log_files=("*.log",),
    cache="block_cache_mb",
    log_bound="max_total_wal_mb",
    process_mib=16.0,  # malloc's arenas, and the buffers of flushes and compactions
    info_log="LOG",
    direct={
        "use_direct_reads": True,
        "use_direct_io_for_flush_and_compaction": True,
        # By default each input of a compaction has 2 MiB, which no bound on memory foresees.
        "compaction_readahead_size": 256 << 10,
    },
)
