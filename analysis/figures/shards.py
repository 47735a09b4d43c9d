"""Throughput over nodes, the log's overhead, the nodes' shares, and clients' rates as violins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..results import Origin, words
from ..sweep.shards import ShardPoint, ShardSweep
from . import empty, footnote, percent, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw(sweeps: Sequence[ShardSweep], origin: Origin) -> Figure:
    """Four axes for each sweep: throughput, overhead, shares of nodes, and clients."""
    figure = empty(11.0, 8.0 * len(sweeps))
    grid = figure.subplots(2 * len(sweeps), 2, squeeze=False)
    for number, sweep in enumerate(sweeps):
        above, below = grid[2 * number], grid[2 * number + 1]
        _throughput(above[0], sweep)
        _overhead(above[1], sweep)
        _shares(below[0], sweep)
        _clients(below[1], sweep)
        above[0].set_title(sweep.subject)
    footnote(figure, origin, "bars: 95 % intervals; violins: each client of each slice")
    return figure


def _cuts(points: Sequence[ShardPoint]) -> list[str]:
    return list(dict.fromkeys(one.result.shards for one in points))


def _throughput(axes: Axes, sweep: ShardSweep) -> None:
    """A bar for each log of each cut."""
    cuts = _cuts(sweep.points)
    labels = list(dict.fromkeys(words.label(one.result) for one in sweep.points))
    width = 0.8 / len(labels)
    for number, label in enumerate(labels):
        mine = [one for one in sweep.points if words.label(one.result) == label]
        places = [cuts.index(one.result.shards) + (number + 0.5) * width - 0.4 for one in mine]
        axes.bar(
            places, [one.result.throughput or 0.0 for one in mine], width, label=label,
            color=style.colour(mine[0].result.device),
            hatch="//" if mine[0].result.durability == "flush" else "",
        )  # fmt: skip
    axes.set_ylabel(sweep.first.throughput_unit)
    _over_cuts(axes, cuts)
    axes.legend(fontsize=7.5)


def _overhead(axes: Axes, sweep: ShardSweep) -> None:
    cuts = _cuts(sweep.points)
    for one in sweep.logged:
        shown = percent(one.result.interval)
        if shown.value is None or shown.low is None or shown.high is None:
            continue
        reach = np.maximum([[shown.value - shown.low], [shown.high - shown.value]], 0.0)
        shift = -0.12 if one.result.durability == "flush" else 0.12
        axes.errorbar(
            [cuts.index(one.result.shards) + shift], [shown.value], reach,
            color=style.colour(one.result.device), marker=style.marker(one.result.device),
            linestyle="", capsize=2.5, fillstyle="none" if shift < 0 else "full",
        )  # fmt: skip
    axes.set_ylabel("overhead of the log, % (hollow: flush)")
    _over_cuts(axes, cuts)


def _shares(axes: Axes, sweep: ShardSweep) -> None:
    """Each node's share of the operations, where there are several nodes."""
    points = {one.result.shards: one for one in sweep.points if len(one.of_nodes("operations")) > 1}
    for place, one in enumerate(points.values()):
        counts, bottom = one.of_nodes("operations"), 0.0
        for number, count in enumerate(counts):
            share = 100 * count / sum(counts)
            axes.bar([place], [share], 0.7, bottom=bottom, color=f"C{number % 10}", edgecolor="w")
            bottom += share
    axes.set_ylabel("operations of each node, %")
    _over_cuts(axes, list(points))


def _clients(axes: Axes, sweep: ShardSweep) -> None:
    """Violins of what clients do a second, logs synced, or as far as they go."""
    points = [one for one in sweep.logged if len(one.client_rates) > 1]
    shown = [one for one in points if one.result.durability == "sync"] or points
    if shown:
        axes.violinplot(
            [one.client_rates for one in shown], range(len(shown)), showmedians=True, widths=0.8
        )
    axes.set_ylabel("operations a second of a client, logs synced")
    _over_cuts(axes, [one.result.shards for one in shown])


def _over_cuts(axes: Axes, cuts: Sequence[str]) -> None:
    axes.set_xticks(range(len(cuts)), cuts, rotation=30, ha="right", fontsize=8)
