"""Throughput and overhead of each cell: a dot for every round, and the interval of all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..results import CellResult, Origin, by_group, doubts, words
from ..series import Line
from ..stats import NOTHING, Floats, Interval
from . import empty, footnote, style, unbroken, wrapped
from .points import rows, whiskers

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LEGEND = (
    "small dots: a round each; large ones with whiskers: the mean and its 95 % interval; "
    "overheads below \N{MINUS SIGN}100 % are not shown"
)
_NAMED = 4  # devices that a title has room for
_LOWEST = -100.0  # percent; an axis ends there, however far a round's dot or an interval reaches
_TICKS = 6  # at most, because six-digit numbers would touch
_WIDE = 0.62  # of a line, over which a cell's rounds are spread


def overheads(results: Sequence[CellResult], origin: Origin) -> Figure:
    """Draw throughput left, overhead right; one line of axes per comparison group."""
    groups = by_group(results)
    heights = [1.5 + 0.5 * len(group) for group in groups]
    figure = empty(13.0, sum(heights) + 0.4)
    axes = figure.subplots(len(groups), 2, squeeze=False, height_ratios=heights)
    for (left, right), group in zip(axes, groups, strict=True):
        draw_throughput(left, group)
        draw_overhead(right, group)
        right.tick_params(axis="y", left=False, labelleft=False)  # as on the left
    lacking = [f"; {said}" for group in groups if (said := words.no_off(group))]
    footnote(figure, origin, _LEGEND + "".join(dict.fromkeys(lacking)))
    return figure


def draw_throughput(axes: Axes, group: Sequence[CellResult]) -> None:
    """Draw throughput from zero on, in the unit of the group."""
    rounds = [result.panel.values(result.at) for result in group]
    ends = [result.rate for result in group]
    names = [words.FAILED if result.failed else words.number(result.throughput) for result in group]
    _dots(axes, group, rounds, ends, names)
    rounds_in, sessions = (
        max(getattr(result, n) for result in group) for n in ("rounds", "sessions")
    )
    counts = f"n = {rounds_in} rounds in {sessions} session{'s' if sessions != 1 else ''}"
    axes.set_title(f"{wrapped(words.group_title(group[0]))}\n{counts}")
    axes.set_xlabel(group[0].throughput_unit)
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.locator_params(axis="x", nbins=_TICKS)
    axes.set_xlim(left=0)


def draw_overhead(axes: Axes, group: Sequence[CellResult]) -> None:
    """Draw overheads from 0 to 100 %, comparable between figures; negative ones extend the axis."""
    rounds = [_overheads_of_rounds(result) for result in group]
    ends = [NOTHING if result.is_baseline else result.interval.scaled(100) for result in group]
    _dots(axes, group, rounds, ends, [_overhead_name(result) for result in group])
    axes.axvline(0, color="#404040", linewidth=0.8)
    axes.set_title(wrapped(finding(group)) + f"\n{_target(group)}")
    axes.set_xlabel(f"overhead against {words.reference(group)}, % of throughput")
    lowest = [end for interval in ends for end in (interval.value, interval.low) if end is not None]
    lowest += [float(np.nanmin(dots)) for dots in rounds if np.isfinite(dots).any()]
    axes.set_xlim(max(_LOWEST, min([0.0, *lowest])), 100)


def finding(group: Sequence[CellResult]) -> str:
    """Say in a title what each device costs, or if there are many, the least and the most."""
    known = [result for result in group if not result.is_baseline and result.overhead is not None]
    costs = [result for result in known if result.writes_wal]
    if not costs:
        return "Cost of the WAL: no overhead is known"
    what = "The WAL" if costs[0].has_off else "Waiting for the log"
    if len(costs) <= _NAMED:
        return f"{what} costs {', '.join(map(_cost, costs))}"
    least, most = (pick(costs, key=lambda result: result.overhead or 0.0) for pick in (min, max))
    return f"{what} costs {_cost(least)} to {_cost(most)}"


def _cost(result: CellResult) -> str:
    cost, unclear = f"{words.percent(result.overhead)} %", words.unclear(result)
    if unclear:
        near = unclear == words.ABOUT_ZERO
        cost = f"nothing resolvable ({cost})" if near else "an unknown share"
    return unbroken(f"{cost} on {words.label(result)}")


def _target(group: Sequence[CellResult]) -> str:
    """Say how narrow the intervals are, and whether they reached their target."""
    missed = [result for result in group if any(d.kind == doubts.TARGET for d in result.doubts)]
    widths = [result.half_width for result in group if result.half_width and not result.is_baseline]
    if not widths:
        return "no interval"
    target = next((result.target_half_width for result in group), None)
    asked = "" if target is None else f", target {words.percent(target)}"
    return f"half-widths up to {words.percent(max(widths))} points{asked}{' missed' * bool(missed)}"


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


def _dots(
    axes: Axes, group: Sequence[CellResult], rounds: Sequence[Floats], ends: Sequence[Interval],
    names: Sequence[str],
) -> None:  # fmt: skip
    """Draw a line per cell, the first on top, with its value in black at the right."""
    for place, (one, values, end, name) in enumerate(zip(group, rounds, ends, names, strict=True)):
        colour, known = style.colour(one.device), np.isfinite(values)
        spread = place + _WIDE * (np.linspace(0, 1, values.size) - 0.5)  # in the order of rounds
        axes.plot(values[known], spread[known], ".", color=colour, alpha=0.45, markersize=4)
        whole = {"markersize": 8, "capsize": 5, "elinewidth": 1.6, "zorder": 3}
        black = Line("", one.device, "none", colour=style.INK)
        whiskers(axes, [place], [end], black, sideways=True, markerfacecolor=colour, **whole)
        side = axes.get_yaxis_transform()
        axes.text(1.015, place, name, transform=side, va="center", color=style.INK)
    rows(axes, [words.label(result) for result in group])
