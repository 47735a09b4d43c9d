"""InnoDB, the storage engine that every MariaDB server has. It cannot run without its log."""

from __future__ import annotations

from .engine import Engine, Server

SERVER = Server(
    plugin=None,
    settings={
        "default_storage_engine": "InnoDB",
        # Off means O_DIRECT, which is another experiment than "write, then sync".
        "innodb_log_file_buffering": True,
        # Its block size, which InnoDB otherwise takes from the file system: 4096 on a
        # disk, but 512 on a memory file system, where a disk is emulated.
        "innodb_log_write_ahead_size": 4096,
        # A clone must not start by reading a list of old pages.
        "innodb_buffer_pool_dump_at_shutdown": False,
        "innodb_buffer_pool_load_at_startup": False,
        # MyRocks' default. The driver retries what met a lock, for 10 s in all, which would
        # be a single attempt with InnoDB's default of 50 s.
        "innodb_lock_wait_timeout": 1,
    },
    modes={
        "sync": {"innodb_flush_log_at_trx_commit": 1},
        "flush": {"innodb_flush_log_at_trx_commit": 2},
        "delayed": {"innodb_flush_log_at_trx_commit": 0, "innodb_flush_log_at_timeout": 1},
    },
    wal_dir="innodb_log_group_home_dir",
    log_in="",
    log_names="ib_logfile*",
    shown={"innodb_log_file_buffering": True},
    weakened={
        "innodb_doublewrite": (
            "OFF",
            "a page that a power cut tears is lost with what was committed in it",
        )
    },
)

ENGINE = Engine(
    name="innodb",
    title="InnoDB",
    modes=("sync", "flush", "delayed"),
    why_not={
        "off": "innodb always writes its log: delayed comes nearest, and is the baseline of every "
        "campaign of it",
    },
    server=SERVER,
    wal_bytes="innodb_os_log_written",
    log_files=("ib_logfile*",),
    background_per_s=1.0,
    writes_pages=True,
    copied=1.0,
    growth=0.5,
    process_mib=150.0,
    cache="innodb_buffer_pool_size",
    log_bound="innodb_log_file_size",
    direct={"innodb_flush_method": "O_DIRECT"},
)
