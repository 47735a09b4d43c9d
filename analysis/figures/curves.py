"""Curves as figures: overhead over the latency of a sync."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..results import Origin, words
from ..series import Line
from ..sweep.answers import Answer
from ..sweep.curve import Curve
from ..sweep.predictions import Marked, Prediction
from . import axes_below, empty, footnote, style
from .points import limits, whiskers

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_INK, _FIT, _ANSWER = "#202020", "#1f3b57", "#7a5c00"
_STEPS = 160  # along the x axis


def curves(marked_curves: Sequence[Marked], asked: float, origin: Origin) -> Figure:
    figure = empty(10.0, 5.9 * len(marked_curves))
    for axes, marked in zip(axes_below(figure, len(marked_curves)), marked_curves, strict=True):
        draw_curve(axes, marked, asked)
    footnote(
        figure,
        origin,
        "points: measured on emulated devices of one latency each, with 95 % intervals; line and "
        "band: monotone fit; names: devices read off the fit, hollow where they were measured too",
    )
    return figure


def draw_curve(axes: Axes, one: Marked, asked: float) -> None:
    curve, (low, high) = one.curve, one.curve.range_us
    axes.set_xscale("log")
    marked = [mark for mark in one.marks if not mark.outside or mark.measured is not None]
    shown = [*(mark.waited_us for mark in marked), low, high]
    axes.set_xlim(min(shown) / 1.35, max(shown) * 1.35)
    every = [*curve.fitted, *(point.overhead for point in curve.points)]
    axes.set_ylim(*limits([interval.scaled(100) for interval in every]))
    _band(axes, curve)
    ends = [point.overhead.scaled(100) for point in curve.points]
    look = Line("", "", "none", "o", _INK)
    whiskers(axes, [point.sync_us for point in curve.points], ends, look)
    _asked(axes, curve.latency_for(asked))
    _marks(axes, marked)
    # Room between axes and title for the longest name at its slant, in points.
    longest = max((len(mark.device) for mark in marked), default=-6) + 9
    room = 22 + 3.6 * longest if marked else 10.0
    axes.set_title(f"{curve.subject}, profile {curve.baseline.profile}", pad=room)
    axes.set_xlabel("mean time that a caller waits for a sync of the log, us")
    axes.set_ylabel(f"overhead, % of the throughput of {words.against(curve.baseline)}")
    axes.xaxis.set_major_formatter("{x:,g}")
    axes.grid(visible=True, axis="x", color="#f0f0f0")
    # In a box, because the names' lines pass below it.
    axes.legend(loc="upper left", frameon=True, framealpha=0.9, edgecolor="none")


def _band(axes: Axes, curve: Curve) -> None:
    at = np.geomspace(*curve.range_us, _STEPS)
    at[0], at[-1] = curve.range_us  # without rounding beyond the range
    fitted = [curve.overhead_at(float(us)).scaled(100) for us in at]
    ends = [(interval.value, interval.low, interval.high) for interval in fitted]
    value, low, high = np.array(ends, dtype=float).T
    axes.plot(at, value, color=_FIT, label="monotone fit")
    axes.fill_between(at, low, high, color=_FIT, alpha=0.16, linewidth=0, label="95 % band")


def _asked(axes: Axes, answer: Answer) -> None:
    """Draw the line of the overhead that was asked for, and the latency it allows."""
    height = 100 * answer.overhead
    axes.axhline(height, color=_ANSWER, linewidth=0.9, linestyle=":")
    said = f"{height:g} %: {_short(answer)}"
    axes.annotate(
        said, (0.995, height), (0, 3), xycoords=("axes fraction", "data"),
        textcoords="offset points", ha="right", va="bottom", color=_ANSWER, zorder=9,
        bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1.0},
    )  # fmt: skip
    if not answer.outside:
        axes.plot([answer.sync_us] * 2, [axes.get_ylim()[0], height], color=_ANSWER, linewidth=1.1)


def _short(answer: Answer) -> str:
    if not answer.outside and not answer.resolved:
        return f"{answer.text} us"
    if not answer.outside:
        return f"a sync under {words.number(answer.sync_us)} us {answer.interval}"
    if not answer.sure:
        return f"not known, {answer.text} us"
    return "no sync is fast enough" if answer.outside == "below" else "every sync is fast enough"


def _marks(axes: Axes, marks: Sequence[Prediction]) -> None:
    """Draw names above the axes, side by side, with a line down to the curve.

    Outside the curve's range only measured values can be marked.
    """
    ordered = sorted(marks, key=lambda mark: mark.waited_us)
    left, right = (math.log10(end) for end in axes.get_xlim())
    places = [(math.log10(mark.waited_us) - left) / (right - left) for mark in ordered]
    for one, place, name_at in zip(ordered, places, spread(places, 0.027), strict=True):
        colour, marker = style.colour(one.device), style.marker(one.device)
        end = one.measured if one.outside and one.measured else one.predicted
        value = end.scaled(100).value or 0.0
        if not one.outside:
            axes.plot(one.waited_us, value, color=colour, marker=marker, markersize=7.5, zorder=5)
        if one.measured is not None:
            at = [one.measured_sync_us or one.waited_us]
            look = Line("", one.device, "none", is_open=True)
            whiskers(axes, at, [one.measured.scaled(100)], look, markersize=7.5, zorder=4)
        top = axes.get_ylim()[1]
        axes.plot([one.waited_us] * 2, [value, top], color=colour, linewidth=0.8, linestyle=":")
        above: dict[str, Any] = {"transform": axes.transAxes, "color": colour, "clip_on": False}
        axes.plot([place, name_at], [1.0, 1.03], linewidth=0.8, **above)
        own_us = one.waited_us if one.sync_us is None else one.sync_us
        name = f"{one.device} {words.number(own_us)} us"
        axes.text(name_at, 1.04, name, rotation=42, rotation_mode="anchor", **above)


def spread(places: Sequence[float], gap: float, low: float = 0.0, high: float = 1.0) -> list[float]:
    """Return where to put each name, in the places' order: as near as `gap` allows.

    `places` rise. Names that would touch are pushed apart about their common middle; if there is
    not enough room for all, they share it.
    """
    count = len(places)
    if count > 1:
        gap = min(gap, (high - low) / (count - 1))
    # Clusters of (first name's place if alone, number of names), merged while they touch.
    clusters: list[tuple[float, int]] = []
    for place in places:
        start, size = place, 1
        start = min(max(start, low), high)
        while clusters and clusters[-1][0] + clusters[-1][1] * gap > start:
            before, names = clusters.pop()
            wanted = (before * names + (start - names * gap) * size) / (names + size)
            size += names
            start = min(max(wanted, low), high - (size - 1) * gap)
        clusters.append((start, size))
    return [start + number * gap for start, size in clusters for number in range(size)]
