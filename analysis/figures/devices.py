"""Throughput and overhead of each cell: a dot for every round, and the interval of all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..results import CellResult, Origin, by_group, words
from ..series import Column, Line, Plot, Series
from ..stats import NOTHING, Floats, Interval
from . import points, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LEGEND = (
    "small dots: a round each; large points with whiskers: the mean and its 95 % interval; rounds "
    "below the scale of overheads are not shown"
)


def overheads(results: Sequence[CellResult], origin: Origin) -> Figure:
    """Draw throughput left, overhead right; one line of axes per comparison group."""
    groups = by_group(results)
    lacking = [f"; {said}" for group in groups if (said := words.no_off(group))]
    wide = min(12.0, max(5.0, 1.6 + 0.4 * max(map(len, groups))))
    legend = _LEGEND + "".join(dict.fromkeys(lacking))
    return points.draw(list(map(_series, groups)), origin, legend, size=(wide, 3.8))


def _series(group: Sequence[CellResult]) -> Series[CellResult]:
    rounds, sessions = (max(getattr(r, name) for r in group) for name in ("rounds", "sessions"))
    counts = f"{rounds} rounds in {sessions} session{'s' if sessions != 1 else ''}"
    return Series(
        axis="",
        subject=f"{words.group_title(group[0])}\nn = {counts}",
        points=group,
        columns=[Column("rate", text=_rate), Column("overhead", "", "%", _cost, _overhead_name)],
        at=words.label,
        line=lambda result: Line("", result.device, "none", colour=style.INK),
        plots=[
            Plot(group[0].throughput_unit, "rate", rounds=lambda of: of.panel.values(of.at)),
            Plot(
                f"overhead against {words.against(group[0])}, %", "overhead",
                rounds=_overheads_of_rounds,
            ),
        ],
    )  # fmt: skip


def _rate(result: CellResult) -> str:
    return words.FAILED if result.failed else words.number(result.throughput)


def _cost(result: CellResult) -> Interval:
    return NOTHING if result.is_baseline else result.interval


def _overhead_name(result: CellResult) -> str:
    if result.failed:
        return words.FAILED
    if result.is_baseline:
        return "baseline"
    return "unknown" if result.overhead is None else f"{words.percent(result.overhead)} %"


def _overheads_of_rounds(result: CellResult) -> Floats:
    """Return percents by slot; NaN without a pair, and for a baseline."""
    top, bottom = result.panel.values(result.at), result.panel.values(result.at.baseline)
    overheads = np.full(top.size, np.nan)
    if not result.is_baseline:
        np.divide(top, bottom, out=overheads, where=bottom > 0)
    return 100 * (1 - overheads)
