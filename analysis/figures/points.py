"""Points with intervals over an axis: the one drawing of every series."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..results import Origin
from ..series import Line, Plot, Series
from ..stats import Floats, Interval
from . import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_TOUCHING = 1.3  # times the tick before, up to which the texts of two may overlap
_APART = 0.01  # share of an axis between two lines, so that no whisker hides another
_DOTS = 200  # of a point, about: more of them could not be told apart
_WIDE = 0.5  # of the room of a name on the axis, over which the rounds of its point are spread


def draw(
    every: Sequence[Series[Any]], origin: Origin, legend: str, *, size: tuple[float, float]
) -> Figure:
    """Draw all plots of each series, two side by side; `size` is that of one, in inches."""
    every = [series for series in every if series.plots]
    across = min(2, len(every[0].plots))
    each = -(-len(every[0].plots) // across)
    figure = empty(max(size[0] * across, 6.4), size[1] * each * len(every))
    grid = figure.subplots(each * len(every), across, squeeze=False)
    for number, series in enumerate(every):
        mine = grid[number * each : (number + 1) * each].flat
        for axes, plot in zip(mine, series.plots, strict=True):
            panel(axes, series, plot)
            axes.set(xlabel=series.axis, ylabel=plot.label)
        mine[0].set_title(series.subject)
        style.legend(mine[across - 1], of=mine[0])
    _footnote(figure, origin, legend)
    return figure


def panel(axes: Axes, of: Series[Any], plot: Plot[Any]) -> None:
    """Draw one column over the axis, a line for each of the series' lines."""
    points = [point for point in of.points if plot.of(point) and of.at(point) is not None]
    if plot.draw is not None:
        plot.draw(axes, points)
    column = of.column(plot.column)
    ends = [column.ends(point) for point in points]
    if all(end.value is None for end in ends):
        axes.text(0.5, 0.5, "nothing to show", transform=axes.transAxes, ha="center")
        return
    ticks = _over(axes, of)
    if plot.rounds is not None:
        for one in points:
            place = ticks.index(of.at(one))
            _rounds(axes, place, plot.rounds(one), column.spelled(one), of.line(one))
        axes.set_xlim(-0.5, len(ticks) - 0.5)
    lines: dict[Line, list[tuple[Any, Interval]]] = {}
    for one, end in zip(points, ends, strict=True):
        lines.setdefault(of.line(one), []).append((of.at(one), end))
    for number, (line, mine) in enumerate(lines.items()):
        apart = _APART * (number - (len(lines) - 1) / 2)
        at = [_beside(place, ticks, apart) for place, _ in mine]
        whiskers(axes, at, [end for _, end in mine], line)
    _up(axes, plot, ends, column.unit)


