"""What an engine's record says: facts that hold for every cell of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Settings = Mapping[str, str | int | float | bool]
"""Keys of a my.cnf with `_` between words: {"rocksdb_block_size": 16384}."""


@dataclass(frozen=True)
class Server:
    """What a MariaDB server must be told so that it is this engine's server."""

    storage: str  # the storage engine's name, as ENGINE= and sysbench take it
    plugin: str | None  # the library that brings it; None: it is part of every server
    sign: str  # a file or folder that only its data directories have
    settings: Settings  # beside those that every server is told
    modes: Mapping[str, Settings]  # by durability: what makes a mode mean what the word says
    wal_dir: str  # the setting that places the log
    # By durability, what a server with a binlog must be told besides, so that the word holds.
    modes_with_binlog: Mapping[str, Settings] = field(default_factory=dict, kw_only=True)
    log_in: str  # the folder of the log files below the data directory; "" is the directory itself
    log_names: str  # the pattern of their names
    log_variables: tuple[str, ...]  # variables that say when a commit is in the log, and where
    shown: Mapping[str, bool] = field(default_factory=dict)  # that SHOW VARIABLES must show, too
    version_in: str | None = None  # the info log that tells RocksDB's release; None: the server's
    # Variables and the value with which a power cut may take what was synced, and why.
    weakened: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    flushes: tuple[str, ...] = ()  # rocksdb_force_flush_*: what a client may have flushed at once


@dataclass(frozen=True)
class Engine:
    """One engine. Counters are named as the driver's events and a server's status name them.

    `modes` are the durabilities that it can promise; `why_not` says of the others what comes
    nearest. Patterns are below the data directory.
    """

    name: str
    title: str
    modes: tuple[str, ...]
    why_not: Mapping[str, str]
    server: Server | None  # None: the engine is part of the driver's process
    wal_bytes: str  # counter of the bytes appended to the log
    wal_syncs: str | None  # of the log's syncs; None: the engine counts none
    commit_groups: str | None  # of writes to the log that each a leader made for its group
    log_files: tuple[str, ...]  # logs that belong elsewhere
    # What its files are, for sizes on disk: rows and indexes; logs of every kind. The rest is a
    # server's own tables and metadata.
    data_files: tuple[str, ...]
    all_logs: tuple[str, ...]
    # Beside what commits do, a thread of its own syncs the log this often; in `delayed` after it
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
    info_log: str | None  # RocksDB's own log below the data directory; None: it has none
    # Settings by which data is read and written past the page cache, so that `cache` has all of it.
    direct: Settings = field(default_factory=dict)
    # Of shards: the engine that each node is; None: it is no store of several nodes.
    node_engine: str | None = None
    # A server that its owner runs, by whichever protocol: waltax neither places nor sets it.
    elsewhere: bool = False

    @classmethod
    def unknown(cls, name: str) -> Engine:
        """The record of an engine of which only the name is known."""
        return cls(
            name=name,
            title=name,
            modes=("off",),
            why_not={},
            server=None,
            wal_bytes="",
            wal_syncs=None,
            commit_groups=None,
            log_files=(),
            data_files=(),
            all_logs=(),
            background_per_s=0.0,
            writes_pages=False,
            copied=0.0,
            growth=1.0,
            process_mib=0.0,
            cache="",
            log_bound="",
            info_log=None,
        )

    @property
    def store(self) -> str:
        """The engine that a driver and a profile know: a node's, of shards."""
        return self.node_engine or self.name

    @property
    def on_server(self) -> bool:
        """Whether the engine is in a process of its own, whose client the driver is."""
        return self.server is not None

    @property
    def served(self) -> Server:
        """REQUIRES: it is on a server."""
        assert self.server is not None
        return self.server

    @property
    def has_off(self) -> bool:
        """Whether it can run without a log, which is the baseline then."""
        return "off" in self.modes

    @property
    def baseline(self) -> str:
        """The durability that the others are compared with: the weakest that it can promise."""
        return "off" if self.has_off else "delayed"
