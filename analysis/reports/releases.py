"""The report of releases side by side: throughput in each mode, and what the log costs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from ..report import Report
from ..results import CellResult, read, words
from ..series import Column, Plot, Series, View, plain
from . import cell_columns, sweeps
from .campaign_end import results_of

_LEGEND = "points: means of slices; whiskers: their 95 % intervals, which hold the machine's drift"


def releases(campaigns: Sequence[Path]) -> Report:
    """Report every build of these campaigns, in their order. Errors: as `load`."""
    of = read(campaigns)
    results = [result for result in results_of(of) if result.build]
    results.sort(key=lambda result: (_workload(result), not result.is_baseline))
    every = [_series(title, list(several)) for title, several in groupby(results, key=_workload)]
    return sweeps.of_series("releases", of, every, legend=_LEGEND, size=(8.6, 3.2), proven=False)


def _workload(result: CellResult) -> str:
    return f"{result.workload}, {result.threads} threads"


def _numbers(version: str) -> tuple[int, ...]:
    """Return a sort key: 10.4.2 follows 9.10.0, and names that are no release come first."""
    parts = version.split(".")
    return tuple(int(part) for part in parts) if all(map(str.isdecimal, parts)) else ()


def _series(title: str, results: Sequence[CellResult]) -> Series[CellResult]:
    """Return the releases, those of one mode and device below each other, baselines first."""
    modes = list(dict.fromkeys(map(words.label, results)))
    points = sorted(
        results, key=lambda point: (modes.index(words.label(point)), _numbers(point.build))
    )
    return Series(
        axis="release",
        subject=title,
        points=points,
        columns=[
            Column("release", "release", "text", "build"),
            cell_columns.LABEL,
            *plain("workload device durability threads throughput_unit"),
            Column("throughput", results[0].unit.name, of="rate", text=cell_columns.throughput),
            cell_columns.OVERHEAD,
        ],
        views=[View(title, "release _label throughput overhead")],
        at=lambda result: result.build,
        line=cell_columns.line,
        plots=[Plot(results[0].unit.name, "throughput")],
    )
