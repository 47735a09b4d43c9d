"""Throughput and overhead of each cell: a dot for every round, and the interval of all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..results import CellResult, Origin, by_group, words
from ..series import Column, Line, Plot, Series
from ..stats import NOTHING, Floats
from . import points, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LEGEND = (
    "small dots: a round each; large ones with whiskers: the mean and its 95 % interval; "
    "overheads below \N{MINUS SIGN}100 % are not shown"
)
_LOWEST = -100.0  # percent; an axis ends there, however far a round's dot or an interval reaches


def overheads(results: Sequence[CellResult], origin: Origin) -> Figure:
    """Draw throughput left, overhead right; one line of axes per comparison group."""
    groups = by_group(results)
    lacking = [f"; {said}" for group in groups if (said := words.no_off(group))]
    legend = _LEGEND + "".join(dict.fromkeys(lacking))
    return points.draw_sideways(list(map(series, groups)), origin, legend, width=5.9)


def series(group: Sequence[CellResult]) -> Series[CellResult]:
    """Return the cells of a group: throughput from zero on, and overheads from 0 to 100 %.

    They are comparable between figures; only negative ones extend the axis.
    """
    counts = [max(getattr(result, name) for result in group) for name in ("rounds", "sessions")]
    costs = [result.interval.scaled(100) for result in group if not result.is_baseline]
    lowest = [end for cost in costs for end in (cost.value, cost.low) if end is not None]
    dots = [overheads_of_rounds(result) for result in group]
    lowest += [float(np.nanmin(each)) for each in dots if np.isfinite(each).any()]
    return Series(
        axis="device",
        subject=words.group_title(group[0]),
        points=group,
        columns=[
            Column("throughput", of="rate"),
            Column("overhead", "", "%", lambda r: NOTHING if r.is_baseline else r.interval),
        ],
        at=words.label,
        line=lambda result: Line("", result.device, "none", colour=style.INK),
        plots=[
            Plot(
                f"n = {counts[0]} rounds in {counts[1]} session{'s' if counts[1] != 1 else ''}; "
                f"{group[0].throughput_unit}",
                "throughput", dots=lambda result: result.panel.values(result.at),
                text=_throughput_name, ends=(0.0, None),
            ),
            Plot(
                f"overhead against {words.against(group[0])}, % of throughput", "overhead",
                mark=0.0, dots=overheads_of_rounds, text=overhead_name,
                ends=(max(_LOWEST, min([0.0, *lowest])), 100.0),
            ),
        ],
    )  # fmt: skip


def _throughput_name(result: CellResult) -> str:
    return words.FAILED if result.failed else words.number(result.throughput)


def overhead_name(result: CellResult) -> str:
    """Return the overhead in percent, or why there is none."""
    if result.failed:
        return words.FAILED
    if result.is_baseline:
        return "baseline"
    return "unknown" if result.overhead is None else f"{words.percent(result.overhead)} %"


def overheads_of_rounds(result: CellResult) -> Floats:
    """Return percents by slot; NaN without a pair, and for a baseline."""
    top, bottom = result.panel.values(result.at), result.panel.values(result.at.baseline)
    overheads = np.full(top.size, np.nan)
    if not result.is_baseline:
        np.divide(top, bottom, out=overheads, where=bottom > 0)
    return 100 * (1 - overheads)
