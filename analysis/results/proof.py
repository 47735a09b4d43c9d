"""What proves a cell's label and explains its cost: WAL bytes, syncs, CPU, per request."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ... import engines
from ...cell import Cell
from ...row import Row
from .sums import Sums

_SERVED_TOLERANCE = 0.01
# Syncs of a slice for its percentile. Fewer are a background thread's, each of a second's log.
_ENOUGH = {50: 10, 99: 100}
_PROGRAMS = {
    **{"mariadb": "MariaDB", "rocksdb": "RocksDB"},
    **{"redis": "Redis", "kvrocks": "Kvrocks"},
}


@dataclass(frozen=True)
class BinlogProof:
    """A server's second log over the same slices: where it was, and what the tap saw of it."""

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
    engine_versions: tuple[str, ...]  # and of what it is part of: MariaDB 10.11.19
    requests: int | None
    wal_dirs: tuple[str, ...]
    wal_files: int | None  # WAL files written, all slices
    wal_bytes: int | None
    wal_syncs: int | None  # as the engine counted
    tap_syncs: int | None  # as the system calls were seen
    wal_bytes_per_request: float | None
    syncs_per_request: float | None
    tap_sync_us_p50: float | None  # median over slices with enough syncs of the slice's median
    tap_sync_us_p99: float | None  # the same of the slice's p99
    commits_per_group: float | None
    whole_runs: bool  # slices are whole runs of db_bench, its opening and closing included
    logs_opened: int | None  # by the tap, where a knob lets its count of syncs differ
    cpu_us_per_request: float | None  # of the driver's process; a server is another
    cpu_server_us_per_request: float | None
    context_switches_per_request: float | None
    warnings: tuple[str, ...]
    binlog: BinlogProof | None = None  # of a server that writes a second log
    rests_on: str = ""  # of a server that its owner runs: what its label rests on, a clause

    @property
    def served(self) -> bool:
        """Whether the engine was a server's, and not part of the driver's process."""
        return engines.of(self.engine).on_server

    @property
    def commits_sync(self) -> bool:
        """Whether syncs, if there are any, should be those of commits.

        Without a WAL an embedded engine has none; a server's background thread goes on syncing
        an empty one.
        """
        return self.durability == "sync" or (self.durability == "off" and not self.served)

    @property
    def tap_agrees(self) -> bool | None:
        """Whether the engine and the system calls tell the same number of syncs.

        None too for the modes in which no commit syncs: RocksDB syncs the logs that a memtable
        flush closes, and does not count these. A server is asked while its background thread
        may be syncing: there 1 % is agreement. With a knob RocksDB may count one sync of several
        files, or of none: one a file is agreement, which is the bound of an accepted slice.
        """
        if not self.commits_sync or self.wal_syncs is None or self.tap_syncs is None:
            return None
        allowed = _SERVED_TOLERANCE * self.wal_syncs if self.served else (self.logs_opened or 0)
        return abs(self.wal_syncs - self.tap_syncs) <= allowed


def proof_of(cell: Cell, rows: Sequence[Row]) -> Proof:
    """What the rows of a cell prove: of those with status ok, and of all their warnings."""
    accepted = [one for one in rows if one["status"] == "ok"]
    sums, requests = Sums(accepted), "slice_requests"
    whole_runs = any(one.get("whole_run") for one in accepted)
    # Of a whole run, without what it takes to open and to close.
    cpu = ["cpu_engine_s"] if whole_runs else ["cpu_user_s", "cpu_system_s"]
    syncs = "tap_syncs" if sums.total("wal_syncs") is None else "wal_syncs"
    groups = "rocksdb_write_self", "rocksdb_write_other"
    switches = "context_switches_voluntary", "context_switches_involuntary"
    return Proof(
        engine=cell.engine,
        durability=cell.durability,
        engine_versions=engine_versions(accepted),
        requests=sums.count(requests),
        wal_dirs=tuple(dict.fromkeys(one["wal_dir"] for one in accepted if one.get("wal_dir"))),
        wal_files=_files(accepted, "wal_files"),
        wal_bytes=sums.count("wal_bytes"),
        wal_syncs=sums.count("wal_syncs"),
        tap_syncs=sums.count("tap_syncs"),
        wal_bytes_per_request=sums.over(["wal_bytes"], requests),
        syncs_per_request=sums.over([syncs], requests),
        tap_sync_us_p50=_typical(accepted, "tap", 50),
        tap_sync_us_p99=_typical(accepted, "tap", 99),
        commits_per_group=sums.over(groups, "rocksdb_write_self"),
        whole_runs=whole_runs,
        logs_opened=sums.count("tap_opens") if cell.knob else None,
        cpu_us_per_request=sums.over(cpu, requests, 1e6),
        cpu_server_us_per_request=sums.over(
            ["cpu_server_user_s", "cpu_server_system_s"], requests, 1e6
        ),
        context_switches_per_request=sums.over(switches, requests),
        warnings=tuple(apart(text for one in rows for text in one["warnings"])),
        binlog=_binlog(accepted, sums),
        rests_on=_rests_on(accepted),
    )


def _files(rows: Sequence[Row], column: str) -> int | None:
    """How many were written; None where no row names any."""
    named = [one for one in rows if column in one]
    files = {(one["campaign"], one["session"], name) for one in named for name in one[column] or ()}
    return len(files) if named else None


def _typical(accepted: Sequence[Row], log: str, q: int) -> float | None:
    """The median of the slices' percentiles of syncs, of those that have syncs enough for one."""
    many = [one for one in accepted if (one.get(f"{log}_syncs") or 0) >= _ENOUGH[q]]
    return Sums(many).median(f"{log}_sync_us_p{q}")


def _rests_on(accepted: Sequence[Row]) -> str:
    """The settings that the last slice's server named; "" of a server of ours."""
    last = next((one for one in reversed(accepted) if one.get("log_evidence")), None)
    if last is None:
        return ""
    if last.get("log_mode") is None:
        return "its owner's word: its server says nothing of its log"
    settings = (last.get("log_settings") or {}).items()
    said = ", ".join(f"{name} {value}" for name, value in settings if value)
    return f"its server's settings mean {last['log_mode']} ({said})"


def _binlog(accepted: Sequence[Row], sums: Sums) -> BinlogProof | None:
    logged = [one for one in accepted if one.get("binlog_device")]
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
    """Those that the rows name: MariaDB 10.11.19, RocksDB 6.29.5."""
    pairs = [pair for one in rows for pair in (one.get("versions") or {}).items()]
    named = [f"{_PROGRAMS[name]} {version}" for name, version in pairs if name in _PROGRAMS]
    return tuple(dict.fromkeys(named))


def but_for_numbers(text: str) -> str:
    """The same for texts that differ only in numbers, such as a load average."""
    return re.sub(r"\d+", "0", text)


def apart(texts: Iterable[str]) -> list[str]:
    """The first of those that differ only in numbers."""
    first: dict[str, str] = {}
    for text in texts:
        first.setdefault(but_for_numbers(text), text)
    return list(first.values())
