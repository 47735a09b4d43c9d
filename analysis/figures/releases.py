"""Releases side by side as a figure: throughput over releases, a line for each mode."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..results import CellResult, Origin, words
from . import axes_below, empty, footnote, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LEGEND = "points: means of slices; whiskers: their 95 % intervals, which hold the machine's drift"
_LINES = ("-", "--", ":")


def draw(
    groups: Sequence[tuple[str, Sequence[CellResult]]], order: Sequence[str], origin: Origin
) -> Figure:
    """A panel for each workload. `order` are the releases."""
    figure = empty(8.6, 3.2 * len(groups) + 0.7)
    for axes, (title, several) in zip(axes_below(figure, len(groups)), groups, strict=True):
        for number, label in enumerate(dict.fromkeys(words.label(one) for one in several)):
            at = {one.build: one for one in several if words.label(one) == label}
            there = [name for name in order if name in at and at[name].throughput is not None]
            values = [at[name].throughput or 0.0 for name in there]
            ends = [(at[name].throughput_low, at[name].throughput_high) for name in there]
            below = [v - (low or v) for v, (low, _) in zip(values, ends, strict=True)]
            above = [(high or v) - v for v, (_, high) in zip(values, ends, strict=True)]
            axes.errorbar(
                [order.index(name) for name in there],
                values,
                yerr=[below, above],
                color=style.colour(next(iter(at.values())).device),
                linestyle=_LINES[number % len(_LINES)],
                marker="o",
                capsize=3,
                label=label,
            )
        axes.set_xticks(range(len(order)), list(order))
        axes.set_ylim(bottom=0)
        axes.set_ylabel(several[0].unit.name)
        axes.set_title(title, loc="left")
        axes.legend()
    footnote(figure, origin, _LEGEND)
    return figure
