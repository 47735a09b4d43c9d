"""Request latencies: a percentile curve of each operation in each cell, and its figures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..figures import style
from ..report import Table
from ..reports import latencies
from ..results import CellResult, words
from ..results.latency import ALL, called
from .subject import Subject

_EVERY = 2  # one in so many points of a curve is drawn
_DASHES: tuple[list[int], ...] = ([], [7, 4], [2, 3], [9, 3, 2, 3], [4, 2], [1, 4])


def sections(of: Subject) -> list[tuple[dict[str, Any], list[Table]]]:
    """Return, for each comparison group with histograms, its curves as numbers, and its tables.

    Each operation has both, the one that the group's report shows first.
    """
    return [_section(group) for group in of.groups if any(result.latencies for result in group)]


def _section(group: Sequence[CellResult]) -> tuple[dict[str, Any], list[Table]]:
    every = [each.operation for result in group for each in result.latencies]
    ordered = dict.fromkeys([words.operation_of(group), ALL, *every])
    names = [name for name in ordered if name in every]
    plotted = {
        "title": words.group_title(group[0]),
        "cells": [look(place, result) for place, result in enumerate(group)],
        "operations": [_numbers(group, name) for name in names],
    }
    return plotted, [latencies.every_percentile(group, name) for name in names]


def look(place: int, result: CellResult) -> dict[str, Any]:
    """Return the look of the cell at that place of its group, distinct even without colour."""
    dashes = _DASHES[place % len(_DASHES)]
    return {"name": words.label(result), "colour": style.colour(result.device), "dash": dashes}


def _numbers(group: Sequence[CellResult], name: str) -> dict[str, Any]:
    """Return the curves of all cells over the same nines; null if a cell has too few requests."""
    known = [result.latency_of(name) for result in group]
    curves = [
        [float(f"{us:.3g}") for _, us in latency.curve[::_EVERY]] if latency else []
        for latency in known
    ]
    longest = max(map(len, curves), default=0)
    return {
        "name": called(name),
        "at": [step * _EVERY / 20 for step in range(longest)],
        "values": [curve + [None] * (longest - len(curve)) for curve in curves],
    }
