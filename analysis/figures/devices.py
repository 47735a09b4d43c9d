"""Bars of throughputs and overheads, and every slice over time."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from ...cell import Cell
from ...row import Row
from ..results import CellResult, Origin, by_group, words
from ..stats import Interval
from . import axes_below, empty, footnote, percent, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def overheads(results: Sequence[CellResult], origin: Origin) -> Figure:
    """Throughput left, overhead right; one line of axes per comparison group."""
    groups = by_group(results)
    bars = max(len(group) for group in groups)
    figure = empty(max(8.0, 2.2 + 1.8 * bars), 4.3 * len(groups))
    axes = figure.subplots(len(groups), 2, squeeze=False)
    for (left, right), group in zip(axes, groups, strict=True):
        draw_throughput(left, group)
        draw_overhead(right, group)
    hatched = "; hatched: the WAL's device is emulated by a latency model"
    emulated = any(one.shows_model for one in results)
    lacking = [f"; {said}" for group in groups if (said := words.no_off(group))]
    legend = "bars: means; whiskers: 95 % intervals" + hatched * emulated
    footnote(figure, origin, legend + "".join(dict.fromkeys(lacking)))
    return figure


def draw_throughput(axes: Axes, group: Sequence[CellResult]) -> None:
    shown = [one for one in group if one.throughput is not None or one.failed]
    _bars(
        axes,
        shown,
        [Interval(one.throughput, one.throughput_low, one.throughput_high) for one in shown],
        [words.FAILED if one.failed else words.number(one.throughput) for one in shown],
    )
    # In two lines: beside it stands the title of the overheads.
    axes.set_title(words.group_title(group[0]).replace(", profile", ",\nprofile"))
    axes.set_ylabel(group[0].throughput_unit)
    axes.yaxis.set_major_formatter("{x:,.0f}")


def draw_overhead(axes: Axes, group: Sequence[CellResult]) -> None:
    shown = [
        one for one in group if (one.overhead is not None or one.failed) and not one.is_baseline
    ]
    ends = [percent(one.interval) for one in shown]
    _bars(axes, shown, ends, [_overhead_name(one) for one in shown])
    axes.axhline(0, color="#404040", linewidth=0.8)
    what = "the WAL" if group[0].has_off else "waiting for the log"
    axes.set_title(f"Cost of {what} against {words.reference(group)} (baseline, 0 %)")
    axes.set_ylabel(f"overhead, % of the throughput of {group[0].reference}")
    if not shown:
        axes.text(0.5, 0.5, "no overhead known", transform=axes.transAxes, ha="center")


def _overhead_name(one: CellResult) -> str:
    if one.failed:
        return words.FAILED
    doubt = "" if one.resolvable or one.low is None else "\nnot resolvable"
    return f"{words.percent(one.overhead)} %{doubt}"


def _bars(
    axes: Axes, shown: Sequence[CellResult], ends: Sequence[Interval], names: Sequence[str]
) -> None:
    """One bar per cell with its interval.

    A cell without a value has its name only, on the axis.
    """
    places = range(len(shown))
    for place, one, end, name in zip(places, shown, ends, names, strict=True):
        height, low, high = end.value or 0.0, end.low, end.high
        axes.bar(
            place,
            height,
            width=0.62,
            color=style.colour(one.device),
            edgecolor="white",
            hatch=style.EMULATED_HATCH if one.shows_model else None,
        )
        top = max(height, 0.0)
        if low is not None and high is not None:
            error = [[height - low], [high - height]]
            axes.errorbar(place, height, error, color="#202020", capsize=5, elinewidth=1.3)
            top = max(high, 0.0)
        axes.annotate(
            name, (place, top), (0, 4), textcoords="offset points", ha="center", va="bottom"
        )
    axes.set_xticks(list(places), [words.label(one).replace(" (", "\n(") for one in shown])
    axes.set_xlim(-0.6, max(len(shown), 1) - 0.4)
    axes.margins(y=0.13)  # above only: bars hold the axis at zero


def drift(rows: Sequence[Row], results: Sequence[CellResult], origin: Origin) -> Figure:
    """Throughput of every slice over time: what the rounds' ratios had to cancel."""
    groups = by_group(results)
    figure = empty(8.0, 3.6 * len(groups))
    for axes, group in zip(axes_below(figure, len(groups)), groups, strict=True):
        draw_drift(axes, rows, group)
    footnote(figure, origin, "a line breaks where a session ends: fresh data, fresh processes")
    return figure


def draw_drift(axes: Axes, rows: Sequence[Row], group: Sequence[CellResult]) -> None:
    """A line per cell, broken between sessions."""
    cells = {one.at for one in group}
    accepted = [one for one in rows if one["status"] == "ok" and Cell.of_row(one) in cells]
    for one in group:
        name = words.label(one) + f" {words.FAILED}" * one.failed
        for _, slices in groupby(
            ((place, row) for place, row in enumerate(accepted) if Cell.of_row(row) == one.at),
            key=lambda placed: (placed[1]["campaign"], placed[1]["session"]),
        ):
            places, session = zip(*slices, strict=True)
            axes.plot(
                places,
                [row["throughput"] for row in session],
                color=style.colour(one.device),
                marker=style.marker(one.device),
                markersize=4,
                linewidth=1,
                linestyle=style.line(one.durability),
                label=name,
            )
            name = "_"  # one entry in the legend
    axes.set_ylim(bottom=0)
    axes.set_title(f"{words.group_title(group[0])}: every slice")
    axes.set_xlabel("slice, in the order measured")
    axes.set_ylabel(group[0].throughput_unit)
    axes.yaxis.set_major_formatter("{x:,.0f}")
    style.legend(axes)
