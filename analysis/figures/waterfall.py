"""A ladder as a waterfall: each step stands on the sum of those below it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from operator import add
from typing import TYPE_CHECKING

from .. import numerals
from ..ladder import Ladder, words
from ..results import Origin
from ..series import Line
from . import axes_below, empty, footnote, style
from .points import whiskers

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LEGEND = (
    "bars: what a step adds to the one on its left; whiskers: its 95 % interval; a bar that goes "
    "down: it was faster with more to do; last: all steps together"
)
_DOWN, _TOTAL = "#b8b8b8", "#303030"
_WHISKERS = Line("", "", "none", marker=",", colour="#202020")


def draw(ladders: Sequence[Ladder], origin: Origin) -> Figure:
    shown = [one for one in ladders if one.steps]
    figure = empty(8.6, 3.5 * max(len(shown), 1) + 0.7)
    for axes, one in zip(axes_below(figure, max(len(shown), 1)), shown, strict=False):
        _waterfall(axes, one)
    footnote(figure, origin, _LEGEND)
    return figure


def _waterfall(axes: Axes, one: Ladder) -> None:
    base = 0.0
    for place, step in enumerate(one.steps):
        value = step.added_us.value or 0.0
        colour = style.colour(one.device) if value >= 0 else _DOWN
        axes.bar(place, value, bottom=base, width=0.62, color=colour)
        whiskers(axes, [place], [step.added_us.mapped(partial(add, base))], _WHISKERS)
        base += value
        axes.text(place + 0.34, base, numerals.number(value), va="center", fontsize=8.5)
    last = len(one.steps)
    axes.bar(last, base, width=0.62, color=_TOTAL)
    whiskers(axes, [last], [one.total_us], _WHISKERS)
    axes.text(last + 0.34, base, numerals.number(base), va="center", fontsize=8.5)
    axes.set_xticks(range(last + 1), [*(step.name for step in one.steps), "all"])
    axes.set_xlim(-0.6, last + 0.9)
    axes.axhline(0, color="#808080", linewidth=0.8)
    axes.set_ylabel(f"us added to a client's {one.request}")
    axes.set_title(words.title(one))
