"""Small multiples of a sweep of sizes: a column per benchmark, a row per figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..results import Origin
from ..stats import Interval
from ..sweep.measures import COMPACTED, COMPACTIONS, MB, THROUGHPUT, TIME, Metric
from ..sweep.sizes import Series, Sweep
from . import empty, footnote, percent, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_SHOWN = (MB, THROUGHPUT, TIME, COMPACTIONS, COMPACTED)
_STUDY = "#000000"
_LEGEND = "ratios to the smallest size, of the same benchmark and log; whiskers: 95 % intervals"


def draw(sweep: Sweep, origin: Origin) -> Figure:
    """Ratios to the first size, and under them what the log costs at each size."""
    benches = sweep.benches
    figure = empty(max(6.4, 3.1 * len(benches)), 2.0 * (len(_SHOWN) + 1))
    axes = figure.subplots(len(_SHOWN) + 1, len(benches), squeeze=False, sharex="col")
    for column, bench in enumerate(benches):
        both = [one for one in sweep.series if one.bench == bench]
        for row, metric in enumerate(_SHOWN):
            _ratios(axes[row][column], both, metric)
        _overheads(axes[-1][column], [one for one in both if one.wal])
        axes[0][column].set_title(f"db_bench {bench}")
        _sizes(axes[-1][column], both)
    for row, metric in enumerate(_SHOWN):
        axes[row][0].set_ylabel(f"{metric.title.replace(' s', ' (s)')}, ratio")
    axes[-1][0].set_ylabel("WAL overhead, %")
    axes[0][0].legend(loc="upper left", fontsize=8)
    emulated = any(point.estimate.shows_model for one in sweep.series for point in one.points)
    drawn = any(point.drawn for one in sweep.series for point in one.points)
    hollow = "; hollow: sizes are drawn, at their mean" * drawn
    footnote(figure, origin, _LEGEND + hollow + "; the log's device is emulated" * emulated)
    return figure


def _ratios(axes: Axes, both: list[Series], metric: Metric) -> None:
    if metric.of_writes and both[0].only_reads:
        _nothing(axes, "nothing is written")
        return
    known = [point.figures[metric.key].ratio.value for one in both for point in one.points]
    if not any(value is not None for value in known):
        _nothing(axes, "none in these runs")
        return
    axes.axhline(1, color="#808080", linewidth=0.8)
    for one in both:
        _line(axes, one, [point.figures[metric.key].ratio for point in one.points])
    if metric is MB:
        studied = [point for point in both[0].points if point.study_ratio is not None]
        axes.plot(
            [point.entry_bytes or 0 for point in studied],
            [point.study_ratio or 0 for point in studied],
            color=_STUDY,
            linestyle=":",
            marker="x",
            markersize=5,
            linewidth=1,
            label="published study",
        )
    axes.margins(y=0.15)


def _overheads(axes: Axes, with_wal: list[Series]) -> None:
    axes.axhline(0, color="#808080", linewidth=0.8)
    for one in with_wal:
        costs = [percent(point.estimate.interval) for point in one.points]
        _line(axes, one, costs)
    if not any(point.estimate.overhead is not None for one in with_wal for point in one.points):
        _nothing(axes, "no overhead known")


def _line(axes: Axes, one: Series, values: list[Interval]) -> None:
    """Drawn sizes are no part of the line: they differ in more than their mean."""
    device = one.points[0].estimate.device
    colour, marker = style.colour(device), style.marker(device)
    pairs = [
        (p, i)
        for p, i in zip(one.points, values, strict=True)
        if i.value is not None and p.entry_bytes
    ]
    fixed = [(p.entry_bytes or 0.0, i.value or 0.0) for p, i in pairs if not p.drawn]
    x, y = [pair[0] for pair in fixed], [pair[1] for pair in fixed]
    axes.plot(x, y, color=colour, linewidth=1.2, marker=marker, markersize=4, label=one.label)
    for point, ratio in pairs:
        place, value = point.entry_bytes or 0.0, ratio.value or 0.0
        if point.drawn:
            axes.plot([place], [value], color=colour, marker=marker, markerfacecolor="white")
        if ratio.low is not None and ratio.high is not None:
            error = [[value - ratio.low], [ratio.high - value]]
            axes.errorbar([place], [value], error, color=colour, capsize=3, elinewidth=0.9)


def _sizes(axes: Axes, both: list[Series]) -> None:
    known = {point.entry_bytes for one in both for point in one.points if point.entry_bytes}
    ticks = sorted(known)
    axes.set_xscale("log")
    axes.set_xticks(ticks, [f"{size:,.0f}" for size in ticks], rotation=45)
    axes.set_xticks([], minor=True)
    axes.set_xlabel("key + value, B")


def _nothing(axes: Axes, why: str) -> None:
    axes.set_yticks([])
    axes.grid(False)
    axes.spines[:].set_visible(False)
    axes.text(0.5, 0.5, why, transform=axes.transAxes, ha="center", color="#808080", fontsize=8)
