"""Inserts in each second, as the table grows: a line for each round of each engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..statements.measured import Measured
from . import empty

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_COLOURS = {"innodb": "#1f6fb4", "myrocks": "#c0562b"}


def draw(of: Measured) -> Figure:
    """Both axes begin at 0."""
    figure = empty(6.4, 4.0)
    axes = figure.subplots()
    for engine, colour in _COLOURS.items():
        for number, rates in enumerate(of.series(engine)):
            seconds = [second + 0.5 for second in range(len(rates))]
            label = engine if number == 0 else None
            axes.plot(seconds, rates, "o-", color=colour, label=label, alpha=0.6, markersize=3)
    axes.set(title="Inserts a second as the table grows", xlabel="seconds", xlim=(0, None))
    axes.set_ylabel("inserts/s")
    axes.set_ylim(bottom=0)
    axes.legend(loc="lower right", fontsize=8)
    return figure
