"""What proves a cell's label and explains its cost: WAL bytes, syncs and CPU per request."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ... import engines
from ...cell import Cell
from ...row import Row
from .sums import Sums

_SERVED_TOLERANCE = 0.01
# The least number of syncs in a slice for a percentile. Fewer come from a background thread that
# syncs once a second.
_ENOUGH = {50: 10, 99: 100}
_PROGRAMS = {
    **{"mariadb": "MariaDB", "rocksdb": "RocksDB"},
    **{"redis": "Redis", "kvrocks": "Kvrocks"},
}


@dataclass(frozen=True)
class BinlogProof:
    """A server's second log over the same slices: its place, and what the tap saw of it."""

    place: str  # "nvme (emulated)", or "the WAL's device, nvme"
    files: int
    bytes: int | None
    syncs: int | None
    sync_us_p50: float | None  # median over slices of the slice's median


@dataclass(frozen=True)
class Proof:
    """Sums and rates over a cell's accepted slices, warm-up included. None: not recorded."""

    engine: str
    durability: str
    engine_versions: tuple[str, ...]  # with what the engine is part of: MariaDB 10.11.19
    requests: int | None
    wal_dirs: tuple[str, ...]
    wal_files: int | None  # WAL files written, all slices
    wal_bytes: int | None
    wal_syncs: int | None  # as counted by the engine
    tap_syncs: int | None  # as seen in the system calls
    wal_bytes_per_request: float | None
    syncs_per_request: float | None
    flushed_bytes_per_request: float | None  # memtables; only of an embedded RocksDB
    compacted_bytes_per_request: float | None
    age_requests: float | None  # that it had done before a slice, the median over slices
    tap_sync_us_p50: float | None  # median of the slices' medians, over slices with enough syncs
    tap_sync_us_p99: float | None  # the same for the slices' p99
    commits_per_group: float | None
    cpu_us_per_request: float | None  # of the driver's process; a server is a separate process
    cpu_server_us_per_request: float | None
    context_switches_per_request: float | None
    warnings: tuple[str, ...]
    binlog: BinlogProof | None = None  # for a server that writes a second log
    rests_on: str = ""  # a clause: what the label rests on, for a server that its owner runs

    @property
    def served(self) -> bool:
        """Whether a server ran the engine, rather than the driver's process."""
        return engines.of(self.engine).on_server

    @property
    def commits_sync(self) -> bool:
        """Whether any syncs should be those of commits.

        Without a WAL an embedded engine has none; a server's background thread goes on syncing an
        empty log.
        """
        return self.durability == "sync" or (self.durability == "off" and not self.served)

    @property
    def tap_agrees(self) -> bool | None:
        """Whether the engine and the system calls report the same number of syncs.

        None as well for modes in which no commit syncs: RocksDB then syncs the logs that a memtable
        flush closes, and does not count these. A server's counters are read while its background
        thread may be syncing, so 1 % counts as agreement.
        """
        if not self.commits_sync or self.wal_syncs is None or self.tap_syncs is None:
            return None
        allowed = _SERVED_TOLERANCE * self.wal_syncs if self.served else 0
        return abs(self.wal_syncs - self.tap_syncs) <= allowed


