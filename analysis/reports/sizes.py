"""The report of a sweep of sizes: speed and work of an operation, by the bytes of key and value."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
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
from ..series import Column, Plot, Series, View, plain
from ..stats import NOTHING, ONE, Interval
from . import cell_columns, sweeps

_LEGEND = "ratios to the smallest size with the same log; whiskers: 95 % intervals"


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


@dataclass(frozen=True)
class Metric:
    """A figure of a slice; `key` is its name in files, with the unit last."""

    key: str
    title: str  # above a table's column and on a figure's axis
    of: Measure


def _mb_per_s(row: Row) -> float:
    """Return the keys and values of a second, in 2^20 bytes."""
    size = size_of(row["workload"])
    return float(row["throughput"] * size.pairs * size.entry_bytes / (1 << 20))


def _amplification(row: Row) -> float | None:
    """Return what was flushed and compacted over the keys and values that were written."""
    written = [row.get(f"rocksdb_{work}_write_bytes") for work in ("flush", "compact")]
    put = row["slice_requests"] * size_of(row["workload"]).entry_bytes
    return sum(map(float, filter(None, written))) / put if put and None not in written else None


OPERATIONS = Metric("ops_per_s", "ops/s", column("throughput"))
MB = Metric("mb_per_s", "MB/s", _mb_per_s)
AMPLIFICATION = Metric("write_amplification", "write ampl.", _amplification)
WAL_BYTES = Metric("wal_bytes_per_operation", "WAL B/op", per_operation("wal_bytes"))
_OF_ALL, _OF_WRITES = (OPERATIONS, MB), (AMPLIFICATION, WAL_BYTES)


@dataclass(frozen=True, eq=False)
class Point:
    """One size, with or without a log; `first` is the cell of the smallest size with the same log.

    `result` has the overhead against `off` of the same size. `means` and `ratios` to the first size
    are by metric's key; reads have none of those of writes.
    """

    result: CellResult
    first: Cell = field(repr=False)
    grid: Panel = field(repr=False)

    @property
    def size(self) -> Size:
        return size_of(self.result.workload)

    @property
    def label(self) -> str:
        return _label(wal=self.result.writes_wal)

    @property
    def metrics(self) -> Sequence[Metric]:
        only_reads = workloads.of(self.result.workload).only_reads
        return _OF_ALL if only_reads else (*_OF_ALL, *_OF_WRITES)

    @cached_property
    def means(self) -> dict[str, float | None]:
        return {each.key: self.grid.mean(self.result.at, each.of) for each in self.metrics}

    @cached_property
    def ratios(self) -> dict[str, Interval]:
        at = self.result.at
        if at == self.first:
            return {key: ONE if mean else NOTHING for key, mean in self.means.items()}
        return {each.key: self.grid.ratio(at, self.first, each.of) for each in self.metrics}


def sizes(folder: Path) -> Report:
    """Report a benchmark over the sizes of its keys and values.

    Errors: UsageError if the rows are not from a sweep of sizes; else as `load`.
    """
    of = read([folder])
    points = points_of(of.rows)
    failed = failures(of.rows, _called)
    lost = [f"{words.FAILED} {name}: {why}" for name, why in failed.items()]
    return sweeps.of_series(
        "sizes", of, [_series(points)] if points else [],
        legend=_LEGEND, size=(4.6, 3.0), across=2, guide="workloads.md", proven=False,
        content={"failures": failed}, more=[Lines(lost, "Without a result")],
    )  # fmt: skip


def points_of(rows: Sequence[Row]) -> list[Point]:
    """Return the points of these rows, those with the log first, the smallest sizes before others;
    those with a failed slice have none.

    Errors: UsageError if the rows are not from a sweep of sizes, or of several log devices.
    """
    for workload in dict.fromkeys(row["workload"] for row in rows):
        size_of(workload)
    places = {(row["device"], row["durability"]) for row in rows} - {("off", "off")}
    if len(places) > 1:
        named = ", ".join(sorted(f"{device} {mode}" for device, mode in places))
        raise UsageError(f"sweep-sizes: found logs of {named}; a sweep of sizes has one of them")
    grid = panel_of(rows)
    results = [result for result in every_cell(list(rows)) if not result.failed]
    points: list[Point] = []
    for wal in (True, False):
        mine = [result for result in results if result.writes_wal == wal]
        mine.sort(key=lambda result: size_of(result.workload).entry_bytes)
        points += [Point(result, mine[0].at, grid) for result in mine]
    return points


def _called(row: Row) -> str:
    return f"{size_of(row['workload']).name} {_label(wal=row['durability'] != 'off')}"


def _label(*, wal: bool) -> str:
    return f"WAL {'on' if wal else 'off'}"


def _series(points: Sequence[Point]) -> Series[Point]:
    """Return the series of a benchmark; metrics that it lacks are null."""
    result, size = points[0].result, points[0].size
    bench = result.workload.removesuffix(f"-{size.name}")
    writes = not workloads.of(result.workload).only_reads

    def of(metrics: Sequence[Metric]) -> str:
        return " ".join(f"{metric.key} {metric.key}_ratio" for metric in metrics)

    experiment = f"{bench}, profile {result.profile}, {words.clients(result.threads)}"
    views: list[View[Point]] = [View(experiment, f"_size _wal {of(_OF_ALL)} overhead")]
    if writes:
        views.append(View(f"{bench}: work of an operation", f"_size _wal {of(_OF_WRITES)}"))
    return Series(
        axis="key + value, B",
        subject=bench,
        points=points,
        columns=[
            Column("_size", "size", "text", of="size.name"),
            *(
                Column(name, of=f"size.{name}")
                for name in ("key_bytes", "value_bytes", "entry_bytes")
            ),
            Column("_wal", "log", "text", "label"),
            *plain("workload device durability"),
            Column("emulated", of="shows_model"),
            Column("rounds"),
            *(each for metric in (*_OF_ALL, *_OF_WRITES) for each in _of_metric(metric)),
            cell_columns.OVERHEAD,
        ],
        views=views,
        sentences=list(sentences(points)),
        at=lambda point: point.size.entry_bytes,
        line=cell_columns.line,
        plots=[
            Plot(f"{metric.title}, ratio", f"{metric.key}_ratio", mark=1.0)
            for metric in (*_OF_ALL, *([AMPLIFICATION] if writes else []))
        ]
        + [Plot("WAL overhead, %", "overhead", lambda point: point.result.writes_wal)] * writes,
    )


def _of_metric(metric: Metric) -> list[Column[Point]]:
    """Return columns for a metric's mean and its ratio to the first size's."""
    return [
        Column(metric.key, metric.title, "", lambda at: at.means.get(metric.key)),
        Column(
            f"{metric.key}_ratio", "x", "x alone", lambda at: at.ratios.get(metric.key, NOTHING)
        ),
    ]


def sentences(points: Sequence[Point]) -> Iterator[str]:
    """Say of each log what changes from the smallest size to the largest."""
    for wal in (True, False):
        mine = [at for at in points if at.result.writes_wal == wal]
        if len(mine) < 2:
            continue
        first, last = mine[0], mine[-1]
        operations, mb = (times(last.ratios[each.key]) for each in _OF_ALL)
        written = [number(at.means.get(AMPLIFICATION.key)) for at in (first, last)]
        yield (
            f"{last.label}, from {first.size.entry_bytes:,} to {last.size.entry_bytes:,} B: MB/s "
            f"is {mb} times as high, and operations/s {operations} times"
            + (
                f"; write amplification goes from {' to '.join(written)}"
                if last.metrics[2:]
                else ""
            )
        )
