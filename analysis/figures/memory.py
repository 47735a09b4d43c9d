"""Throughput, tails, the log's overhead and reads over the size of the data beside the memory."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..results import Origin, words
from ..sweep.memory import MemoryPoint, MemorySweep
from . import empty, footnote, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LINES = ("-", "--", ":", "-.")  # by the number of clients, few first
_KIB = 1 << 10


def draw(sweeps: Sequence[MemorySweep], origin: Origin) -> Figure:
    """Four axes for each sweep: throughput, p99, overhead and bytes read."""
    figure = empty(10.0, 7.2 * len(sweeps))
    grid = figure.subplots(2 * len(sweeps), 2, squeeze=False)
    for number, sweep in enumerate(sweeps):
        above, below = grid[2 * number], grid[2 * number + 1]
        _curves(above[0], sweep, lambda one: one.result.throughput, sweep.first.throughput_unit)
        _curves(above[1], sweep, lambda one: one.p99_us, "p99 of all operations, us")
        _overheads(below[0], sweep)
        _curves(below[1], sweep, _read_kib, "read from devices, KiB an operation")
        above[0].set_title(sweep.subject)
        if any(one.p99_us for one in sweep.points):  # else there is nothing on a logarithmic axis
            above[1].set_yscale("log")
        style.legend(above[0])
    legend = "lines: solid with the fewest clients; bars: 95 % intervals; at 1 data is as large as "
    footnote(figure, origin, f"{legend}memory")
    return figure


def _curves(
    axes: Axes, sweep: MemorySweep, value: Callable[[MemoryPoint], float | None], label: str
) -> None:
    for (device, threads), points in sweep.series.items():
        shown = [math.nan if found is None else found for found in map(value, points)]
        axes.plot(
            [one.ratio for one in points], shown, color=style.colour(device),
            marker=style.marker(device), linestyle=_line(sweep, threads),
            label=f"{device}, {words.clients(threads)}",
        )  # fmt: skip
    _over_memory(axes, sweep, label)


def _overheads(axes: Axes, sweep: MemorySweep) -> None:
    for (device, threads), points in sweep.series.items():
        if not points[0].result.writes_wal:
            continue
        value = [_percent(one.overhead.value) for one in points]
        low = [_percent(one.overhead.low) for one in points]
        high = [_percent(one.overhead.high) for one in points]
        reach = np.nan_to_num([np.subtract(value, low), np.subtract(high, value)])
        axes.errorbar(
            [one.ratio for one in points], value, np.maximum(reach, 0.0),
            color=style.colour(device), marker=style.marker(device), capsize=2.5,
            linestyle=_line(sweep, threads),
        )  # fmt: skip
    _over_memory(axes, sweep, "overhead of the log, %")


def _over_memory(axes: Axes, sweep: MemorySweep, label: str) -> None:
    ratios = sorted({one.ratio for one in sweep.points})
    axes.set_xscale("log")
    axes.set_xticks(ratios, [f"{one:g}" for one in ratios])
    axes.minorticks_off()
    axes.axvline(1.0, color="#b0b0b0", linewidth=0.9, linestyle=":")
    axes.set_xlabel("data / memory")
    axes.set_ylabel(label)


def _line(sweep: MemorySweep, threads: int) -> str:
    counts = sorted({threads for _, threads in sweep.series})
    return _LINES[counts.index(threads) % len(_LINES)]


def _read_kib(one: MemoryPoint) -> float | None:
    return None if one.read_bytes is None else one.read_bytes / _KIB


def _percent(fraction: float | None) -> float:
    return math.nan if fraction is None else 100 * fraction