def proof_of(cell: Cell, rows: Sequence[Row]) -> Proof:
    """Return what a cell's accepted rows prove, with the warnings of all its rows."""
    accepted = [row for row in rows if row["status"] == "ok"]
    sums, requests = Sums(accepted), "slice_requests"
    syncs = "tap_syncs" if sums.total("wal_syncs") is None else "wal_syncs"
    groups = "rocksdb_write_self", "rocksdb_write_other"
    switches = "context_switches_voluntary", "context_switches_involuntary"
    return Proof(
        engine=cell.engine,
        durability=cell.durability,
        engine_versions=engine_versions(accepted),
        requests=sums.count(requests),
        wal_dirs=tuple(dict.fromkeys(row["wal_dir"] for row in accepted if row.get("wal_dir"))),
        wal_files=_files(accepted, "wal_files"),
        wal_bytes=sums.count("wal_bytes"),
        wal_syncs=sums.count("wal_syncs"),
        tap_syncs=sums.count("tap_syncs"),
        wal_bytes_per_request=sums.over(["wal_bytes"], requests),
        syncs_per_request=sums.over([syncs], requests),
        flushed_bytes_per_request=sums.over(["rocksdb_flush_write_bytes"], requests),
        compacted_bytes_per_request=sums.over(["rocksdb_compact_write_bytes"], requests),
        age_requests=sums.median("age_requests"),
        tap_sync_us_p50=_typical(accepted, "tap", 50),
        tap_sync_us_p99=_typical(accepted, "tap", 99),
        commits_per_group=sums.over(groups, "rocksdb_write_self"),
        cpu_us_per_request=sums.over(["cpu_user_s", "cpu_system_s"], requests, 1e6),
        cpu_server_us_per_request=sums.over(
            ["cpu_server_user_s", "cpu_server_system_s"], requests, 1e6
        ),
        context_switches_per_request=sums.over(switches, requests),
        warnings=tuple(apart(text for row in rows for text in row["warnings"])),
        binlog=_binlog(accepted, sums),
        rests_on=_rests_on(accepted),
    )


def _files(rows: Sequence[Row], column: str) -> int | None:
    """Return how many files were written; None if no row names any."""
    named = [row for row in rows if column in row]
    files = {(row["campaign"], row["session"], name) for row in named for name in row[column] or ()}
    return len(files) if named else None


def _typical(accepted: Sequence[Row], log: str, q: int) -> float | None:
    """Return the median of the slices' sync percentiles, over slices with enough syncs."""
    many = [row for row in accepted if (row.get(f"{log}_syncs") or 0) >= _ENOUGH[q]]
    return Sums(many).median(f"{log}_sync_us_p{q}")


def _rests_on(accepted: Sequence[Row]) -> str:
    """Return the settings that the server of the last slice reported; "" for a server of ours."""
    last = next((row for row in reversed(accepted) if row.get("log_evidence")), None)
    if last is None:
        return ""
    if last.get("log_mode") is None:
        return "its owner's word: its server says nothing of its log"
    settings = (last.get("log_settings") or {}).items()
    said = ", ".join(f"{name} {value}" for name, value in settings if value)
    return f"its server's settings mean {last['log_mode']} ({said})"


def _binlog(accepted: Sequence[Row], sums: Sums) -> BinlogProof | None:
    logged = [row for row in accepted if row.get("binlog_device")]
    if not logged:
        return None
    emulated = " (emulated)" if logged[0].get("binlog_emulated") else ""
    shared = "the WAL's device, " if logged[0].get("binlog_shares_device") else ""
    return BinlogProof(
        place=f"{shared}{logged[0]['binlog_device']}{emulated}",
        files=_files(logged, "binlog_files") or 0,
        bytes=sums.count("binlog_bytes"),
        syncs=sums.count("binlog_syncs"),
        sync_us_p50=_typical(logged, "binlog", 50),
    )


def engine_versions(rows: Iterable[Row]) -> tuple[str, ...]:
    """Return the versions that the rows name: MariaDB 10.11.19, RocksDB 6.29.5."""
    pairs = [pair for row in rows for pair in (row.get("versions") or {}).items()]
    named = [f"{_PROGRAMS[name]} {version}" for name, version in pairs if name in _PROGRAMS]
    return tuple(dict.fromkeys(named))


def but_for_numbers(text: str) -> str:
    """Return a key that is equal for texts that differ only in numbers, such as a load average."""
    return re.sub(r"\d+", "0", text)


def apart(texts: Iterable[str]) -> list[str]:
    """Return the first of each set of texts that differ only in numbers."""
    first: dict[str, str] = {}
    for text in texts:
        first.setdefault(but_for_numbers(text), text)
    return list(first.values())
