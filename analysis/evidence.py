"""What proves a cell's label and explains its cost: WAL bytes, syncs, CPU, per request."""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterable
from dataclasses import dataclass

from ..row import Row

_EMBEDDED = {"rocksdb"}
_SERVED_TOLERANCE = 0.01
_PROGRAMS = {"mariadb": "MariaDB", "rocksdb": "RocksDB"}


@dataclass(frozen=True)
class CellEvidence:
    """Sums and rates over a cell's accepted slices, warm-up included. None: not recorded."""

    cell: str
    engine: str
    durability: str
    versions: tuple[str, ...]  # of the engine and what it is part of: MariaDB 10.11.19
    requests: int | None
    wal_dirs: tuple[str, ...]
    wal_files: int | None  # WAL files written, all slices
    wal_bytes: int | None
    wal_syncs: int | None  # as the engine counted
    tap_syncs: int | None  # as the system calls were seen
    wal_bytes_per_request: float | None
    syncs_per_request: float | None
    tap_sync_us_p50: float | None  # median over slices of the slice's median
    tap_sync_us_p99: float | None  # median over slices of the slice's p99
    commits_per_group: float | None
    whole_runs: bool  # slices are whole runs of db_bench, its opening and closing included
    logs_opened: int | None  # by the tap, where a knob lets its count of syncs differ
    cpu_us_per_request: float | None  # of the driver's process; a server is another
    cpu_server_us_per_request: float | None
    context_switches_per_request: float | None
    latency_us_p50: float | None  # median over slices
    latency_us_p99: float | None
    warnings: tuple[str, ...]

    @property
    def served(self) -> bool:
        """Whether the engine was a server's, and not part of the driver's process."""
        return self.engine not in _EMBEDDED

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
        if not self.commits_sync:
            return None
        if self.wal_syncs is None or self.tap_syncs is None:
            return None
        allowed = _SERVED_TOLERANCE * self.wal_syncs if self.served else (self.logs_opened or 0)
        return abs(self.wal_syncs - self.tap_syncs) <= allowed


def of_cell(rows: list[Row], cell: str) -> CellEvidence:
    """The evidence of one cell's rows with status ok."""
    mine = [one for one in rows if one["cell"] == cell]
    accepted = [one for one in mine if one["status"] == "ok"]
    requests = _sum(accepted, "slice_requests")
    whole_runs = any(one.get("whole_run") for one in accepted)
    # Of a whole run, without what it takes to open and to close.
    cpu_s = _sum(accepted, *(["cpu_engine_s"] if whole_runs else ["cpu_user_s", "cpu_system_s"]))
    server_s = _sum(accepted, "cpu_server_user_s", "cpu_server_system_s")
    switches = _sum(accepted, "context_switches_voluntary", "context_switches_involuntary")
    groups = _sum(accepted, "rocksdb_write_self")
    wal_bytes, wal_syncs = _sum(accepted, "wal_bytes"), _sum(accepted, "wal_syncs")
    tap_syncs = _sum(accepted, "tap_syncs")
    files = {
        (one["campaign"], one["session"], name)
        for one in accepted
        for name in one.get("wal_files", ())
    }
    return CellEvidence(
        cell=cell,
        engine=mine[0]["engine"],
        durability=mine[0]["durability"],
        versions=engine_versions(accepted),
        requests=_whole(requests),
        wal_dirs=tuple(dict.fromkeys(one["wal_dir"] for one in accepted if one.get("wal_dir"))),
        wal_files=len(files) if any("wal_files" in one for one in accepted) else None,
        wal_bytes=_whole(wal_bytes),
        wal_syncs=_whole(wal_syncs),
        tap_syncs=_whole(tap_syncs),
        wal_bytes_per_request=_over(wal_bytes, requests),
        syncs_per_request=_over(tap_syncs if wal_syncs is None else wal_syncs, requests),
        tap_sync_us_p50=_median(accepted, "tap_sync_us_p50"),
        tap_sync_us_p99=_median(accepted, "tap_sync_us_p99"),
        commits_per_group=_over(
            _sum(accepted, "rocksdb_write_self", "rocksdb_write_other"), groups
        ),
        whole_runs=whole_runs,
        logs_opened=_whole(_sum(accepted, "tap_opens")) if mine[0].get("knob") else None,
        cpu_us_per_request=_us_over(cpu_s, requests),
        cpu_server_us_per_request=_us_over(server_s, requests),
        context_switches_per_request=_over(switches, requests),
        latency_us_p50=_median(accepted, "latency_us_p50"),
        latency_us_p99=_median(accepted, "latency_us_p99"),
        warnings=_distinct(text for one in mine for text in one["warnings"]),
    )


def engine_versions(rows: list[Row]) -> tuple[str, ...]:
    """Those that the rows name: MariaDB 10.11.19, RocksDB 6.29.5."""
    pairs = [pair for one in rows for pair in (one.get("versions") or {}).items()]
    named = [f"{_PROGRAMS[name]} {version}" for name, version in pairs if name in _PROGRAMS]
    return tuple(dict.fromkeys(named))


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    """The first of those that differ only in numbers, such as a load average."""
    first: dict[str, str] = {}
    for text in texts:
        first.setdefault(re.sub(r"\d+", "0", text), text)
    return tuple(first.values())


def _sum(rows: list[Row], *columns: str) -> float | None:
    """None when a slice lacks a column: a partial sum would look like a small one."""
    if not rows or any(one.get(column) is None for one in rows for column in columns):
        return None
    return float(sum(one[column] for one in rows for column in columns))


def _median(rows: list[Row], column: str) -> float | None:
    values = [one[column] for one in rows if one.get(column) is not None]
    return statistics.median(values) if values else None


def _over(total: float | None, count: float | None) -> float | None:
    return total / count if total is not None and count else None


def _us_over(seconds: float | None, count: float | None) -> float | None:
    return _over(None if seconds is None else 1e6 * seconds, count)


def _whole(total: float | None) -> int | None:
    return None if total is None else int(total)
