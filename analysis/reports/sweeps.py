"""What the reports of series have in common: their parts, their files, their notes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, TypeVar

from ...base.errors import UsageError
from ...row import Row
from .. import published
from ..figures import points
from ..report import Lines, Part, Report, Verdict
from ..results import CellResult, Source, every_cell, read, words
from ..results.curve import usable
from ..series import Series, result_of
from . import cell_columns

T = TypeVar("T")
_OF_GROUP = ("engine", "workload", "profile")
_CHANGES = {None: "without intervals", -1: "less", 0: "which cannot be told apart", 1: "more"}


def report(
    campaigns: Sequence[Path],
    *,
    name: str,
    series: Callable[[list[Row]], Sequence[Series[Any]]],
    lacking: str,
    is_one_study: bool = False,
    **more: Any,
) -> Report:
    """Report the series of these campaigns; `more` is passed to `of_series`.

    If several campaigns are one study, its files belong to the first. Errors: UsageError with what
    is `lacking` if there is no series; else as `load`.
    """
    of = read(campaigns)
    every = series(of.rows)
    if not every:
        raise UsageError(f"{campaigns[0]}: found {lacking}")
    first = campaigns[0] if is_one_study and campaigns[0].is_dir() else of.folder
    return of_series(name, replace(of, folder=first), every, **more)


def of_series(
    name: str,
    of: Source,
    every: Sequence[Series[Any]],
    *,
    legend: str,
    size: tuple[float, float] = (5.5, 4.0),
    called: str = "sweeps",
    content: Mapping[str, Any] | None = None,
    more: Sequence[Part] = (),
    warnings: Sequence[str] = (),
) -> Report:
    """Report these series: a figure of their plots, and the parts of each.

    `size` is that of one plot, in inches. `more` comes last, behind the cells without a result.
    Programs get the series under the name `called`, with the study's own `content`. Of the cells'
    doubts only the large ones are said: the page has the others, and what proves each cell.
    """
    failed = {row["cell"]: row["failure"] for row in of.rows if row["status"] == "failed"}
    lost = Lines([f"{words.FAILED} {cell}: {why}" for cell, why in failed.items()], "Failed")
    parts = [part for series in every for part in _parts(series)]
    draw = partial(points.draw, every, of.origin, legend, size=size)
    return cell_columns.report(
        of,
        name,
        parts=[*parts, lost, *more],
        content={
            **(content or {}),
            "failures": failed,
            called: [series.content() for series in every],
        },
        lines=[line for series in every for line in series.lines()],
        figures={name: draw} if any(series.plots for series in every) else {},
        beside=[
            study
            for series in every
            for study in published.of(series.points, [column.name for column in series.columns])
        ],
        warnings=[*of.warnings, *warnings],
    )


def _parts(of: Series[Any]) -> list[Part]:
    """Return the parts of a series; without a verdict, a line has the cells' large doubts."""
    results = [result for result in map(result_of, of.points) if isinstance(result, CellResult)]
    doubtful = "" if of.verdict else words.doubtful(results).removeprefix("; ")
    return [
        *([Verdict(of.verdict)] if of.verdict else []),
        Lines([*of.sentences, *([doubtful] if doubtful else [])], of.subject),
        *of.tables(),
        *of.more,
    ]


def swept(rows: list[Row], place: Callable[[CellResult], Any]) -> list[list[CellResult]]:
    """Return the synced results of each engine, workload and profile that has two places or more.

    Baselines come first, then the device with the fastest syncs; each device has its places in
    their order. Cells with a failed slice are left out.
    """
    known = [result for result in every_cell(rows) if not result.failed]
    known = [result for result in known if result.is_baseline or usable(result)]
    every = grouped(known, lambda result: [getattr(result, name) for name in _OF_GROUP])
    every = [each for each in every if len(set(map(place, each))) > 1]
    return [_ordered(each, place) for each in every if not all(of.is_baseline for of in each)]


def _ordered(group: Sequence[CellResult], place: Callable[[CellResult], Any]) -> list[CellResult]:
    by_place = sorted(group, key=place)
    # Of several the first place counts; a server without a log still syncs a little by itself.
    sync_us = {result.device: result.facts["sync_us"] or 0.0 for result in reversed(by_place)}
    return sorted(by_place, key=lambda of: (not of.is_baseline, sync_us[of.device], of.device))


def grouped(items: Iterable[T], key: Callable[[T], Any]) -> list[list[T]]:
    """Return the items by their keys, the least key first, in their own order within each."""
    return [list(group) for _, group in groupby(sorted(items, key=key), key)]


def by_device(points: Iterable[T]) -> list[list[T]]:
    """Return the points of each device, and of its baseline, which follow each other."""
    of = groupby(points, lambda at: (result_of(at).device, result_of(at).is_baseline))
    return [list(mine) for _, mine in of]


def group(result: CellResult) -> dict[str, Any]:
    """Return what tells the comparison groups apart, under the names of the rows' columns."""
    return {name: getattr(result, name) for name in _OF_GROUP}


def along(name: str, mine: Sequence[CellResult], where: Callable[[CellResult], str]) -> str:
    """Say what the log costs at both ends of an axis, or at its only place."""
    ends = list(dict.fromkeys([mine[0], mine[-1]]))
    said = " and ".join(f"{words.cost(result.interval)} {where(result)}" for result in ends)
    # Cells at two places may share no rounds.
    change = ends[-1].interval.minus(ends[0].interval).side(0)
    changed = f", {_CHANGES[change]}" if len(ends) > 1 else ""
    return f"{name}: the log costs {said}{changed}"