def _rounds(axes: Axes, place: int, values: Floats, text: str, line: Line) -> None:
    """Draw a dot for each round, in their order, and write what they come to above.

    Of several hundred rounds one in so many has a dot.
    """
    values = values[:: 1 + values.size // _DOTS]
    spread = place + _WIDE * (np.linspace(0, 1, values.size) - 0.5)
    known = np.isfinite(values)
    colour = style.colour(line.device)
    axes.plot(spread[known], values[known], ".", color=colour, alpha=0.45, markersize=4)
    above = axes.get_xaxis_transform()
    axes.text(place, 1.01, text, transform=above, ha="center", fontsize=8)


def _up(axes: Axes, plot: Plot[Any], ends: Sequence[Interval], unit: str) -> None:
    """Lay out the scale of the values."""
    axes.yaxis.set_major_formatter("{x:,g}")
    if plot.mark is not None:
        axes.axhline(plot.mark, color="#808080", linewidth=0.8)
        axes.set_yscale("log" if plot.is_log else "linear")
        axes.margins(y=0.15)
    elif unit == "%":
        axes.set_ylim(*limits(ends))
    elif not plot.is_log:
        axes.set_ylim(bottom=0)
    elif any(end.value for end in ends):  # without one, a logarithmic axis would be empty
        axes.set_yscale("log")


def _over(axes: Axes, of: Series[Any]) -> Sequence[Any]:
    """Lay out the series' axis; return its places."""
    ticks: list[Any] = [at for at in dict.fromkeys(map(of.at, of.points)) if at is not None]
    if any(isinstance(tick, str) for tick in ticks):
        axes.set_xticks(range(len(ticks)), ticks, rotation=30, ha="right", fontsize=8)
        return ticks
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter("{x:,g}")
    shown: list[float] = []
    for tick in sorted(ticks):
        if not shown or tick > _TOUCHING * shown[-1]:
            shown.append(tick)
    axes.set_xticks(shown, [f"{tick:,.4g}" for tick in shown])
    axes.minorticks_off()
    axes.margins(x=0.08)
    return ticks


def _beside(at: Any, ticks: Sequence[Any], apart: float) -> float:
    """Move a place of the axis by a share of its length."""
    if isinstance(at, str):
        return ticks.index(at) + apart * max(len(ticks) - 1, 1)
    return float(at * (max(ticks) / min(ticks)) ** apart)


def limits(every: Sequence[Interval]) -> tuple[float, float]:
    """Return limits in percent: 0 to 100, and below as far as values, not whiskers, reach."""
    lowest = min((end.value for end in every if end.value is not None), default=0.0)
    lows = [end.low for end in every if end.low is not None]
    return min(-4.0, lowest - 8, max(-40.0, min(lows, default=0.0) - 3)), 101.0


def whiskers(
    axes: Axes, at: Sequence[float], ends: Sequence[Interval], line: Line, **look: Any
) -> None:
    """Draw a point for each known value, with its interval if it has one."""
    pairs = zip(at, ends, strict=True)
    known = [(place, end, end.value) for place, end in pairs if end.value is not None]
    if not known:
        return
    places, values = [place for place, _, _ in known], [value for _, _, value in known]
    # Rounding may put a bound on the wrong side of its value, which errorbar refuses.
    reach = [
        (max(0.0, value - end.low), max(0.0, end.high - value))
        if end.low is not None and end.high is not None
        else (math.nan, math.nan)
        for _, end, value in known
    ]
    errors = np.array(reach).T
    whole: dict[str, Any] = {
        "color": line.colour or style.colour(line.device),
        "marker": line.marker or style.marker(line.device),
        "linestyle": line.dashes,
        "label": line.label,
        **({"markerfacecolor": "white"} if line.is_open else {}),
        **{"markersize": 5, "elinewidth": 1.1, "capsize": 2.5},
        **look,
    }
    axes.errorbar(places, values, yerr=errors, **whole)


def empty(width: float, height: float) -> Figure:
    """Return an empty figure of this size in inches, with room for the footnote."""
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    below = 0.36 / height
    layout = ConstrainedLayoutEngine(rect=(0.01, below, 0.98, 1 - below), wspace=0.06)
    return Figure(figsize=(width, height), layout=layout)


def _footnote(figure: Figure, origin: Origin, legend: str) -> None:
    """Write below all axes where the rows come from, and below it how to read the figure."""
    versions = [f"{name} {_named(releases, '/')}" for name, releases in origin.versions.items()]
    parts = [
        f"campaign {_named(origin.campaigns)}",
        *versions,
        _named(origin.machines, "  |  "),
        *origin.measured_on,
    ]
    text, low = "  |  ".join(filter(None, parts)) + "\n" + legend, 0.04 / figure.get_figheight()
    figure.text(0.012, low, text, fontsize=7.5, color="#404040", va="bottom")


def _named(names: Sequence[str], between: str = ", ") -> str:
    """Join all names, or abbreviate them: a line is no wider than the figure."""
    return between.join(names) if len(names) < 3 else f"{names[0]} and {len(names) - 1} more"
