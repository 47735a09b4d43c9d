"""Rows of a sweep of sizes as points: one per benchmark, size, and log on or off, with metrics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from ... import workloads
from ...base.errors import UsageError
from ...cell import Cell
from ...row import Row
from ..numerals import times
from ..results import CellResult, Panel, every_cell, panel_of, words
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


class Figure(NamedTuple):
    """One metric of one point, and its ratio to the first size's; None if there is none."""

    mean: float | None
    ratio: Interval


@dataclass(frozen=True, eq=False)
class Point:
    """One benchmark and size, with or without a log.

    `result` has the overhead against `off` of the same size, `figures` are by metric's key, and
    `study_ratio` is that of MB/s in the published study.
    """

    result: CellResult
    figures: Mapping[str, Figure]
    study_ratio: float | None

    @property
    def bench(self) -> str:
        return _bench(self.result.workload)

    @property
    def label(self) -> str:
        return _label(wal=self.result.writes_wal)

    @property
    def key_bytes(self) -> int | None:
        return self.result.rows[0].get("key_bytes")

    @property
    def value_bytes(self) -> int | None:
        """None if they are drawn."""
        return self.result.rows[0].get("value_bytes")

    @property
    def entry_bytes(self) -> float | None:
        """Key and value; if drawn, the mean that db_bench counted."""
        return _entry_bytes(self.result.rows[0])

    @property
    def drawn(self) -> bool:
        return self.value_bytes is None


@dataclass(frozen=True)
class Sweep:
    """Points, and in `failures` the reasons of those with a failed slice, which have no result.

    The study's benchmarks come first, in its order, with the log before without; of each the fixed
    sizes, the smallest first, before those that are drawn.
    """

    panel: Panel
    points: tuple[Point, ...]
    failures: dict[str, str]

    @property
    def benches(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(point.bench for point in self.points))

    def of(self, bench: str, wal: bool) -> list[Point]:
        return [p for p in self.points if (p.bench, p.result.writes_wal) == (bench, wal)]

    def ends(self, bench: str, wal: bool) -> list[Point]:
        """Return the smallest and the largest of the fixed sizes; none if there are not two."""
        fixed = [point for point in self.of(bench, wal) if not point.drawn]
        return [fixed[0], fixed[-1]] if len(fixed) > 1 else []


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
    results = sorted((each for each in every_cell(mine) if not each.failed), key=_order)
    points = [
        _point(grid, result, runs[0].at)
        for _, members in groupby(results, key=lambda result: _order(result)[:3])
        for runs in [list(members)]
        for result in runs
    ]

    def called(row: Row) -> str:
        return f"{_bench(row['workload'])} {row['size']} {_label(wal=row['durability'] != 'off')}"

    return Sweep(grid, tuple(points), failures(mine, called))


def _order(result: CellResult) -> tuple[int, str, bool, bool, float, str]:
    names, bench, row = list(literature.BENCHES), _bench(result.workload), result.rows[0]
    place = names.index(bench) if bench in names else len(names)
    of_size = row.get("value_bytes") is None, _entry_bytes(row) or 0.0, result.size
    return place, bench, not result.writes_wal, *of_size


def _bench(workload: str) -> str:
    """Return its name in db_bench."""
    return workload.removeprefix(f"{_SECTION}-")


def _label(*, wal: bool) -> str:
    return f"WAL {'on' if wal else 'off'}"


def _entry_bytes(row: Row) -> float | None:
    if row.get("key_bytes") is not None and row.get("value_bytes") is not None:
        return float(row["key_bytes"] + row["value_bytes"])
    if row.get("mb_per_s") and row.get("throughput"):
        return float(row["mb_per_s"] * (1 << 20) / row["throughput"])
    return None


def _point(grid: Panel, result: CellResult, first: Cell) -> Point:
    only_reads = workloads.of(result.workload).only_reads
    figures = {
        metric.key: Figure(
            grid.mean(result.at, metric.of), _ratio(grid, result.at, first, metric.of)
        )
        for metric in METRICS
        if not (metric.of_writes and only_reads)
    }
    # The study ran with a log; its own first row is the one for 116 B.
    ours, theirs = (literature.ratio_of(at.size, _bench(at.workload)) for at in (result.at, first))
    return Point(result, figures, None if ours is None or theirs is None else ours / theirs)


def _ratio(grid: Panel, cell: Cell, first: Cell, of: Measure) -> Interval:
    if cell == first:
        return ONE if grid.mean(cell, of) else NOTHING
    return grid.ratio(cell, first, of)


def sentences(sweep: Sweep, bench: str) -> Iterator[str]:
    """Hold the study's conclusions against a benchmark, from its smallest to its largest size.

    They are that throughput grows with the size, which makes it the wrong metric across sizes; that
    compactions and total time are better; and that random reads gain more than sequential ones.
    """
    for wal in (True, False):
        ends = sweep.ends(bench, wal)
        if not ends:
            continue
        first, last = ends
        place = f"{last.label}, from {first.entry_bytes:,.0f} to {last.entry_bytes:,.0f} B"
        mb, operations, took = (last.figures[m.key].ratio for m in (MB, THROUGHPUT, TIME))
        yield (
            f"{place}: MB/s is {times(mb)} times as high, and operations/s {times(operations)} "
            f"times; that MB/s grows with the size {words.held(mb, 1, 1)}"
        )
        counts = [
            end.figures[COMPACTIONS.key].mean for end in ends if COMPACTIONS.key in end.figures
        ]
        if any(counts):
            fewer = (counts[1] or 0.0) <= (counts[0] or 0.0)
            held = "does not hold here" if fewer else words.held(took, 1, 1)
            work = " to ".join(map(words.number, counts))
            yield (
                f"{place}: compactions go from {work} a run, and total time is {times(took)} times "
                f"as long; that larger data cost more of both {held}"
            )
        elif counts:
            yield f"{place}: no compaction ended in these runs, so that none can be compared"
        others = sweep.ends("readseq", wal) if bench == "readrandom" else []
        if [end.result.size for end in others] == [end.result.size for end in ends]:
            a, b = (sweep.panel.draws(y.result.at, x.result.at, MB.of) for x, y in (others, ends))
            apart = a.times(b, -1).interval()
            yield (
                f"{place}: MB/s of readseq grows {times(apart)} times as much; that random reads "
                f"gain more {words.held(apart, 1, -1)}"
            )
