"""Facts about a cell's accepted slices, warm-up included: what proves its label, what it cost.

A fact is None if it was not recorded by every slice that it needs.
"""

from __future__ import annotations

import re
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, get_type_hints

from ... import workloads
from ...row import Row
from ...workload import Grown

COMMITS = ("rocksdb_write_self", "rocksdb_write_other")
"""The columns whose sum is the number of commits, whether grouped or alone."""

# The least number of syncs in a slice for a percentile. Fewer come from a background thread that
# syncs once a second.
_ENOUGH = {50: 10, 99: 100}
_PROGRAMS = {
    **{"mariadb": "MariaDB", "rocksdb": "RocksDB"},
    **{"redis": "Redis", "kvrocks": "Kvrocks"},
}


@dataclass(frozen=True)
class Sums:
    """Slices, to be added up by column."""

    slices: Sequence[Row]

    def total(self, *columns: str) -> float | None:
        """Return the total of these columns.

        None if a slice lacks a column: a partial sum would look like a small one.
        """
        values = [row.get(column) for row in self.slices for column in columns]
        known = [value for value in values if value is not None]
        return float(sum(known)) if values and len(known) == len(values) else None

    def over(self, above: Sequence[str], below: str, scale: float = 1.0) -> float | None:
        """Return the total of some columns divided by that of another; None if that is 0."""
        top, bottom = self.total(*above), self.total(below)
        return scale * top / bottom if top is not None and bottom else None

    def median(self, column: str) -> float | None:
        """Return the median over the slices that have this column."""
        values = [row[column] for row in self.slices if row.get(column) is not None]
        return statistics.median(values) if values else None

    def first(self, column: str) -> Any:
        """Return the first value that is set; None if there is none."""
        return next((row[column] for row in self.slices if row.get(column)), None)


Fact = Callable[[Sums], Any]


def facts_of(slices: Sequence[Row]) -> dict[str, Any]:
    """Return every fact about these slices, by its name."""
    sums = Sums(slices)
    return {name: fact(sums) for name, fact in FACTS.items()}


def _count(column: str) -> Fact:
    def of(sums: Sums) -> int | None:
        total = sums.total(column)
        return None if total is None else int(total)

    return of


def _over(*above: str, below: str = "slice_requests", scale: float = 1.0) -> Fact:
    return lambda sums: sums.over(above, below, scale)


def _first(column: str) -> Fact:
    return partial(Sums.first, column=column)


def _sync_us(log: str, q: int) -> Fact:
    """Return the median of the slices' percentiles, over slices with enough syncs."""

    def of(sums: Sums) -> float | None:
        many = [row for row in sums.slices if (row.get(f"{log}_syncs") or 0) >= _ENOUGH[q]]
        return Sums(many).median(f"{log}_sync_us_p{q}")

    return of


def _files(column: str, sums: Sums) -> int | None:
    """Return how many files were written; None if no row names any."""
    named = [row for row in sums.slices if column in row]
    files = {(row["campaign"], row["session"], name) for row in named for name in row[column] or ()}
    return len(files) if named else None


def _wal_dirs(sums: Sums) -> tuple[str, ...]:
    return tuple(dict.fromkeys(row["wal_dir"] for row in sums.slices if row.get("wal_dir")))


def _syncs_per_request(sums: Sums) -> float | None:
    counted = "tap_syncs" if sums.total("wal_syncs") is None else "wal_syncs"
    return sums.over([counted], "slice_requests")


def _versions(sums: Sums) -> tuple[str, ...]:
    pairs = [pair for row in sums.slices for pair in (row.get("versions") or {}).items()]
    named = [f"{_PROGRAMS[name]} {version}" for name, version in pairs if name in _PROGRAMS]
    return tuple(dict.fromkeys(named))


def _rests_on(sums: Sums) -> str | None:
    """Return the settings that the server of the last slice reported; None for one of ours."""
    last = next((row for row in reversed(sums.slices) if row.get("endpoint")), None)
    if last is None:
        return None
    if last.get("log_mode") is None:
        return "its owner's word: its server says nothing of its log"
    settings = (last.get("log_settings") or {}).items()
    said = ", ".join(f"{name} {value}" for name, value in settings if value)
    return f"its server's settings mean {last['log_mode']} ({said})"


def _binlog_place(sums: Sums) -> str | None:
    """Return e.g. nvme (emulated), or: the WAL's device, nvme; None without a second log."""
    if not (device := sums.first("binlog_device")):
        return None
    shared = "the WAL's device, " if sums.first("binlog_shares_device") else ""
    return f"{shared}{device}{' (emulated)' if sums.first('binlog_emulated') else ''}"


def _block_cache_hit_share(sums: Sums) -> float | None:
    """Return the share of blocks found in RocksDB's cache; the page cache may have the others."""
    hits, misses = sums.total("rocksdb_block_cache_hit"), sums.total("rocksdb_block_cache_miss")
    return None if not hits or misses is None else hits / (hits + misses)


def _memory_used_share(sums: Sums) -> float | None:
    """Return the largest use of any slice, as a share of the limit."""
    known = [
        row["memory_used_bytes_max"] / row["memory_limit_bytes"]
        for row in sums.slices
        if row.get("memory_limit_bytes") and row.get("memory_used_bytes_max") is not None
    ]
    return max(known, default=None)


