"""What the report on sizes tells of a run of db_bench, column by column."""

from __future__ import annotations

from dataclasses import dataclass

from ...row import Row
from ..results.panel import Measure, column


@dataclass(frozen=True)
class Metric:
    """A figure of every run; `key` is its name in files, with the unit last."""

    key: str
    title: str  # over the column of a table and on the axis of a figure
    of: Measure
    of_writes: bool = False  # says nothing of benchmarks that only read


def _compacted_mb(one: Row) -> float | None:
    """Read and written by compactions, 2^20 bytes."""
    read, written = one.get("compaction_read_bytes"), one.get("compaction_written_bytes")
    return None if read is None or written is None else float(read + written) / (1 << 20)


def per_operation(name: str) -> Measure:
    """A column over the operations of a run of db_bench, or over the requests of a slice."""

    def of(one: Row) -> float | None:
        value, requests = one.get(name), one.get("operations") or one.get("slice_requests")
        return value / requests if value is not None and requests else None

    return of


THROUGHPUT = Metric("ops_per_s", "ops/s", column("throughput"))
MB = Metric("mb_per_s", "MB/s", column("mb_per_s"))
TIME = Metric("elapsed_s", "total time s", column("elapsed_s"))
COMPACTIONS = Metric("compactions", "compactions", column("compactions"), of_writes=True)
COMPACTED = Metric("compacted_mb", "compacted MB", _compacted_mb, of_writes=True)
AMPLIFICATION = Metric(
    "write_amplification", "write ampl.", column("write_amplification"), of_writes=True
)
WAL_BYTES = Metric(
    "wal_bytes_per_operation", "WAL B/op", per_operation("wal_bytes"), of_writes=True
)
SPEED = (MB, THROUGHPUT, TIME)
WORK = (COMPACTIONS, COMPACTED, AMPLIFICATION, WAL_BYTES)
METRICS = (*SPEED, *WORK)
