"""The cost of each cell as a drawing: an interval and a dot for every round, on shared scales."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from ..figures import style
from ..results import CellResult, words
from .axis import Axis, linear
from .subject import Subject

_LEAST = -0.5  # overheads below are drawn at the edge: half a chart of speed-up says enough
_GRACE = 1.5  # an axis shows this multiple of the means' range for single rounds


@dataclass(frozen=True)
class Strip:
    """A figure of a cell on the scale of its column; places are in percent of its width."""

    text: str
    more: str  # the bounds of its interval, in words
    at: float | None = None
    low: float | None = None
    high: float | None = None
    dots: tuple[float, ...] = ()
    outside: int = 0  # number of dots beyond the scale
    cut: tuple[bool, bool] = (False, False)  # whether the interval's ends lie beyond the scale


@dataclass(frozen=True)
class Line:
    """A cell. `chips` are an icon, a word and a kind each."""

    name: str
    colour: str
    chips: tuple[tuple[str, str, str], ...]
    strips: tuple[Strip, ...]
    rounds: int


@dataclass(frozen=True)
class Measure:
    """A column of the plot."""

    title: str
    axis: Axis
    zero: float | None


@dataclass(frozen=True)
class Plot:
    """A comparison group."""

    title: str
    against: str
    measures: tuple[Measure, ...]
    lines: tuple[Line, ...]
    left_out: int


def plots(of: Subject, every: int = 1) -> list[Plot]:
    """Return a plot for each comparison group, with one dot per `every` rounds.

    All groups share one scale of overheads: from 0 to 100 %, and below if means lie there.
    """
    ends = [result.low for result in of.results if result.low is not None]
    lowest = max(min([0.0, *ends]), _LEAST)
    limits = linear(-10 * -(-abs(100 * lowest) // 10) or 0.0, 100.0)
    return [_plot(group, limits, every) for group in of.groups]


def _plot(group: Sequence[CellResult], overheads: Axis, every: int) -> Plot:
    unit = group[0].unit
    kinds: list[_Kind] = [(Measure("overhead, %", overheads, overheads.at(0.0)), _overhead)]
    if unit.seconds is not None:
        added = _axis_of([_added(result) for result in group], map(_added_dots, group))
        title = f"added us per {unit.counted_request}"
        kinds.append((Measure(title, added, added.at(0.0)), _added_strip))
    ends = [(result.throughput, result.throughput_low, result.throughput_high) for result in group]
    kinds.append((Measure(unit.name, _axis_of(ends, map(_rates, group)), None), _rate))
    return Plot(
        title=words.group_title(group[0]),
        against=words.reference(group),
        measures=tuple(measure for measure, _ in kinds),
        lines=tuple(_line(result, kinds, every) for result in group),
        left_out=group[0].panel.disturbance.left_out,
    )


Ends = tuple[float | None, float | None, float | None]


_Kind = tuple[Measure, Callable[[CellResult, Axis], Strip]]


def _axis_of(means: Sequence[Ends], dots: Iterable[Sequence[float]]) -> Axis:
    """Return an axis from 0, or below the means, to what the means and the dots near them need."""
    known = [end for ends in means for end in ends if end is not None]
    top, bottom = max([0.0, *known]), min([0.0, *known])
    reach = _GRACE * max(top, -bottom)
    near = [dot for some in dots for dot in some if abs(dot) <= reach]
    return linear(min([bottom, *near]), max([top, *near]) or 1.0)


def _line(result: CellResult, kinds: Sequence[_Kind], every: int) -> Line:
    strips = (draw(result, measure.axis) for measure, draw in kinds)
    return Line(
        name=words.label(result),
        colour=style.colour(result.device),
        chips=tuple(_chips(result)),
        strips=tuple(replace(strip, dots=strip.dots[::every]) for strip in strips),
        rounds=result.rounds,
    )


def _chips(result: CellResult) -> list[tuple[str, str, str]]:
    chips = [("\N{MULTIPLICATION X}", words.FAILED.lower(), "bad")] if result.failed else []
    if result.is_baseline and not result.failed:
        chips.append(("\N{IDENTICAL TO}", "baseline", "plain"))
    if unclear := words.unclear(result):
        chips.append(("?", unclear, "warn"))
    if result.activity.failed_inputs:
        chips.append(("\N{MULTIPLICATION X}", "inputs fail", "bad"))
    return chips


def _strip(axis: Axis, ends: Ends, dots: Sequence[float], text: str, more: str) -> Strip:
    inside = [axis.at(dot) for dot in dots if axis.low <= dot <= axis.high]
    value, low, high = (None if end is None else axis.at(end) for end in ends)
    cut = ends[1] is not None and ends[1] < axis.low, ends[2] is not None and ends[2] > axis.high
    return Strip(text, more, value, low, high, tuple(inside), len(dots) - len(inside), cut)


def _overhead(result: CellResult, axis: Axis) -> Strip:
    if result.failed or result.overhead is None:
        return Strip(words.FAILED if result.failed else "unknown", "")
    if result.is_baseline:
        return _strip(axis, (0.0, None, None), (), "0", "baseline")
    dots = [100 * (1 - ratio) for ratio in _pairs(result, lambda mine, base: mine / base)]
    cost = result.interval.scaled(100)
    text, more = f"{words.percent(result.overhead)} %", words.bounds(result.low, result.high)
    return _strip(axis, (cost.value, cost.low, cost.high), dots, text, more)


def _added(result: CellResult) -> Ends:
    return (None if result.failed else result.added_us_per_request, None, None)


def _added_strip(result: CellResult, axis: Axis) -> Strip:
    ends = _added(result)
    if ends[0] is None:
        return Strip("-", "")
    dots = [] if result.is_baseline else _added_dots(result)
    return _strip(axis, ends, dots, f"{words.number(ends[0])} us", "")


def _added_dots(result: CellResult) -> list[float]:
    """Return each round's added time like the mean: `threads` clients wait threads / throughput."""
    seconds = result.unit.seconds
    if seconds is None or result.is_baseline:
        return []
    us = 1e6 * seconds * result.threads
    return _pairs(result, lambda mine, base: us * (1 / mine - 1 / base) if mine else None)


def _rate(result: CellResult, axis: Axis) -> Strip:
    if result.throughput is None:
        return Strip("-", "")
    low, high = result.throughput_low, result.throughput_high
    more = "" if low is None else f"[{words.number(low)}, {words.number(high)}]"
    ends = result.throughput, low, high
    return _strip(axis, ends, _rates(result), words.number(result.throughput), more)


def _rates(result: CellResult) -> list[float]:
    """Return the rate of each round with a slice."""
    return [float(value) for value in result.panel.values(result.at) if not math.isnan(value)]


def _pairs(result: CellResult, measure: Callable[[float, float], float | None]) -> list[float]:
    """Return a figure for each round in which both the cell and its baseline have a slice."""
    pairs = zip(
        result.panel.values(result.at), result.panel.values(result.at.baseline), strict=True
    )
    known = ((float(mine), float(base)) for mine, base in pairs)
    ratios = (measure(mine, base) for mine, base in known if mine == mine and base > 0)
    return [value for value in ratios if value is not None]