def _per_session(slices: Iterable[Row]) -> Iterable[list[Row]]:
    sessions: dict[tuple[str, int], list[Row]] = {}
    for row in sorted(slices, key=lambda row: int(row["round"])):
        sessions.setdefault((row["campaign"], row["session"]), []).append(row)
    return sessions.values()


_EMPTY = 1 << 16  # bytes


def _data_growth(sums: Sums) -> float | None:
    """Return the largest growth at the end of a session; each starts from the loaded data.

    What began empty, with an engine's own small files, has no growth.
    """
    grown = [
        last["data_bytes"] / last["data_bytes_loaded"] - 1
        for *_, last in _per_session(sums.slices)
        if last.get("data_bytes") is not None and (last.get("data_bytes_loaded") or 0) > _EMPTY
    ]
    return max(grown, default=None)


def _grown(by: Grown, sums: Sums) -> float | None:
    """Return the largest share that the slices of one session inserted together."""
    mine = [row for row in sums.slices if workloads.of(row["workload"]).grown is by]
    shares = ([by.share(row) for row in rows] for rows in _per_session(mine))
    added = [[share for share in each if share is not None] for each in shares]
    return max((sum(each) for each in added if each), default=None)


def _conflicts(sums: Sums) -> float | None:
    retried = [row for row in sums.slices if "retries" in row and row.get("slice_requests")]
    return Sums(retried).over(["retries"], "slice_requests", 1000)


GROWN = {f"{of.grown.what}_growth": of.grown for of in workloads.WORKLOADS.values() if of.grown}
"""What a workload itself adds to its data, by the name of the fact: a fraction, as data_growth."""

FACTS: Mapping[str, Fact] = {
    "engine_versions": _versions,  # MariaDB 10.11.19, RocksDB 6.29.5
    "requests": _count("slice_requests"),
    "requests_per_s": _over("requests", below="measure_s"),  # of all kinds, in the measured part
    "cores": _first("cores"),
    "wal_dirs": _wal_dirs,
    "wal_files": partial(_files, "wal_files"),
    "wal_bytes": _count("wal_bytes"),
    "wal_syncs": _count("wal_syncs"),  # as counted by the engine
    "tap_syncs": _count("tap_syncs"),  # as seen in the system calls
    "wal_bytes_per_request": _over("wal_bytes"),
    "syncs_per_request": _syncs_per_request,
    "flushed_bytes_per_request": _over("rocksdb_flush_write_bytes"),  # only of an embedded RocksDB
    "compacted_bytes_per_request": _over("rocksdb_compact_write_bytes"),
    "age_requests": lambda sums: sums.median("age_requests"),  # that it had done before a slice
    "tap_sync_us_p50": _sync_us("tap", 50),
    "tap_sync_us_p99": _sync_us("tap", 99),
    "sync_us": _over("tap_sync_ns", below="tap_syncs", scale=1e-3),  # as its caller waited
    "model_sync_us": _over("tap_wanted_ns", below="tap_syncs", scale=1e-3),  # as the model asked
    "bytes_per_sync": _over("tap_write_bytes", below="tap_syncs"),
    "commits_per_group": _over(*COMMITS, below="rocksdb_write_self"),
    # Of the driver's process; a server is a separate process. Then of both, its threads included.
    "cpu_us_per_request": _over("cpu_user_s", "cpu_system_s", scale=1e6),
    "cpu_server_us_per_request": _over("cpu_server_user_s", "cpu_server_system_s", scale=1e6),
    "cpu_all_us_per_request": _over("cpu_engine_s", "cpu_driver_s", scale=1e6),
    "context_switches_per_request": _over(
        "context_switches_voluntary", "context_switches_involuntary"
    ),
    "rests_on": _rests_on,  # its label, for a server that its owner runs
    "binlog_place": _binlog_place,
    "binlog_files": partial(_files, "binlog_files"),
    "binlog_bytes": _count("binlog_bytes"),
    "binlog_syncs": _count("binlog_syncs"),
    "binlog_sync_us_p50": _sync_us("binlog", 50),
    "memory_bound": _first("memory_bound"),
    "memory_ratio": _first("memory_ratio"),  # as it was planned
    "memory_used_share_max": _memory_used_share,
    "block_cache_hit_share": _block_cache_hit_share,
    "isolation": _first("isolation"),
    # The database is tables and memtables, superseded versions included.
    "data_growth": _data_growth,
    **{name: partial(_grown, by) for name, by in GROWN.items()},
    "conflicts_per_thousand_requests": _conflicts,
}
"""The facts by their names, which are those of files, too."""


def type_of(fact: Fact) -> Any:
    """Return the type of a fact's values."""
    return get_type_hints(getattr(fact, "func", fact)).get("return", float | None)


def but_for_numbers(text: str) -> str:
    """Return a key that is equal for texts that differ only in numbers, such as a load average."""
    return re.sub(r"\d+", "0", text)


def apart(texts: Iterable[str]) -> list[str]:
    """Return the first of each set of texts that differ only in numbers."""
    first: dict[str, str] = {}
    for text in texts:
        first.setdefault(but_for_numbers(text), text)
    return list(first.values())
