"""The report of a sweep of sizes: speed and work of each benchmark."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from pathlib import Path

from ... import workloads
from ...base.errors import UsageError
from ...cell import Cell
from ...row import Row
from ..numerals import number, times
from ..report import Lines, Report
from ..results import CellResult, Panel, every_cell, panel_of, read, words
from ..results.panel import Measure, column, per_operation
from ..results.source import failures
from ..series import Column, Line, Plot, Series, View, plain
from ..stats import NOTHING, ONE, Interval
from . import cell_columns, sweeps

_SECTION = "dbbench"  # a profile's section of what its workloads share
_BENCHES = ("fillseq", "fillrandom", "readseq", "readrandom")  # come first, in this order
_LEGEND = (
    "ratios to the smallest size, of the same benchmark and log; whiskers: 95 % intervals; "
    "hollow: sizes are drawn, at their mean"
)


def _compacted_mb(row: Row) -> float | None:
    """Return what compactions read and wrote, in 2^20 bytes."""
    read, written = row.get("compaction_read_bytes"), row.get("compaction_written_bytes")
    return None if read is None or written is None else float(read + written) / (1 << 20)


# Figures of every run, by their name in files: the title above a column, and the measure.
_SPEED: Mapping[str, tuple[str, Measure]] = {
    "mb_per_s": ("MB/s", column("mb_per_s")),
    "ops_per_s": ("ops/s", column("throughput")),
    "elapsed_s": ("total time s", column("elapsed_s")),
}
_WORK: Mapping[str, tuple[str, Measure]] = {  # of benchmarks that write
    "compactions": ("compactions", column("compactions")),
    "compacted_mb": ("compacted MB", _compacted_mb),
    "write_amplification": ("write ampl.", column("write_amplification")),
    "wal_bytes_per_operation": ("WAL B/op", per_operation("wal_bytes")),
}
_DRAWN = 5  # of these have a plot


@dataclass(frozen=True, eq=False)
class Point:
    """One benchmark and size, with or without a log; `first` is the cell of its smallest size.

    `result` has the overhead against `off` of the same size. `means` and `ratios` to the first size
    are by the name of the figure; benchmarks that read lack those of writes.
    """

    result: CellResult
    first: Cell = field(repr=False)
    grid: Panel = field(repr=False)

    @property
    def bench(self) -> str:
        """Its name in db_bench."""
        return _bench(self.result.workload)

    @property
    def label(self) -> str:
        return _label(wal=self.result.writes_wal)

    @property
    def figures(self) -> Mapping[str, tuple[str, Measure]]:
        only_reads = workloads.of(self.result.workload).only_reads
        return _SPEED if only_reads else {**_SPEED, **_WORK}

    @cached_property
    def means(self) -> Mapping[str, float | None]:
        at = self.result.at
        return {name: self.grid.mean(at, measure) for name, (_, measure) in self.figures.items()}

    @cached_property
    def ratios(self) -> Mapping[str, Interval]:
        at, first = self.result.at, self.first
        if at == first:
            return {name: ONE if mean else NOTHING for name, mean in self.means.items()}
        return {n: self.grid.ratio(at, first, measure) for n, (_, measure) in self.figures.items()}

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


def sizes(folder: Path) -> Report:
    """Report every benchmark over the sizes of its keys and values.

    Errors: UsageError if the rows are not from a sweep of sizes; else as `load`.
    """
    of = read([folder])
    points = points_of(of.rows)
    failed = failures(of_sizes(of.rows), _called)
    lost = [f"{words.FAILED} {name}: {why}" for name, why in failed.items()]
    return sweeps.of_series(
        "sizes", of, [_series(points, bench) for bench in dict.fromkeys(p.bench for p in points)],
        legend=_LEGEND, size=(3.6, 3.0), across=3, guide="reports.md", proven=False,
        content={"failures": failed}, more=[Lines(lost, "Without a result")],
    )  # fmt: skip


def of_sizes(rows: Sequence[Row]) -> list[Row]:
    """Return the rows of db_bench with a size."""
    sections = {name: workloads.of(name).section for name in {row["workload"] for row in rows}}
    return [row for row in rows if sections[row["workload"]] == _SECTION and row.get("size")]


def points_of(rows: Sequence[Row]) -> list[Point]:
    """Return the points of these rows; those with a failed slice have none.

    Of each benchmark those with the log come first; fixed sizes, the smallest first, come before
    those that are drawn. Errors: UsageError if the rows are not from a sweep of sizes, or of
    several log devices.
    """
    mine = of_sizes(rows)
    if not mine:
        raise UsageError("sweep-sizes: found no rows of db_bench with a size; give its campaign")
    places = {(row["device"], row["durability"]) for row in mine} - {("off", "off")}
    if len(places) > 1:
        named = ", ".join(sorted(f"{device} {mode}" for device, mode in places))
        raise UsageError(f"sweep-sizes: found logs of {named}; a sweep of sizes has one of them")
    grid = panel_of(mine)
    results = sorted((each for each in every_cell(mine) if not each.failed), key=_order)
    return [
        Point(result, of_bench[0].at, grid)
        for _, members in groupby(results, key=lambda result: _order(result)[:3])
        for of_bench in [list(members)]
        for result in of_bench
    ]


def _order(result: CellResult) -> tuple[int, str, bool, bool, float, str]:
    bench, row = _bench(result.workload), result.rows[0]
    place = _BENCHES.index(bench) if bench in _BENCHES else len(_BENCHES)
    of_size = row.get("value_bytes") is None, _entry_bytes(row) or 0.0, result.size
    return place, bench, not result.writes_wal, *of_size


def _called(row: Row) -> str:
    return f"{_bench(row['workload'])} {row['size']} {_label(wal=row['durability'] != 'off')}"


def _bench(workload: str) -> str:
    return workload.removeprefix(f"{_SECTION}-")


def _label(*, wal: bool) -> str:
    return f"WAL {'on' if wal else 'off'}"


def _entry_bytes(row: Row) -> float | None:
    if row.get("key_bytes") is not None and row.get("value_bytes") is not None:
        return float(row["key_bytes"] + row["value_bytes"])
    if row.get("mb_per_s") and row.get("throughput"):
        return float(row["mb_per_s"] * (1 << 20) / row["throughput"])
    return None


def _series(points: Sequence[Point], bench: str) -> Series[Point]:
    """Return the series of a benchmark; metrics that it lacks are null."""
    every = [point for point in points if point.bench == bench]
    result = every[0].result
    clients = f"{result.threads} thread{'s' if result.threads > 1 else ''}"
    shown = _views(f"db_bench {bench}", f"profile {result.profile}, {clients}")
    return Series(
        axis="key + value, B",
        subject=f"db_bench {bench}",
        points=every,
        columns=[
            Column("bench"),
            Column("size", "size", "text"),
            *plain("key_bytes value_bytes"),
            Column("entry_bytes", "B", text=_bytes),
            Column("_wal", "log", "text", "label"),
            *plain("device durability"),
            Column("emulated", of="shows_model"),
            Column("rounds"),
            *(each for name in {**_SPEED, **_WORK} for each in _of_figure(name)),
            cell_columns.OVERHEAD,
        ],
        views=shown if _WORK.keys() <= every[0].figures.keys() else shown[:1],
        sentences=list(sentences(every)),
        at=lambda point: point.entry_bytes,
        line=_line,
        plots=_PLOTS,
    )


def _bytes(point: Point) -> str:
    return "-" if point.entry_bytes is None else f"{'~' * point.drawn}{point.entry_bytes:,.0f}"


def _of_figure(name: str) -> list[Column[Point]]:
    """Return columns for a figure's mean and its ratio to the first size's."""
    title, _ = {**_SPEED, **_WORK}[name]
    return [
        Column(name, title.replace("total ", ""), "", lambda at: at.means.get(name)),
        Column(f"{name}_ratio", "x", "x alone", lambda at: at.ratios.get(name, NOTHING)),
    ]


def _views(bench: str, experiment: str) -> list[View[Point]]:
    def of(names: Iterable[str]) -> str:
        return "size entry_bytes _wal " + " ".join(f"{name} {name}_ratio" for name in names)

    return [
        View(f"{bench}, {experiment}: speed", f"{of(_SPEED)} overhead"),
        View(f"{bench}: work of a run", of(_WORK)),
    ]


def _line(point: Point) -> Line:
    """Return a point's line; drawn sizes are on none, as they differ in more than their mean."""
    if point.drawn:
        return Line("_", point.result.device, "none", is_open=True)
    return cell_columns.line(point)


_PLOTS: tuple[Plot[Point], ...] = (
    *(
        Plot(f"{title.replace(' s', ' (s)')}, ratio", f"{name}_ratio", mark=1.0)
        for name, (title, _) in [*_SPEED.items(), *_WORK.items()][:_DRAWN]
    ),
    Plot("WAL overhead, %", "overhead", lambda point: point.result.writes_wal),
)


def sentences(points: Sequence[Point]) -> Iterator[str]:
    """Say of each log what changes from a benchmark's smallest fixed size to its largest."""
    for wal in (True, False):
        mine = [at for at in points if at.result.writes_wal == wal and not at.drawn]
        if len(mine) < 2:
            continue
        first, last = mine[0], mine[-1]
        mb, operations, took = (times(last.ratios[name]) for name in _SPEED)
        counts = [at.means.get("compactions") for at in (first, last)]
        done = f"; compactions go from {' to '.join(map(number, counts))} a run"
        yield (
            f"{last.label}, from {first.entry_bytes:,.0f} to {last.entry_bytes:,.0f} B: MB/s is "
            f"{mb} times as high, operations/s {operations} times, and total time {took} times"
            f"{done if any(counts) else ''}"
        )
