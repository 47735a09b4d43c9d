"""The record of an engine: facts that hold for all its cells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Settings = Mapping[str, str | int | float | bool]
"""Keys of a my.cnf, with `_` between words: {"rocksdb_block_size": 16384}."""


@dataclass(frozen=True)
class Server:
    """The settings that make a MariaDB server this engine's server."""

    plugin: str | None  # the library that provides it; None: it is part of every server
    settings: Settings  # in addition to those of every server
    modes: Mapping[str, Settings]  # by durability: the settings that implement it
    wal_dir: str  # the setting that places the log
    # By durability, the additional settings that a server with a binlog needs for it.
    modes_with_binlog: Mapping[str, Settings] = field(default_factory=dict, kw_only=True)
    log_in: str  # the folder of the log files below the data directory; "" is the directory itself
    log_names: str  # the pattern of their names
    shown: Mapping[str, bool] = field(default_factory=dict)  # SHOW VARIABLES must show these, too
    version_in: str | None = None  # the info log with RocksDB's release; None: the server's is it
    # Variables with the value at which a power cut may lose what was synced, and the reason.
    weakened: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    flushes: tuple[str, ...] = ()  # rocksdb_force_flush_*: what a client may have flushed at once


@dataclass(frozen=True)
class Engine:
    """An engine. Counters have their names in the driver's events and a server's status.

    `modes` are the durabilities that it can promise; `why_not` names the nearest mode for each of
    the others. Patterns are below the data directory.
    """

    name: str
    title: str
    modes: tuple[str, ...]
    why_not: Mapping[str, str] = field(default_factory=dict)
    server: Server | None = None  # None: the engine is part of the driver's process
    wal_bytes: str = ""  # counter of the bytes appended to the log
    wal_syncs: str | None = None  # counter of the log's syncs; None: the engine has none
    # Counter of writes to the log, each by a leader for its group.
    commit_groups: str | None = None
    log_files: tuple[str, ...] = ()  # logs that belong elsewhere
    # Independently of commits, a background thread syncs the log this often; in `delayed` it also
    # writes it.
    background_per_s: float = 0.0
    # It also writes its log ahead of data pages, so that even modes without syncs have some.
    writes_pages: bool = False
    # For plans, measured with `quick` on two cores.
    copied: float = 0.0  # share of a data set's bytes that a clone copies instead of linking
    growth: float = 1.0  # of a clone in a session, against the embedded engine's
    process_mib: float = 0.0  # memory of its process beside cache and memtables
    cache: str = ""  # setting with the size of its largest cache
    log_bound: str = ""  # setting that bounds the log's size
    info_log: str | None = None  # RocksDB's own log below the data directory; None: it has none
    # Settings that make data bypass the page cache, so that only `cache` holds it.
    direct: Settings = field(default_factory=dict)
    # Of shards: the engine of each node; None: it is not a store of several nodes.
    node_engine: str | None = None
    # A server that its owner runs, with any protocol: waltax does not place or configure it.
    elsewhere: bool = False
    # A program of the user's own, which waltax starts under the tap and knows nothing else of.
    is_program: bool = False
    reference: str = "off"  # what its baseline is called in reports

    @property
    def store(self) -> str:
        """The engine that a driver and a profile know; of shards, a node's."""
        return self.node_engine or self.name

    @property
    def on_server(self) -> bool:
        """Whether the engine has a process of its own and the driver is its client."""
        return self.server is not None

    @property
    def served(self) -> Server:
        """Its server's settings. REQUIRES: it is on a server."""
        assert self.server is not None
        return self.server

    @property
    def has_off(self) -> bool:
        """Whether it can run without a log, which then is the baseline."""
        return "off" in self.modes

    @property
    def baseline(self) -> str:
        """The durability that the others are compared with: the weakest that it can promise."""
        return "off" if self.has_off else "delayed"
