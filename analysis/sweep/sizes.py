"""Rows of a sweep of sizes as points: one per benchmark, size, and log on or off, with metrics."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from ... import workloads
from ...base.errors import UsageError
from ...cell import Cell
from ...row import Row
from ..results import CellResult, Panel, every_cell, panel_of
from ..results.panel import Measure, column, per_operation
from ..results.source import failures
from ..stats import NOTHING, ONE, Interval
from . import literature

_SECTION = "dbbench"  # a profile's section of what its workloads share


@dataclass(frozen=True)
class Metric:
    """A figure of every run; `key` is its name in files, with the unit last."""

    key: str
    title: str  # above a table's column and on a figure's axis
    of: Measure
    of_writes: bool = False  # unknown for benchmarks that only read


def _compacted_mb(row: Row) -> float | None:
    """Return what compactions read and wrote, in 2^20 bytes."""
    read, written = row.get("compaction_read_bytes"), row.get("compaction_written_bytes")
    return None if read is None or written is None else float(read + written) / (1 << 20)


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


@dataclass(frozen=True)
class Figure:
    """One metric of one point, and its ratio to the first size's; None if there is none."""

    mean: float | None
    ratio: Interval


@dataclass(frozen=True)
class Point:
    """`result` has the overhead against `off` of the same size; figures are by metric's key."""

    key_bytes: int | None
    value_bytes: int | None  # None if they are drawn
    entry_bytes: float | None  # key and value; if drawn, the mean that db_bench counted
    result: CellResult
    figures: dict[str, Figure]
    study_ratio: float | None  # of MB/s, in the published study

    @property
    def size(self) -> str:
        return self.result.size

    @property
    def drawn(self) -> bool:
        return self.value_bytes is None


@dataclass(frozen=True)
class Runs:
    """The points of one benchmark with, or without, a log: the smallest fixed size first."""

    bench: str
    wal: bool
    label: str
    points: tuple[Point, ...]
    only_reads: bool  # it writes nothing, so the log has nothing to do

    @property
    def fixed(self) -> tuple[Point, ...]:
        return tuple(point for point in self.points if not point.drawn)

    @property
    def ends(self) -> tuple[Point, Point]:
        """The smallest and the largest of the fixed sizes."""
        return self.fixed[0], self.fixed[-1]


@dataclass(frozen=True)
class Sweep:
    """Points, and in `failures` the reasons of those with a failed slice, which have no result."""

    panel: Panel
    series: tuple[Runs, ...]
    failures: dict[str, str]

    @property
    def benches(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(series.bench for series in self.series))

    def of(self, bench: str, wal: bool) -> Runs | None:
        return next((s for s in self.series if (s.bench, s.wal) == (bench, wal)), None)


def of_rows(rows: list[Row]) -> Sweep:
    """Return the sweep of these rows.

    Errors: UsageError if the rows are not from a sweep of sizes, or of several log devices.
    """
    of_bench = [row for row in rows if workloads.of(row["workload"]).section == _SECTION]
    mine = [row for row in of_bench if row.get("size")]
    if not mine:
        raise UsageError("sweep-sizes: found no rows of db_bench with a size; give its campaign")
    places = {(row["device"], row["durability"]) for row in mine} - {("off", "off")}
    if len(places) > 1:
        named = ", ".join(sorted(f"{device} {mode}" for device, mode in places))
        raise UsageError(f"sweep-sizes: found logs of {named}; a sweep of sizes has one of them")
    grid = panel_of(mine)
    results = [result for result in every_cell(mine) if not result.failed]

    def series(result: CellResult) -> tuple[int, str, bool]:
        """Return a sort key: the study's benchmarks in its order, others after them."""
        names, bench = list(literature.BENCHES), _bench(result.workload)
        place = names.index(bench) if bench in names else len(names)
        return place, bench, not result.writes_wal

    ordered = sorted(results, key=series)
    every = tuple(_series(grid, list(members)) for _, members in groupby(ordered, key=series))

    def called(row: Row) -> str:
        return f"{_bench(row['workload'])} {row['size']} {_label(row['durability'] != 'off')}"

    return Sweep(grid, every, failures(mine, called))


def _bench(workload: str) -> str:
    """Return its name in db_bench."""
    return workload.removeprefix(f"{_SECTION}-")


def _label(wal: bool) -> str:
    return f"WAL {'on' if wal else 'off'}"


def _series(grid: Panel, results: list[CellResult]) -> Runs:
    def size(result: CellResult) -> tuple[bool, float, str]:
        """Return a sort key: fixed sizes first, the smallest before the larger."""
        row = result.rows[0]
        return row.get("value_bytes") is None, _entry_bytes(row) or 0.0, result.size

    ordered = sorted(results, key=size)
    first = ordered[0]
    points = tuple(_point(grid, result, first.at) for result in ordered)
    record, wal = workloads.of(first.workload), first.writes_wal
    return Runs(_bench(first.workload), wal, _label(wal), points, record.only_reads)


def _entry_bytes(row: Row) -> float | None:
    if row.get("key_bytes") is not None and row.get("value_bytes") is not None:
        return float(row["key_bytes"] + row["value_bytes"])
    if row.get("mb_per_s") and row.get("throughput"):
        return float(row["mb_per_s"] * (1 << 20) / row["throughput"])
    return None


def _point(grid: Panel, result: CellResult, first: Cell) -> Point:
    row, only_reads = result.rows[0], workloads.of(result.workload).only_reads
    figures = {
        metric.key: Figure(
            grid.mean(result.at, metric.of), _ratio(grid, result.at, first, metric.of)
        )
        for metric in METRICS
        if not (metric.of_writes and only_reads)
    }
    # The study ran with a log; its own first row is the one for 116 B.
    ours, theirs = (literature.ratio_of(at.size, _bench(at.workload)) for at in (result.at, first))
    return Point(
        key_bytes=row.get("key_bytes"),
        value_bytes=row.get("value_bytes"),
        entry_bytes=_entry_bytes(row),
        result=result,
        figures=figures,
        study_ratio=None if ours is None or theirs is None else ours / theirs,
    )


def _ratio(grid: Panel, cell: Cell, first: Cell, of: Measure) -> Interval:
    if cell == first:
        return ONE if grid.mean(cell, of) else NOTHING
    return grid.ratio(cell, first, of)
