"""Throughput and overhead of each cell: a dot for every round, and the interval of all."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..results import CellResult, Origin, by_group, words
from ..series import Line
from ..stats import NOTHING, Floats, Interval
from . import empty, footnote, style
from .points import whiskers

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LEGEND = (
    "small dots: a round each; large ones with whiskers: the mean and its 95 % interval; "
    "overheads below \N{MINUS SIGN}100 % are not shown"
)
_LOWEST = -100.0  # percent; an axis ends there, however far a round's dot or an interval reaches
_COLUMNS = 66  # characters of a title, as wide as one of two axes side by side
_TICKS = 6  # at most, because six-digit numbers would touch
_WIDE = 0.62  # of a row, over which the dots of a cell are spread


def overheads(results: Sequence[CellResult], origin: Origin) -> Figure:
    """Draw throughput left, overhead right; one line of axes per comparison group."""
    groups = by_group(results)
    lacking = [f"; {said}" for group in groups if (said := words.no_off(group))]
    heights = [min(0.4 * len(group), 12.0) + 1.1 for group in groups]
    figure = empty(13.0, sum(heights) + 0.7)
    grid = figure.subplots(len(groups), 2, squeeze=False, height_ratios=heights)
    for (left, right), group in zip(grid, groups, strict=True):
        _throughputs(left, group)
        _overheads(right, group)
    footnote(figure, origin, _LEGEND + "".join(dict.fromkeys(lacking)))
    return figure


def _throughputs(axes: Axes, group: Sequence[CellResult]) -> None:
    """Draw the throughput of each cell of a group, from zero on."""
    for place, result in enumerate(group):
        text = words.FAILED if result.failed else words.number(result.throughput)
        _row(axes, place, result, result.panel.values(result.at), result.rate, text)
    rounds, sessions = (max(getattr(r, name) for r in group) for name in ("rounds", "sessions"))
    counts = f"n = {rounds} rounds in {sessions} session{'s' if sessions != 1 else ''}"
    title = textwrap.fill(words.group_title(group[0]), _COLUMNS, break_long_words=False)
    title += f"\n{counts}; {group[0].throughput_unit}"
    _lay_out(axes, title, list(map(words.label, group)))
    axes.set_xlim(left=0)


def _overheads(axes: Axes, group: Sequence[CellResult]) -> None:
    """Draw the overheads from 0 to 100 %, so that figures compare; negative ones extend it."""
    lowest = 0.0
    for place, result in enumerate(group):
        rounds = overheads_of_rounds(result)
        cost = NOTHING if result.is_baseline else result.interval.scaled(100)
        _row(axes, place, result, rounds, cost, overhead_name(result))
        ends = [end for end in (cost.value, cost.low) if end is not None]
        lowest = min([lowest, *ends, *rounds[np.isfinite(rounds)]])
    axes.axvline(0, color="#808080", linewidth=0.8)
    title = f"overhead against {words.against(group[0])}, % of throughput"
    _lay_out(axes, title, [""] * len(group))
    axes.set_xlim(max(_LOWEST, lowest), 100)


def _row(
    axes: Axes, place: int, result: CellResult, dots: Floats, mean: Interval, text: str
) -> None:
    """Draw a cell in its row: a dot a round in their order, the mean, and a text at the right."""
    known, spread = np.isfinite(dots), place + _WIDE * (np.linspace(0, 1, dots.size) - 0.5)
    colour = style.colour(result.device)
    axes.plot(dots[known], spread[known], ".", color=colour, alpha=0.45, markersize=4)
    line = Line("", result.device, "none", colour=style.INK)
    whiskers(axes, [place], [mean], line, sideways=True, markersize=6, zorder=3)
    side = axes.get_yaxis_transform()
    axes.text(1.015, place, text, transform=side, va="center", color=style.INK)


def _lay_out(axes: Axes, title: str, names: Sequence[str]) -> None:
    axes.set_title(title, fontsize=9)
    axes.locator_params(axis="x", nbins=_TICKS)
    axes.xaxis.set_major_formatter("{x:,g}")
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.grid(axis="x")
    axes.grid(visible=False, axis="y")


def overhead_name(result: CellResult) -> str:
    """Return the overhead in percent, or why there is none."""
    if result.failed:
        return words.FAILED
    if result.is_baseline:
        return "baseline"
    return "unknown" if result.overhead is None else f"{words.percent(result.overhead)} %"


def overheads_of_rounds(result: CellResult) -> Floats:
    """Return percents by slot; NaN without a pair, and for a baseline."""
    top, bottom = result.panel.values(result.at), result.panel.values(result.at.baseline)
    overheads = np.full(top.size, np.nan)
    if not result.is_baseline:
        np.divide(top, bottom, out=overheads, where=bottom > 0)
    return 100 * (1 - overheads)
