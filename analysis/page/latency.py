"""Request latencies: a percentile curve of each operation in each cell, and its figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..figures import style
from ..numerals import measured
from ..results import CellResult, words
from ..results.latency import ALL, PERCENTILES, Latency, called
from .axis import Axis, Tick, powers
from .subject import Subject

_NINES = 5.0  # how many nines the axis shows
_EVERY = 2  # one in so many points of a curve is drawn
_DASHES: tuple[list[int], ...] = ([], [7, 4], [2, 3], [9, 3, 2, 3], [4, 2], [1, 4])
_SHARES = ("0 %", "90 %", "99 %", "99.9 %", "99.99 %", "99.999 %")
ACROSS = Axis(0.0, _NINES, tuple(Tick(20.0 * at, text) for at, text in enumerate(_SHARES)))
"""The share of requests no slower than a time; each decade of the rest has the same width."""


@dataclass(frozen=True)
class Operation:
    """One operation, or all: a curve and a line of texts for each cell that has it.

    A curve is its cell's look, with `points`: places in percent, from the left and from above.
    """

    name: str
    curves: tuple[dict[str, Any], ...]
    lines: tuple[tuple[str, ...], ...]
    up: Axis


@dataclass(frozen=True)
class Section:
    """A comparison group. `shown` come first; `plotted` holds all curves as numbers for the
    browser.
    """

    title: str
    shown: tuple[Operation, ...]
    others: tuple[Operation, ...]
    plotted: dict[str, Any]


def sections(of: Subject) -> list[Section]:
    """Return a section for each comparison group with histograms."""
    return [_section(group) for group in of.groups if any(result.latencies for result in group)]


def _section(group: Sequence[CellResult]) -> Section:
    taken = words.operation_of(group)
    names = dict.fromkeys(each.operation for result in group for each in result.latencies)
    first = list(dict.fromkeys(name for name in (taken, ALL) if name in names))
    rest = [name for name in names if name not in first]
    return Section(
        title=words.group_title(group[0]),
        shown=tuple(_operation(group, name) for name in first),
        others=tuple(_operation(group, name) for name in rest),
        plotted={
            "title": words.group_title(group[0]),
            "cells": [look(place, result) for place, result in enumerate(group)],
            "operations": [_numbers(group, name) for name in (*first, *rest)],
        },
    )


def _operation(group: Sequence[CellResult], name: str) -> Operation:
    known = [
        (place, result, latency)
        for place, result in enumerate(group)
        if (latency := result.latency_of(name))
    ]
    up = powers(us for _, _, latency in known for _, us in _points(latency))
    curves, lines = [], []
    for place, result, latency in known:
        points = [(ACROSS.at(nines), up.down(us)) for nines, us in _points(latency)]
        curves.append({**look(place, result), "points": points})
        # Each percentile with its interval, and the longest.
        percentiles = (measured(latency.quantile(each)) for each in PERCENTILES)
        count, most = words.number(latency.count), words.number(latency.max_us)
        lines.append((words.label(result), count, *percentiles, most))
    return Operation(called(name), tuple(curves), tuple(lines), up)


def look(place: int, result: CellResult) -> dict[str, Any]:
    """Return the look of the cell at that place of its group, distinct even without colour."""
    dashes = _DASHES[place % len(_DASHES)]
    return {"name": words.label(result), "colour": style.colour(result.device), "dash": dashes}


def _points(latency: Latency) -> list[tuple[float, float]]:
    """Return points as nines and us."""
    steps = enumerate(latency.curve[::_EVERY])
    return [(step * _EVERY / 20, us) for step, (_, us) in steps]


def _numbers(group: Sequence[CellResult], name: str) -> dict[str, Any]:
    """Return the curves of all cells over the same nines; null if a cell has too few requests."""
    latencies = [result.latency_of(name) for result in group]
    curves = [
        [float(f"{us:.3g}") for _, us in _points(latency)] if latency else []
        for latency in latencies
    ]
    longest = max(map(len, curves), default=0)
    return {
        "name": called(name),
        "at": [step * _EVERY / 20 for step in range(longest)],
        "values": [curve + [None] * (longest - len(curve)) for curve in curves],
    }
