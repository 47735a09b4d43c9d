"""Builds against the base as a figure: a line per cell, ratios and differences of overheads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..builds import Against, Pair
from ..builds.words import title
from ..results import Origin, words
from ..stats import Interval
from . import empty, footnote, percent, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LEGEND = "points: of the means; whiskers: 95 % intervals, each alone"


def draw(every: Sequence[Against], origin: Origin) -> Figure:
    """A row of two panels for each build against the base."""
    height = sum(0.4 * len(one.pairs) + 1.1 for one in every)
    figure = empty(8.6, height + 0.7)
    ratios = [len(one.pairs) + 2 for one in every]
    axes = figure.subplots(len(every), 2, squeeze=False, height_ratios=ratios)
    for (left, right), one in zip(axes, every, strict=True):
        _panel(left, one.pairs, [pair.ratio for pair in one.pairs], 1.0)
        _panel(right, one.pairs, [percent(pair.points) for pair in one.pairs], 0.0)
        left.set_title(f"{title(one)}\nthroughput over {one.called[1]}'s", loc="left", fontsize=9)
        right.set_title("difference of overheads, points", loc="left", fontsize=9)
        right.set_yticklabels([])
    footnote(figure, origin, _LEGEND)
    return figure


def _panel(axes: Axes, pairs: Sequence[Pair], found: Sequence[Interval], reference: float) -> None:
    for place, (pair, one) in enumerate(zip(pairs, found, strict=True)):
        if one.value is None:
            continue
        colour = style.colour(pair.base.device)
        axes.plot([one.value], [place], color=colour, marker="o", markersize=6)
        if one.low is not None and one.high is not None:
            error = [[one.value - one.low], [one.high - one.value]]
            axes.errorbar([one.value], [place], xerr=error, color=colour, capsize=3)
    axes.axvline(reference, color="#808080", linewidth=0.8)
    axes.set_yticks(range(len(pairs)), [words.label(pair.base) for pair in pairs])
    axes.set_ylim(len(pairs) - 0.5, -0.5)
    axes.grid(axis="x")
