"""The report of releases side by side: throughput in each mode, and what the log costs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from ..figures import releases as figures
from ..report import Column, Report, Table, numbers
from ..results import CellResult, read, words
from . import cells
from .ended import results_of

_WIDTH = 112


def releases(campaigns: Sequence[Path]) -> Report:
    """Every build of these campaigns, in their order. Errors: as `load`."""
    of = read(campaigns)
    results = [one for one in results_of(of) if one.build]
    groups = [
        (title, list(several))
        for title, several in groupby(sorted(results, key=_workload), key=_workload)
    ]
    order = list(dict.fromkeys(row.get("build") or "" for row in of.rows))
    order.sort(key=_numbers)
    return Report(
        name="releases",
        parts=[_table(title, several, order) for title, several in groups],
        content=cells.content(of.origin, lines=[_line(one) for one in results]),
        lines=[_line(one) for one in results],
        figures={"releases": lambda: figures.draw(groups, order, of.origin)},
        warnings=of.warnings,
        folder=of.folder,
        width=_WIDTH,
        source=of,
    )


def _workload(one: CellResult) -> str:
    return f"{one.workload}, {one.threads} threads"


def _numbers(version: str) -> tuple[int, ...]:
    """10.4.2 stands behind 9.10.0; what is no release, before all."""
    parts = version.split(".")
    return tuple(int(part) for part in parts) if all(map(str.isdecimal, parts)) else ()


def _table(title: str, several: Sequence[CellResult], order: Sequence[str]) -> Table:
    """A row for each release, and columns for each mode on each device."""
    at = {(one.build, words.label(one)): one for one in several}
    labels = list(dict.fromkeys(words.label(one) for one in _baselines_first(several)))
    baselines = {words.label(one) for one in several if one.is_baseline}
    headers = []
    for label in labels:
        headers.append(f"{label}\n{several[0].unit.name}")
        headers += [] if label in baselines else [f"{label}\ncost % [95 %]"]
    rows = []
    for build in order:
        cells_of = [(label, at.get((build, label))) for label in labels]
        texts = [
            text
            for label, one in cells_of
            for text in (_rate(one), *(() if label in baselines else (_cost(one),)))
        ]
        rows.append((build, *texts))
    return Table(title, [Column("release"), *numbers(*headers)], rows)


def _baselines_first(several: Sequence[CellResult]) -> list[CellResult]:
    return sorted(several, key=lambda one: (not one.is_baseline, one.overhead or 0.0))


def _rate(one: CellResult | None) -> str:
    if one is None:
        return "-"
    return words.FAILED if one.failed else words.number(one.throughput)


def _cost(one: CellResult | None) -> str:
    if one is None or one.overhead is None:
        return "-"
    return f"{words.percent(one.overhead)} {words.bounds(one.low, one.high)}"


def _line(one: CellResult) -> dict[str, object]:
    """A cell for programs: fractions, not percent."""
    return {
        "release": one.build,
        "workload": one.workload,
        "device": one.device,
        "durability": one.durability,
        "threads": one.threads,
        "throughput_unit": one.throughput_unit,
        "throughput": one.throughput,
        "throughput_low": one.throughput_low,
        "throughput_high": one.throughput_high,
        "overhead": one.overhead,
        "overhead_low": one.low,
        "overhead_high": one.high,
    }
