"""What the reports of series have in common: their parts, their files, their notes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ...base.errors import UsageError
from ...row import Row
from ..figures import points
from ..report import Lines, Part, Report
from ..results import CellResult, read, words
from ..results.doubts import EMULATED
from ..series import Series, result_of
from ..stats import Interval
from ..sweep import doubts
from . import cell_columns


def report(
    name: str,
    campaigns: Sequence[Path],
    series: Callable[[list[Row]], Sequence[Series[Any]]],
    *,
    lacking: str,
    legend: str,
    size: tuple[float, float],
    across: int = 1,
    is_one_study: bool = False,
    guide: str = "",
    tables: Callable[[Series[Any]], Sequence[Part]] = lambda _: (),
    more: Callable[[list[Row]], Sequence[Part]] = lambda _: (),
) -> Report:
    """Report the series of these campaigns: a figure of their plots, and the parts of each.

    If several campaigns are one study, its files belong to the first. `guide` is the page of docs/
    that explains it, `tables` returns other tables of a series, and `more` comes last. Errors:
    UsageError with what is `lacking` if there is no series; else as `load`.
    """
    of = read(campaigns)
    every = series(of.rows)
    if not every:
        raise UsageError(f"{campaigns[0]}: found {lacking}")
    first = campaigns[0] if is_one_study and campaigns[0].is_dir() else of.folder
    parts = [part for series in every for part in _parts(series, tables(series))]
    read_by = [f"docs/{guide} says how to read it"] if guide else []
    return cell_columns.report(
        of,
        name,
        parts=[*parts, *more(of.rows), Lines(read_by)],
        content={"sweeps": [series.content() for series in every]},
        lines=[line for series in every for line in series.lines()],
        figures={name: lambda: points.draw(every, of.origin, legend, size=size, across=across)},
        folder=first,
    )


def _parts(of: Series[Any], tables: Sequence[Part]) -> list[Part]:
    results = [result_of(point) for point in of.points]
    return [
        Lines(of.sentences, of.subject),
        *of.tables(),
        *tables,
        notes(of.left_out, results),
        evidence(results),
    ]


def name(result: CellResult) -> str:
    """Return the name that tells the cells of a series apart."""
    if result.shards:
        return f"{result.shards}, {words.label(result)}"
    if load := result.at.axes["load"]:
        return f"{result.device} at {load} %"
    return f"{result.device}, {result.threads} clients"


def notes(left_out: Sequence[str], results: Sequence[CellResult]) -> Lines:
    """Return what was left out, and the cells' doubts, shared ones once with the cells' names."""
    by_note: dict[str, list[str]] = {}
    for result in results:
        for doubt in result.doubts:
            if doubt.kind != EMULATED:  # the evidence says it of each cell
                by_note.setdefault(doubt.text, []).append(name(result))
    shared = [f"{doubts.names(names)}: {note}" for note, names in by_note.items()]
    return Lines([*left_out, *shared], "Notes")


def evidence(results: Sequence[CellResult]) -> Lines:
    """Return what proves the labels of a sweep's cells."""
    return cell_columns.evidence(results, name, doubts.of_cells(results))


def group(result: CellResult) -> dict[str, Any]:
    """Return what tells the comparison groups apart, under the names of the rows' columns."""
    return {name: getattr(result, name) for name in ("engine", "workload", "profile", "size")}


def along(name: str, *ends: tuple[Interval, str]) -> str:
    """Say what the log costs at both ends of an axis, or at its only place."""
    said = " and ".join(f"{words.cost(overhead)} {where}" for overhead, where in ends)
    changed = f", {_change(ends[0][0], ends[1][0])}" if len(ends) > 1 else ""
    return f"{name}: the log costs {said}{changed}"


def _change(first: Interval, last: Interval) -> str:
    """Say whether an overhead changed along the axis, by intervals that do not overlap.

    The cells at two places of an axis may share no rounds.
    """
    if first.low is None or first.high is None or last.low is None or last.high is None:
        return "without intervals"
    if last.high < first.low:
        return "less"
    return "more" if last.low > first.high else "which cannot be told apart"
