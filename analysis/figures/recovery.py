"""Openings after a kill: seconds over the log's length, and the trend."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..trend import Trend
from . import empty

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MIB, _GIB = 1 << 20, 1 << 30
_SERIES = {
    "recovery_s": ("#1f6fb4", "recovery, by the engine"),
    "open_s": ("#606060", "until it serves"),
}


def draw(rows: Sequence[Mapping[str, Any]], whole: Trend | None) -> Figure:
    """A dot is an opening; both axes begin at 0."""
    figure = empty(6.4, 4.0)
    axes = figure.subplots()
    for name, (colour, label) in _SERIES.items():
        lengths = [one["log_bytes"] / _MIB for one in rows]
        axes.plot(lengths, [one[name] for one in rows], "o", color=colour, label=label, alpha=0.7)
    title = "Recovery after a kill"
    if whole is not None and whole.slope.value is not None:
        slope, start = whole.slope.value, (0.0, whole.at_zero)
        axes.axline(start, slope=slope * _MIB / _GIB, color="#1f6fb4", linewidth=1)
        title = f"Recovery takes {slope:.3g} s for each GiB of log"
    axes.set(title=title, xlabel="log at the kill, MiB", ylabel="seconds", xlim=(0, None))
    axes.set_ylim(bottom=0)
    axes.legend(loc="upper left", fontsize=8)
    figure.text(
        0.012,
        0.012,
        "a dot is an opening, out of the page cache; line: Theil and Sen over the kills",
        fontsize=7.5,
        color="#404040",
    )
    return figure
