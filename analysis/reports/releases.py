"""The report of releases side by side: throughput in each mode, and what the log costs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from ..figures import points
from ..numerals import share
from ..report import Column as Header
from ..report import Report, Table, numbers
from ..results import CellResult, read, words
from ..series import Column, Plot, Series, plain
from . import cell_columns
from .campaign_end import results_of

_LEGEND = "points: means of slices; whiskers: their 95 % intervals, which hold the machine's drift"
_COLUMNS: tuple[Column[CellResult], ...] = (
    Column("release", of="build"),
    *plain("workload device durability threads throughput_unit"),
    Column("throughput", of="rate"),
    cell_columns.OVERHEAD,
)


def releases(campaigns: Sequence[Path]) -> Report:
    """Report every build of these campaigns, in their order. Errors: as `load`."""
    of = read(campaigns)
    order = list(dict.fromkeys(row.get("build") or "" for row in of.rows))
    order.sort(key=_numbers)
    results = [result for result in results_of(of) if result.build]
    results.sort(key=lambda result: (_workload(result), order.index(result.build)))
    every = [_series(title, list(several)) for title, several in groupby(results, key=_workload)]
    lines = [line for series in every for line in series.lines()]
    figures = {"releases": lambda: points.draw(every, of.origin, _LEGEND, size=(8.6, 3.2))}
    return cell_columns.report(
        of,
        "releases",
        parts=[_table(series) for series in every],
        content={"lines": lines},
        lines=lines,
        figures=figures if every else {},
    )


def _workload(result: CellResult) -> str:
    return f"{result.workload}, {result.threads} threads"


def _numbers(version: str) -> tuple[int, ...]:
    """Return a sort key: 10.4.2 follows 9.10.0, and names that are no release come first."""
    parts = version.split(".")
    return tuple(int(part) for part in parts) if all(map(str.isdecimal, parts)) else ()


def _series(title: str, results: Sequence[CellResult]) -> Series[CellResult]:
    return Series(
        axis="release",
        subject=title,
        points=results,
        columns=_COLUMNS,
        at=lambda result: result.build,
        line=cell_columns.line,
        plots=[Plot(results[0].unit.name, "throughput")],
    )


def _table(of: Series[CellResult]) -> Table:
    """Return a row for each release, columns for each mode and device, baselines first."""
    at = {(point.build, words.label(point)): point for point in of.points}
    ordered = sorted(of.points, key=lambda point: (not point.is_baseline, point.overhead or 0.0))
    compared = {words.label(result): not result.is_baseline for result in ordered}
    headers = [
        f"{label}\n{what}"
        for label, costs in compared.items()
        for what in (of.points[0].unit.name, *(["cost % [95 %]"] if costs else []))
    ]
    rows = [
        (
            build,
            *(
                text
                for label, costs in compared.items()
                for text in _texts(at.get((build, label)))[: 1 + costs]
            ),
        )
        for build in dict.fromkeys(point.build for point in of.points)
    ]
    return Table(of.subject, [Header("release"), *numbers(*headers)], rows)


def _texts(result: CellResult | None) -> tuple[str, str]:
    """Return throughput and cost as texts."""
    if result is None:
        return "-", "-"
    rate = words.FAILED if result.failed else words.number(result.throughput)
    return rate, "-" if result.overhead is None else share(result.interval)
