"""A sweep of knobs as a figure: a line per setting, the fastest on top."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..results import Origin, words
from ..stats import Interval
from ..sweep.knobs import KnobLine
from . import empty, footnote, percent, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LEGEND = (
    "points: means; whiskers: 95 % intervals; numbers at the edge: of settings that do not sync, "
    "which would hide the others"
)


@dataclass(frozen=True)
class _Panel:
    title: str
    of: Callable[[KnobLine], Interval]
    reference: float | None = None  # a line to compare with
    synced: bool = False  # its scale is of settings that sync


def _panels(request: str) -> list[_Panel]:
    return [
        _Panel("throughput over the default's", lambda one: one.over_default, 1.0, synced=True),
        _Panel("overhead against off, %", lambda one: percent(one.estimate.interval), synced=True),
        _Panel(f"CPU us per {request}", lambda one: _plain(one.proof.cpu_us_per_request)),
        _Panel(f"syncs per {request}", lambda one: _plain(one.proof.syncs_per_request)),
    ]


def _plain(value: float | None) -> Interval:
    return Interval(value, None, None)


def draw(settings: list[KnobLine], origin: Origin) -> Figure:
    """`off` is left out: it has no log, and would set the scale of every axis."""
    shown = [one for one in settings if one.estimate.writes_wal]
    panels = _panels(shown[0].estimate.unit.request)
    figure = empty(3.2 * len(panels) + 1.2, 0.42 * len(shown) + 1.9)
    axes = figure.subplots(1, len(panels), squeeze=False, sharey=True)[0]
    for place, panel in zip(axes, panels, strict=True):
        _panel(place, shown, panel)
    names = [f"{one.name}{' (emulated)' * one.estimate.shows_model}" for one in shown]
    axes[0].set_yticks(range(len(shown)), names)
    axes[0].invert_yaxis()
    figure.suptitle(words.group_title(shown[0].estimate), x=0.012, ha="left", fontsize=10.5)
    footnote(figure, origin, _LEGEND)
    return figure


def _panel(axes: Axes, shown: list[KnobLine], panel: _Panel) -> None:
    for place, one in enumerate(shown):
        end = panel.of(one)
        if end.value is None:
            continue
        if panel.synced and one.estimate.durability != "sync":
            side, text = axes.get_yaxis_transform(), words.number(end.value)
            axes.text(0.97, place, text, transform=side, ha="right", va="center")
            continue
        colour = "#202020" if one.is_default else style.colour(one.estimate.device)
        axes.plot([end.value], [place], color=colour, marker=_MARKERS[one.verdict], markersize=6)
        if end.low is not None and end.high is not None:
            error = [[end.value - end.low], [end.high - end.value]]
            axes.errorbar([end.value], [place], xerr=error, color=colour, capsize=3)
    if panel.reference is not None:
        axes.axvline(panel.reference, color="#808080", linewidth=0.8)
    if not panel.synced:
        axes.set_xlim(left=min(0.0, axes.get_xlim()[0]))
    axes.set_title(panel.title)
    axes.grid(axis="x")


# Without colour too: a triangle points the way that the throughput went.
_MARKERS = {"better": ">", "worse": "<", "": "o"}
