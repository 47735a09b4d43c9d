"""Every slice over time: what the rounds' ratios had to cancel."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from ...cell import Cell
from ...row import Row
from ..results import CellResult, Origin, by_group, doubts, words
from . import axes_below, empty, footnote, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LEGEND = (
    "a line breaks where a session ends: fresh data, fresh processes; "
    "crosses: slices that something outside disturbed"
)
_GAP = 0.05  # between two campaigns, as a share of the longest one's time


def drift(rows: Sequence[Row], results: Sequence[CellResult], origin: Origin) -> Figure:
    """Draw the throughput of every slice over time, a line of axes per comparison group."""
    groups = by_group(results)
    figure = empty(11.0, 3.8 * len(groups))
    for axes, group in zip(axes_below(figure, len(groups)), groups, strict=True):
        draw_drift(axes, rows, group)
    footnote(figure, origin, _LEGEND)
    return figure


def draw_drift(axes: Axes, rows: Sequence[Row], group: Sequence[CellResult]) -> None:
    """Draw a line per cell, broken between sessions."""
    cells = {result.at for result in group}
    accepted = [row for row in rows if row["status"] == "ok" and Cell.of_row(row) in cells]
    when, label = _when(accepted)
    for result in group:
        name = words.label(result) + f" {words.FAILED}" * result.failed
        mine = [
            pair for pair in zip(when, accepted, strict=True) if Cell.of_row(pair[1]) == result.at
        ]
        for _, slices in groupby(mine, key=lambda pair: (pair[1]["campaign"], pair[1]["session"])):
            _line(axes, result, list(slices), name)
            name = "_"  # one entry in the legend
    axes.set_ylim(bottom=0)
    axes.set_title(f"{words.group_title(group[0])}: every slice\n{_finding(group)}")
    axes.set_xlabel(label)
    axes.set_ylabel(group[0].throughput_unit)
    axes.yaxis.set_major_formatter("{x:,.0f}")
    style.legend(axes)


def _line(axes: Axes, result: CellResult, slices: Sequence[tuple[float, Row]], name: str) -> None:
    places, rates = zip(*((place, row["throughput"]) for place, row in slices), strict=True)
    axes.plot(places, rates, **style.of_cell(result), markersize=4, linewidth=1, label=name)
    hit = [(place, row["throughput"]) for place, row in slices if row.get("disturbed")]
    axes.plot(*zip(*hit, strict=True), "x", color=style.INK, markersize=6) if hit else None


def _finding(group: Sequence[CellResult]) -> str:
    """Name the cells whose overhead drifts, in the words of the doubt."""
    said = [
        f"{words.label(result)}: {doubt.text}"
        for result in group
        for doubt in result.doubts
        if doubt.kind == doubts.DRIFT
    ]
    if said:
        return said[0] + (f" (and {len(said) - 1} more)" if len(said) > 1 else "")
    return "no overhead is known to drift within sessions by more than its interval reaches"


def _when(rows: Sequence[Row]) -> tuple[list[float], str]:
    """Return where each slice stands, and the axis' name; several campaigns follow each other.

    If a slice lacks its time, use their order.
    """
    if any(not isinstance(row.get("start_unix_s"), (int, float)) for row in rows):
        return list(map(float, range(len(rows)))), "slice, in the order measured"
    first: dict[str, float] = {}
    last: dict[str, float] = {}
    for row in rows:
        name, at = row["campaign"], row["start_unix_s"] / 60
        first[name], last[name] = min(first.get(name, at), at), max(last.get(name, at), at)
    lengths = {name: last[name] - first[name] for name in first}
    begins, begin = {}, 0.0
    for name, length in lengths.items():
        begins[name] = begin
        begin += length + _GAP * max(lengths.values())
    places = [
        begins[row["campaign"]] - first[row["campaign"]] + row["start_unix_s"] / 60 for row in rows
    ]
    more = "" if len(lengths) == 1 else "; one campaign after the other"
    return places, f"minutes since the first slice{more}"
