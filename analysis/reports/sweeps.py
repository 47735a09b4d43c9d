"""What the reports of a latency sweep and of one over clients have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..report import Lines
from ..results import CellResult
from ..results.doubts import EMULATED
from ..sweep import doubts
from . import cells


def _name(one: CellResult) -> str:
    return f"{one.device}, {one.threads} clients"


def notes(left_out: Sequence[str], results: Sequence[CellResult]) -> Lines:
    """What was left out, and the cells' doubts: those that several share once, with their names."""
    by_note: dict[str, list[str]] = {}
    for one in results:
        for doubt in one.doubts:
            if doubt.kind != EMULATED:  # which the evidence says of each
                by_note.setdefault(doubt.text, []).append(_name(one))
    shared = [f"{doubts.names(names)}: {note}" for note, names in by_note.items()]
    return Lines([*left_out, *shared], "Notes")


def evidence(results: Sequence[CellResult]) -> Lines:
    """What proves the labels of a sweep's cells."""
    return cells.evidence(results, _name, doubts.of_cells(results))


def group(one: CellResult) -> dict[str, Any]:
    """What tells the comparison groups apart, as the rows' columns have it."""
    return {name: getattr(one, name) for name in ("engine", "workload", "profile", "size")}


def spelled(name: str, interval: Mapping[str, float | None] | None) -> dict[str, float | None]:
    """An interval as three columns of a line."""
    ends = interval or {}
    return {
        name: ends.get("value"),
        f"{name}_low": ends.get("low"),
        f"{name}_high": ends.get("high"),
    }
