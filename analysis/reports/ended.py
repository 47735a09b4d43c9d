"""How a campaign ended, which its rows do not hold, and what that makes of its intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from ... import strictjson
from ..results import CellResult, Source, early, every_cell, twins

NAME = "summary"
"""Of the report whose file keeps it."""


@dataclass(frozen=True)
class Ended:
    """What is known at a campaign's end and the rows do not hold."""

    stop_reason: str | None
    target_half_width: float | None
    early: tuple[str, ...]  # workloads that ended because their intervals were narrow


def ended_as(folder: Path, now: Ended) -> Ended:
    """What the report at the campaign's end knew, but for what is said now."""
    earlier = strictjson.read_object(folder / f"{NAME}.json")
    reason, target = earlier.get("stop_reason"), earlier.get("target_half_width")
    known, workloads = isinstance(target, float) and 0 < target < 1, earlier.get("ended_early")
    return Ended(
        reason if isinstance(reason, str) else None,
        now.target_half_width or (target if known else None),
        now.early or tuple(map(str, workloads if isinstance(workloads, list) else ())),
    )


def results_of(source: Source) -> list[CellResult]:
    """Every cell's result as each report of these rows has it: with the intervals of the first."""
    ended = Ended(None, None, ())
    if source.folder is not None:
        ended = ended_as(source.folder, ended)
    cells = every_cell(source.rows, ended.target_half_width, twins(source.rows))
    return believed(cells, ended)


def believed(results: Sequence[CellResult], ended: Ended) -> list[CellResult]:
    """The results; those of a workload that ended early with intervals no narrower than asked."""
    found: list[CellResult] = []
    for workload, group in groupby(results, lambda one: one.workload):
        mine = list(group)
        asked = ended.target_half_width if workload in ended.early else None
        found += mine if asked is None else early.no_narrower(mine, asked)
    return found


def target_missed(results: Sequence[CellResult], target: float | None) -> bool | None:
    """Whether an overhead has no interval as narrow as it was to be; None without a target."""
    compared = [one for one in results if not one.is_baseline and not one.failed]
    if target is None or not compared:
        return None
    return any(one.is_wider_than(target) for one in compared)
