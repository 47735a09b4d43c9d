"""Percentile curves of request latencies, a curve per cell, as far as there are requests."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..results import CellResult, Origin, by_group, words
from ..results.latency import ALL, Latency, called, operation_of
from ..series import Line
from . import empty, footnote, style, unbroken, wrapped
from .points import whiskers

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LEGEND = (
    "whiskers: 95 % intervals of p50, p95, p99 and p99.9; a client waits for one request at a time"
)
_TICKS = ("0", "90", "99", "99.9", "99.99", "99.999")  # a decade of slower requests each
_NAMED = 4


def curves(results: Sequence[CellResult], origin: Origin) -> Figure:
    """Draw the main write left, all operations right; a line of axes per comparison group."""
    groups = [group for group in by_group(results) if any(result.latencies for result in group)]
    figure = empty(13.0, 4.6 * len(groups))
    axes = figure.subplots(len(groups), 2, squeeze=False)
    for line, group in zip(axes, groups, strict=True):
        for place, operation in zip(line, (operation_of(group), ALL), strict=True):
            draw_curves(place, group, operation)
        style.legend(line[1])
    footnote(figure, origin, _LEGEND)
    return figure


def draw_curves(axes: Axes, group: Sequence[CellResult], operation: str) -> None:
    """Draw a curve for each cell that has a latency of this operation."""
    known = [(result, latency) for result in group if (latency := result.latency_of(operation))]
    for one, latency in known:
        _curve(axes, one, latency)
    axes.set_yscale("log")
    axes.minorticks_off()  # drawing them takes as long as all the rest
    axes.yaxis.set_major_formatter("{x:,g}")
    axes.set_xticks(range(len(_TICKS)), _TICKS)
    axes.set_xlim(0, len(_TICKS) - 1)
    axes.set_xlabel("percentile of the requests")
    axes.set_ylabel(f"latency of {called(operation)}, us")
    title = f"{words.subject(group[0])}: {_finding(operation, known)}"
    axes.set_title(wrapped(title))
    axes.grid(axis="x")


def _curve(axes: Axes, result: CellResult, latency: Latency) -> None:
    look = style.of_cell(result)
    axes.plot([], [], **look, label=words.label(result))
    nines = [-math.log10(share) for share, _ in latency.curve]
    axes.plot(nines, [us for _, us in latency.curve], **{**look, "marker": ""}, linewidth=1.6)
    at = [-math.log10(1 - percentile / 100) for percentile in latency.quantiles]
    whiskers(axes, at, list(latency.quantiles.values()), Line("_", result.device, "none"))


def _finding(operation: str, known: Sequence[tuple[CellResult, Latency]]) -> str:
    """Say the p99 of each cell, or if there are many, of the fastest and the slowest."""
    tails = [
        (us, words.label(result))
        for result, latency in known
        if (us := latency.quantile(99.0).value)
    ]
    if not tails:
        return f"latency of {called(operation)}"
    shown = tails if len(tails) <= _NAMED else [min(tails), max(tails)]
    said = ", ".join(unbroken(f"{name} {words.number(us)}") for us, name in shown)
    return f"p99 of {called(operation)}, us: {said}"
