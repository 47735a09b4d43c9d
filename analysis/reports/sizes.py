"""The report of a sweep of sizes: speed and work of an operation, by the bytes of key and value."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial

from ... import workloads
from ...base.errors import UsageError
from ...row import Row
from .. import published
from ..gate.difference import Compared, turns
from ..results import CellResult, every_cell, panel_of, words
from ..series import Column, Plot, Series, View, plain
from ..stats import Interval
from . import cell_columns, sweeps

_MIB = 1 << 20


@dataclass(frozen=True)
class Size:
    """Bytes of a mix's keys and values, and how many of these pairs an operation is about."""

    key_bytes: int
    value_bytes: int
    pairs: int

    @property
    def entry_bytes(self) -> int:
        return self.key_bytes + self.value_bytes

    @property
    def name(self) -> str:
        return f"k{self.key_bytes}-v{self.value_bytes}"


@cache
def size_of(workload: str) -> Size:
    """Return the size in a mix's file. Errors: UsageError for a workload that has none."""
    try:
        mix = tomllib.loads(workloads.of(workload).text)
        (table,), (operation,) = mix["tables"].values(), mix["operations"].values()
        key, value = table["key"]["bytes"], table["columns"]["value"]["size"]
        return Size(key, value, operation["steps"][0].get("limit", 1))
    except (LookupError, TypeError, ValueError) as error:
        raise UsageError(
            f"sweep-sizes: found rows of {workload}, which has no size of keys and values; sizes "
            "are measured by: waltax sweep sizes"
        ) from error


def points_of(rows: Sequence[Row]) -> list[Compared]:
    """Compare each size with the smallest of the same log, those with a log first.

    Sizes with a failed slice are left out. Errors: UsageError if the rows are not from a sweep of
    sizes.
    """
    for workload in dict.fromkeys(row["workload"] for row in rows):
        size_of(workload)
    grid = panel_of(rows)
    results = [result for result in every_cell(list(rows)) if not result.failed]
    results.sort(key=lambda result: size_of(result.workload).entry_bytes)
    logs = sweeps.grouped(results, lambda of: (not of.writes_wal, of.device, of.durability))
    return [turns(grid, mine[0], result) for mine in logs for result in mine]


def size(point: Compared) -> Size:
    return size_of(point.result.workload)


def mb_per_s(point: Compared) -> float | None:
    """Return the keys and values of a second, in 2^20 bytes."""
    rate, of = point.result.throughput, size(point)
    return None if rate is None else rate * of.pairs * of.entry_bytes / _MIB


def mb_ratio(point: Compared) -> Interval:
    """Return the ratio of MB/s to the smallest size's: that of operations and of their bytes."""
    first = size_of((point.base or point.result).workload)
    return point.ratio.scaled(size(point).entry_bytes / first.entry_bytes)


def write_amplification(point: Compared) -> float | None:
    """Return what was flushed and compacted over what was put; None for reads."""
    if workloads.of(point.result.workload).only_reads:
        return None
    written = [f"rocksdb_{work}_write_bytes" for work in ("flush", "compact")]
    return point.result.sums.over(written, "slice_requests", 1 / size(point).entry_bytes)


def _series(rows: list[Row]) -> list[Series[Compared]]:
    return [_of_bench(points)] if (points := points_of(rows)) else []


def _of_bench(points: Sequence[Compared]) -> Series[Compared]:
    result = points[0].result
    bench = result.workload.removesuffix(f"-{size(points[0]).name}")
    writes = not workloads.of(result.workload).only_reads
    return Series(
        axis="key + value, B",
        subject=bench,
        points=points,
        columns=[
            Column("_size", "size", "text", lambda point: size(point).name),
            Column("key_bytes", of=lambda point: size(point).key_bytes),
            Column("value_bytes", of=lambda point: size(point).value_bytes),
            Column("entry_bytes", of=lambda point: size(point).entry_bytes),
            *plain("workload device"),
            Column("durability", "log", "text"),
            *plain("rounds"),
            Column("emulated", of="shows_model"),
            Column("ops_per_s", "ops/s", of="throughput"),
            Column("ops_per_s_ratio", "x", "x alone", "ratio"),
            Column("mb_per_s", "MB/s", of=mb_per_s),
            Column("mb_per_s_ratio", "x", "x alone", mb_ratio),
            published.column("mb_per_s_ratio", "x"),
            cell_columns.OVERHEAD,
            Column("write_amplification", "write\nampl.", of=write_amplification),
            cell_columns.over("wal_bytes_per_operation", "WAL B/op", "wal_bytes", "slice_requests"),
        ],
        views=[View(f"{bench}, profile {result.profile}, {words.clients(result.threads)}")],
        sentences=[
            sweeps.along(words.label(mine[0]), mine, _of_size)
            for mine in sweeps.by_device([point.result for point in points])
            if mine[0].writes_wal
        ],
        at=lambda point: size(point).entry_bytes,
        line=cell_columns.line,
        plots=[
            Plot("ops/s, ratio", "ops_per_s_ratio", mark=1.0),
            Plot("MB/s, ratio", "mb_per_s_ratio", mark=1.0),
            *[Plot("write amplification", "write_amplification")] * writes,
            *[Plot("WAL overhead, %", "overhead", lambda at: at.result.writes_wal)] * writes,
        ],
    )


def _of_size(result: CellResult) -> str:
    return f"with {size_of(result.workload).entry_bytes:,} B"


sizes = partial(
    sweeps.report,
    name="sizes",
    series=_series,
    lacking="no size with a result",
    legend="ratios to the smallest size with the same log; whiskers: 95 % intervals",
    size=(4.6, 3.0),
)
