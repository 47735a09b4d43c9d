"""Overheads host by host: a line for each host, and the typical host's interval through all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..hosts import OnHost, Spread
from ..results import CellResult, Origin, words
from ..stats import Interval
from . import axes_below, empty, footnote, percent, style, wrapped

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LEGEND = (
    "whiskers: the 95 % interval of each host's own rounds; band: that of the typical host; "
    "open: a host that disagrees with the others"
)
_LINE, _MOST = 0.27, 12.0  # inches: of a host, and of all hosts of a device
_TYPICAL = "typical host"


def draw(spreads: Sequence[Spread], origin: Origin) -> Figure:
    """A forest plot for each device, one below the other."""
    heights = [min(_LINE * (len(one.hosts) + 1), _MOST) + 1.0 for one in spreads]
    figure = empty(8.6, sum(heights) + 0.5)
    for axes, one in zip(axes_below(figure, len(spreads)), spreads, strict=True):
        _forest(axes, one)
    footnote(figure, origin, _LEGEND)
    return figure


def _forest(axes: Axes, one: Spread) -> None:
    colour, typical = style.colour(one.typical.device), percent(one.typical.interval)
    axes.axvline(0, color="#808080", linewidth=0.8)
    if typical.low is not None and typical.high is not None:
        axes.axvspan(typical.low, typical.high, color=colour, alpha=0.15, linewidth=0)
    for place, host in enumerate(one.hosts):
        _point(axes, place, percent(host.result.interval), colour, is_open=host.disagrees)
    _point(axes, len(one.hosts), typical, style.INK, marker="D")
    axes.set_yticks(range(len(one.hosts) + 1), [*map(_name, one.hosts), _TYPICAL])
    axes.set_ylim(len(one.hosts) + 0.6, -0.6)
    axes.grid(axis="x")
    axes.grid(visible=False, axis="y")
    title = f"{words.label(one.typical)}: {words.group_title(one.typical)}"
    axes.set_title(wrapped(title), loc="left", fontsize=9)
    axes.set_xlabel(f"overhead against {words.against(one.typical)}, % of throughput")


def _name(one: OnHost) -> str:
    return f"{one.host} {_failed(one.result)}".rstrip()


def _failed(one: CellResult) -> str:
    return words.FAILED if one.failed else ""


def _point(
    axes: Axes, place: int, at: Interval, colour: str, marker: str = "o", *, is_open: bool = False
) -> None:
    if at.value is None:
        return
    face = "white" if is_open else colour
    axes.plot([at.value], [place], marker, color=colour, markerfacecolor=face, zorder=3)
    if at.low is not None and at.high is not None:
        axes.plot([at.low, at.high], [place, place], color=colour, linewidth=1.6)
