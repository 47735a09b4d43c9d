"""The WAL's knobs: single settings that differ from the profile's, and their effect on durability.

A cell's `knob` is a key of `KNOBS`. The embedded engine gets it in its OPTIONS file, which every
program with RocksDB inside takes. `flush` (sync=0) is not a knob but a durability.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..base.errors import UsageError

Value = str | int | bool


@dataclass(frozen=True)
class Knob:
    """A change to the default.

    options     entries of the OPTIONS file's [DBOptions]
    durability  its effect on durability, in one sentence
    shrinks     fewer bytes arrive in the file than RocksDB counts
    dies        releases of RocksDB that die of it with several column families; it is measured only
                when named
    log_mib     the log's limit, which is measured only when named; 0: it is not a limit
    served      a server's settings instead, by the engines that have it
    mode        the durability of its cells; "": that which was requested
    bounds_loss how much a power cut loses depends on it; it is measured only when named
    sync_every_ms  a thread of the driver writes and syncs the log so often; 0: none
    """

    title: str
    options: Mapping[str, Value]
    durability: str
    shrinks: bool = False
    dies: str = ""
    log_mib: int = 0
    served: Mapping[str, Mapping[str, Value]] = field(default_factory=dict)
    mode: str = ""
    bounds_loss: bool = False
    sync_every_ms: int = 0

    @property
    def is_embedded(self) -> bool:
        return bool(self.options or self.sync_every_ms)

    @property
    def flags(self) -> Mapping[str, Value]:
        """Flags of a driver that has the engine in it."""
        return {"sync_every_ms": self.sync_every_ms} if self.sync_every_ms else {}

    @property
    def is_of_binlog(self) -> bool:
        return any("sync_binlog" in settings for settings in self.served.values())

    @property
    def is_delayed(self) -> bool:
        """Whether its log stays in the process until the driver's thread writes it."""
        return bool(self.sync_every_ms and self.options)


def _synced_every_ms(ms: int, *, manual: bool = False) -> Knob:
    lost = f"a power cut loses the last {ms} ms or so" + ", and so does a kill" * manual
    return Knob(
        f"{'manual_wal_flush, ' * manual}FlushWAL(sync) every {ms} ms",
        {"manual_wal_flush": True} if manual else {},
        f"commits wait for no sync: {lost}",
        mode="flush",
        bounds_loss=True,
        sync_every_ms=ms,
    )


def _binlog_every(groups: int) -> Knob:
    return Knob(
        f"sync_binlog={groups}",
        {},
        f"a power cut loses up to {groups} groups of the binlog, and replicas with it; the engine "
        "keeps what its own log has",
        served={engine: {"sync_binlog": groups} for engine in ("myrocks", "innodb")},
        bounds_loss=True,
    )


def _log_every_s(seconds: int) -> Knob:
    return Knob(
        f"innodb_flush_log_at_timeout={seconds}",
        {},
        f"commits wait for no sync: a power cut loses the last {seconds} s or so",
        served={"innodb": {"innodb_flush_log_at_timeout": seconds}},
        mode="flush",
        bounds_loss=True,
    )


def _log_limit(mib: int) -> Knob:
    """Limit about how much recovery must replay: memtables that need an older log are flushed."""
    return Knob(
        f"max_total_wal_size={mib} MiB",
        {"max_total_wal_size": mib << 20},
        "none: what is in memory is flushed so that no log beyond the limit is needed, and after a "
        "crash less is replayed (waltax receipts recovery)",
        log_mib=mib,
        served={
            "myrocks": {"rocksdb_max_total_wal_size": mib << 20},
            "innodb": {"innodb_log_file_size": mib << 20},
        },
    )


KNOBS: dict[str, Knob] = {
    "manual-flush": Knob(
        "manual_wal_flush",
        {"manual_wal_flush": True},
        "with sync none: a sync writes the buffer first; with flush a killed process loses up to "
        "1 MiB of acknowledged commits, since none of these programs calls FlushWAL",
    ),
    "pipelined-write": Knob(
        "enable_pipelined_write",
        {"enable_pipelined_write": True},
        "none: the next group may write the log while this one fills the memtable",
    ),
    "wal-bytes-per-sync": Knob(
        "wal_bytes_per_sync=512K",
        {"wal_bytes_per_sync": 524288},
        "none: sync_file_range starts writeback and makes nothing durable",
    ),
    "wal-compression": Knob(
        "wal_compression=ZSTD",
        {"wal_compression": "kZSTD"},
        "none; before release 9.0 RocksDB calls it work in progress",
        shrinks=True,
    ),
    "recycled-logs": Knob(
        "recycle_log_file_num=4",
        {"recycle_log_file_num": 4, "wal_recovery_mode": "kSkipAnyCorruptedRecords"},
        "recovery must be kSkipAnyCorruptedRecords, or RocksDB before 9.1 silently recycles "
        "nothing: a damaged record is skipped, and later ones are kept",
        dies="7.8",
    ),
    "no-fallocate": Knob(
        "allow_fallocate=0",
        {"allow_fallocate": False},
        "none: the file grows with each write",
    ),
    "fsync": Knob(
        "use_fsync",
        {"use_fsync": True},
        "none: fsync instead of fdatasync, which both make an appended log durable",
    ),
    **{f"log-{mib}": _log_limit(mib) for mib in (4, 16, 64)},
    **{f"sync-{ms}ms": _synced_every_ms(ms) for ms in (10, 100, 1000)},
    "manual-flush-100ms": _synced_every_ms(100, manual=True),
    **{f"sync-binlog-{groups}": _binlog_every(groups) for groups in (10, 100, 1000)},
    **{f"log-every-{seconds}s": _log_every_s(seconds) for seconds in (2, 4)},
}


def knob(name: str) -> Knob | None:
    """Return a cell's knob; None for an empty name. Errors: UsageError for an unknown one."""
    if not name:
        return None
    if name not in KNOBS:
        raise UsageError(f"knob: found {name!r}; one of {', '.join(KNOBS)}")
    return KNOBS[name]


def served(name: str, engine: str) -> Mapping[str, Value]:
    """Return the settings of a server of `engine` for a cell's knob; none for an empty name.

    Errors: UsageError for an unknown knob, or one that the engine does not have.
    """
    setting = knob(name)
    if setting is None:
        return {}
    if engine not in setting.served:
        has = ", ".join(key for key, known in KNOBS.items() if engine in known.served)
        raise UsageError(f"knobs: found {name} with --engine {engine}, which has {has}")
    return setting.served[engine]
