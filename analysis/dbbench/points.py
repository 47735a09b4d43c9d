"""Rows of a sweep of sizes to its points: one per benchmark, size, and log on or off."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from ...errors import UsageError
from ...row import Row
from ..overhead import CellEstimate, every_cell
from ..stats import Interval
from . import slots, study
from .measures import METRICS
from .slots import Measure, Slots

# Benchmarks that put nothing: the log has nothing to do in them.
READS = {"readseq", "readrandom"}
_DBBENCH = "dbbench-"


@dataclass(frozen=True)
class Figure:
    """One metric of one point, and its ratio to the first size's; None where there is none."""

    mean: float | None
    ratio: Interval


@dataclass(frozen=True)
class Point:
    """`estimate` has the overhead against `off` of the same size; figures are by metric's key."""

    bench: str
    size: str
    key_bytes: int | None
    value_bytes: int | None  # None where they are drawn
    entry_bytes: float | None  # key and value; where drawn, the mean that db_bench counted
    estimate: CellEstimate
    figures: dict[str, Figure]
    study_ratio: float | None  # of MB/s, in the published study

    @property
    def wal(self) -> bool:
        return self.estimate.writes_wal

    @property
    def cell(self) -> str:
        return self.estimate.cell

    @property
    def drawn(self) -> bool:
        return self.value_bytes is None


@dataclass(frozen=True)
class Series:
    """The points of one benchmark with, or without, a log: the smallest fixed size first."""

    bench: str
    wal: bool
    label: str
    points: tuple[Point, ...]

    @property
    def fixed(self) -> tuple[Point, ...]:
        return tuple(one for one in self.points if not one.drawn)


@dataclass(frozen=True)
class Sweep:
    """`failures` says why, of points that have a failed slice and so no result."""

    slots: Slots
    series: tuple[Series, ...]
    failures: dict[str, str]

    @property
    def benches(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one.bench for one in self.series))

    def of(self, bench: str, wal: bool) -> Series | None:
        return next((s for s in self.series if (s.bench, s.wal) == (bench, wal)), None)


def of_rows(rows: list[Row]) -> Sweep:
    """Errors: UsageError when the rows are not of a sweep of sizes, or of several log devices."""
    mine = [one for one in rows if one["workload"].startswith(_DBBENCH) and one.get("size")]
    if not mine:
        raise UsageError("sweep-sizes: found no rows of db_bench with a size; give its campaign")
    places = {(one["device"], one["durability"]) for one in mine} - {("off", "off")}
    if len(places) > 1:
        named = ", ".join(sorted(f"{device} {mode}" for device, mode in places))
        raise UsageError(f"sweep-sizes: found logs of {named}; a sweep of sizes has one of them")
    grid = slots.of_rows(mine)
    estimates = [one for one in every_cell(mine) if one.cell in grid.cells]

    def series(one: CellEstimate) -> tuple[int, str, bool]:
        return _order(_bench(one)), _bench(one), not one.writes_wal

    found = [
        _series(grid, list(members))
        for _, members in groupby(sorted(estimates, key=series), key=series)
    ]
    return Sweep(grid, tuple(found), _failures(mine))


def _failures(rows: list[Row]) -> dict[str, str]:
    return {
        f"{one['workload'].removeprefix(_DBBENCH)} {one['size']} "
        f"{_label(one['durability'] != 'off')}": str(one["failure"])
        for one in rows
        if one["status"] == "failed"
    }


def _label(wal: bool) -> str:
    return f"WAL {'on' if wal else 'off'}"


def _bench(one: CellEstimate) -> str:
    return one.workload.removeprefix(_DBBENCH)


def _order(bench: str) -> int:
    """The study's benchmarks in its order, others after them."""
    names = list(study.BENCHES)
    return names.index(bench) if bench in names else len(names)


def _series(grid: Slots, estimates: list[CellEstimate]) -> Series:
    ordered = sorted(estimates, key=lambda one: _by_size(grid.first(one.cell), one.size))
    points = tuple(_point(grid, one, ordered[0].cell) for one in ordered)
    one = ordered[0]
    return Series(_bench(one), one.writes_wal, _label(one.writes_wal), points)


def _by_size(one: Row, size: str) -> tuple[bool, float, str]:
    """Fixed sizes first, the smallest before the larger."""
    return one.get("value_bytes") is None, _entry_bytes(one) or 0.0, size


def _entry_bytes(one: Row) -> float | None:
    if one.get("key_bytes") is not None and one.get("value_bytes") is not None:
        return float(one["key_bytes"] + one["value_bytes"])
    if one.get("mb_per_s") and one.get("throughput"):
        return float(one["mb_per_s"] * (1 << 20) / one["throughput"])
    return None


def _point(grid: Slots, estimate: CellEstimate, first: str) -> Point:
    one, bench = grid.first(estimate.cell), _bench(estimate)
    figures = {
        metric.key: Figure(
            grid.mean(one["cell"], metric.of), _ratio(grid, one["cell"], first, metric.of)
        )
        for metric in METRICS
        if not (metric.of_writes and bench in READS)
    }
    return Point(
        bench=bench,
        size=estimate.size,
        key_bytes=one.get("key_bytes"),
        value_bytes=one.get("value_bytes"),
        entry_bytes=_entry_bytes(one),
        estimate=estimate,
        figures=figures,
        # The study ran with a log; its first row is that of 116 B.
        study_ratio=_study_ratio(grid.first(first), estimate.size, bench),
    )


def _ratio(grid: Slots, cell: str, first: str, of: Measure) -> Interval:
    if cell == first:
        mean = grid.mean(cell, of)
        return Interval(1.0, 1.0, 1.0) if mean else Interval(None, None, None)
    return grid.ratio(cell, first, of)


def _study_ratio(first: Row, size: str, bench: str) -> float | None:
    """Of the study's figures, over the size that is the first here."""
    ours, theirs = study.ratio_of(size, bench), study.ratio_of(first["size"], bench)
    return None if ours is None or theirs is None else ours / theirs


def times(found: Interval) -> str:
    """E.g. 2.93 [2.80, 3.05]; a dash where there is nothing to divide."""
    if found.value is None:
        return "-"
    if found.low is None or found.high is None:
        return f"{found.value:.2f}"
    return f"{found.value:.2f} [{found.low:.2f}, {found.high:.2f}]"


def direction(found: Interval) -> int | None:
    """1 when it is resolvably above 1, -1 below, 0 when neither; None without an interval."""
    if found.low is None or found.high is None:
        return None
    return 1 if found.low > 1 else -1 if found.high < 1 else 0
