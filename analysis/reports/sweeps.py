"""What the reports of series have in common: their parts, their files, their notes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ...base.errors import UsageError
from ...row import Row
from .. import published
from ..figures import points
from ..report import Lines, Part, Report, Verdict
from ..results import CellResult, Source, read, words
from ..results.doubts import EMULATED
from ..series import Series, result_of
from ..stats import Interval
from ..sweep import doubts
from . import cell_columns

if TYPE_CHECKING:
    from matplotlib.figure import Figure

T = TypeVar("T")


def report(
    name: str,
    campaigns: Sequence[Path],
    series: Callable[[list[Row]], Sequence[Series[Any]]],
    *,
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
    size: tuple[float, float] | None = None,
    across: int = 1,
    guide: str = "",
    called: str = "sweeps",
    content: Mapping[str, Any] | None = None,
    proven: bool = True,
    more: Sequence[Part] = (),
    warnings: Sequence[str] = (),
) -> Report:
    """Report these series: a figure of their plots, and the parts of each.

    Without a `size` the figure has a row for each point: see `figures.points`. `guide` is the page
    of docs/ that explains it, and `more` comes last. Programs get the series under the name
    `called`, with the study's own `content`. Only if `proven` there are the cells' doubts and
    evidence; the table of overheads before has them, too.
    """
    studies = [published.study_of(one.points, [col.name for col in one.columns]) for one in every]
    every = [published.beside(*pair) for pair in zip(every, studies, strict=True)]
    parts = [part for series in every for part in _parts(series, proven=proven)]
    read_by = [f"docs/{guide} says how to read it"] if guide else []

    def draw() -> Figure:
        if size is None:
            return points.draw_sideways(every, of.origin, legend)
        return points.draw(every, of.origin, legend, size=size, across=across)

    return cell_columns.report(
        of,
        name,
        parts=[*parts, *more, Lines(read_by)],
        content={**(content or {}), called: [series.content() for series in every]},
        lines=[line for series in every for line in series.lines()],
        figures={name: draw} if any(series.plots for series in every) else {},
        beside=studies,
        warnings=[*of.warnings, *warnings],
    )


def _parts(of: Series[Any], *, proven: bool) -> list[Part]:
    results = [result_of(point) for point in of.points]
    return [
        *([Verdict(of.verdict)] if of.verdict else []),
        Lines(of.sentences, of.subject),
        *of.tables(),
        *of.more,
        _notes(of.left_out, results if proven else ()),
        *([_evidence([*of.proofs, *results])] if proven else []),
    ]


def parted(results: Iterable[CellResult]) -> tuple[list[CellResult], list[str]]:
    """Return the results with a throughput, and a sentence on each of the others."""
    every = list(results)
    known = [result for result in every if not result.failed and result.throughput is not None]
    return known, [f"{each.cell}: {words.FAILED}" for each in every if each not in known]


def grouped(items: Iterable[T], key: Callable[[T], Any]) -> list[list[T]]:
    """Return the items by their keys, the least key first, in their own order within each."""
    return [list(group) for _, group in groupby(sorted(items, key=key), key)]


def name(result: CellResult) -> str:
    """Return the name that tells the cells of a series apart."""
    if result.shards:
        return f"{result.shards}, {words.label(result)}"
    if load := result.at.axes["load"]:
        return f"{result.device} at {load} %"
    return f"{result.device}, {result.threads} clients"


def _notes(left_out: Sequence[str], results: Sequence[CellResult]) -> Lines:
    """Return what was left out, and the cells' doubts."""
    every = ((name(result), doubt) for result in results for doubt in result.doubts)
    # That it is emulated the evidence says of each cell.
    shared = words.once((cell, doubt.text) for cell, doubt in every if doubt.kind != EMULATED)
    return Lines([*left_out, *shared], "Notes")


def _evidence(results: Sequence[CellResult]) -> Lines:
    """Return what proves the labels of a sweep's cells."""
    return cell_columns.evidence(results, name, doubts.of_cells(results))


def group(result: CellResult) -> dict[str, Any]:
    """Return what tells the comparison groups apart, under the names of the rows' columns."""
    return {name: getattr(result, name) for name in ("engine", "workload", "profile")}


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
