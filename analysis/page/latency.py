"""Latencies of each operation in each cell, as far as the rows carry them."""

from __future__ import annotations

import re
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from ..results import CellResult, words
from . import subject
from .subject import Subject

_OPERATION = re.compile(r"op_(.+)_latency_us_p50$")
_FIGURES = ("p50", "p95", "p99", "p999")


@dataclass(frozen=True)
class Operation:
    """An operation, or all: a line of numbers, in us, for each cell."""

    name: str
    lines: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Section:
    """The operations of a comparison group."""

    title: str
    operations: tuple[Operation, ...]


def sections(of: Subject) -> list[Section]:
    """The median over slices of each slice's percentile; nothing of groups without."""
    found = (Section(words.group_title(group[0]), _operations(group)) for group in of.groups)
    return [one for one in found if one.operations]


def _operations(group: Sequence[CellResult]) -> tuple[Operation, ...]:
    names = dict.fromkeys(
        found[1]
        for one in group
        for row in one.rows
        for key in row
        if (found := _OPERATION.match(key))
    )
    families = {"all operations": "latency_us_", **{one: f"op_{one}_latency_us_" for one in names}}
    every = [_operation(name, family, group) for name, family in families.items()]
    return tuple(one for one in every if one.lines)


def _operation(name: str, family: str, group: Sequence[CellResult]) -> Operation:
    lines = []
    for one in group:
        rows = subject.accepted(one, group)
        values = [
            [row[f"{family}{p}"] for row in rows if row.get(f"{family}{p}") is not None]
            for p in _FIGURES
        ]
        worst = [row[f"{family}max"] for row in rows if row.get(f"{family}max") is not None]
        if any(values):
            middles = [words.number(statistics.median(some)) if some else "-" for some in values]
            lines.append((subject.name(one), *middles, words.number(max(worst)) if worst else "-"))
    return Operation(name, tuple(lines))
