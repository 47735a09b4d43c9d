"""What proves a cell's label and explains its cost: WAL bytes, syncs, CPU, per request."""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterable
from dataclasses import dataclass

from ..row import Row


@dataclass(frozen=True)
class CellEvidence:
    """Sums and rates over a cell's accepted slices, warm-up included. None: not recorded."""

    cell: str
    durability: str
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
    cpu_us_per_request: float | None
    context_switches_per_request: float | None
    latency_us_p50: float | None  # median over slices
    latency_us_p99: float | None
    warnings: tuple[str, ...]

    @property
    def tap_agrees(self) -> bool | None:
        """Whether the engine and the system calls tell the same number of syncs.

        None too for durability flush: RocksDB syncs the logs that a memtable flush closes,
        and does not count these.
        """
        if self.durability == "flush" or self.wal_syncs is None or self.tap_syncs is None:
            return None
        return self.wal_syncs == self.tap_syncs


def of_cell(rows: list[Row], cell: str) -> CellEvidence:
    """The evidence of one cell's rows with status ok."""
    mine = [one for one in rows if one["cell"] == cell]
    accepted = [one for one in mine if one["status"] == "ok"]
    requests = _sum(accepted, "slice_requests")
    cpu_s = _sum(accepted, "cpu_user_s", "cpu_system_s")
    switches = _sum(accepted, "context_switches_voluntary", "context_switches_involuntary")
    groups = _sum(accepted, "rocksdb_write_self")
    wal_bytes, wal_syncs = _sum(accepted, "wal_bytes"), _sum(accepted, "wal_syncs")
    files = {
        (one["campaign"], one["session"], name)
        for one in accepted
        for name in one.get("wal_files", ())
    }
    return CellEvidence(
        cell=cell,
        durability=mine[0]["durability"],
        requests=_whole(requests),
        wal_dirs=tuple(dict.fromkeys(one["wal_dir"] for one in accepted if one.get("wal_dir"))),
        wal_files=len(files) if any("wal_files" in one for one in accepted) else None,
        wal_bytes=_whole(wal_bytes),
        wal_syncs=_whole(wal_syncs),
        tap_syncs=_whole(_sum(accepted, "tap_syncs")),
        wal_bytes_per_request=_over(wal_bytes, requests),
        syncs_per_request=_over(wal_syncs, requests),
        tap_sync_us_p50=_median(accepted, "tap_sync_us_p50"),
        tap_sync_us_p99=_median(accepted, "tap_sync_us_p99"),
        commits_per_group=_over(
            _sum(accepted, "rocksdb_write_self", "rocksdb_write_other"), groups
        ),
        cpu_us_per_request=_over(None if cpu_s is None else 1e6 * cpu_s, requests),
        context_switches_per_request=_over(switches, requests),
        latency_us_p50=_median(accepted, "latency_us_p50"),
        latency_us_p99=_median(accepted, "latency_us_p99"),
        warnings=_distinct(text for one in mine for text in one["warnings"]),
    )


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


def _whole(total: float | None) -> int | None:
    return None if total is None else int(total)
