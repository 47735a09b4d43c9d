"""Two campaigns compared as a report: their differences, and the verdict of a gate.

Also the noise floor of a machine: how far equal campaigns come out apart.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import Any

from ..gate import floor as noise_floor
from ..gate import judge, sameness
from ..gate.difference import OVERHEAD, THROUGHPUT, Compared
from ..gate.floor import Floor
from ..numerals import percent
from ..report import Lines, Report, Verdict
from ..results import Source, read, words
from ..series import Column, Series, View, table
from .pairs import clause, columns

_METHOD = (
    "differences are new less base, of cells of one id; each campaign's own stretched bootstrap, "
    "drawn independently; simultaneous (max-T) over all cells compared"
)
_RULE = (
    "REGRESSED takes an interval off zero and a difference above the threshold, the larger of the "
    "floor and --min-effect; UNKNOWN: the interval reaches further than that to either side"
)
_UNITS = {OVERHEAD: "points", THROUGHPUT: "%"}


def gate(
    base: Source,
    new: Source,
    floors: Sequence[Floor] = (),
    *,
    allow: Collection[str] = (),
    on: str = OVERHEAD,
    min_effect: float = 0.02,
    devices: Sequence[str] = (),
) -> Report:
    """Report by how much each cell differs between two campaigns, and whether one is worse.

    Its content has the `exit_code` of a gate: 0 within, 3 regressed, 4 unknown, 1 failed.
    `min_effect` is a fraction of `on`: of overhead, or of throughput. Only cells on `devices` are
    compared, if any are named. Errors: as `require_same`.
    """
    remarks = sameness.require_same(base, new, allow, devices)
    sides, same_machine = {"base": base, "new": new}, base.is_machine_of(new)
    limit = -math.log1p(-min_effect) if on == THROUGHPUT else min_effect
    every = judge.judged(base, new, floors, on=on, min_effect=limit, devices=devices)
    judged = [cell for cell in every if cell.outcome]
    measured = [cell for cell in every if cell.base]
    groups = [list(cells) for _, cells in groupby(measured, lambda cell: cell.result.at.group)]
    series = Series(every, _columns(every, on))
    shown = "_label overhead_base overhead_new overhead_difference throughput_difference"
    shown += " floor threshold verdict"
    lacking = sum(cell.floor is None for cell in judged)
    no_floor = f"{lacking} of {len(judged)} cells have no floor of this machine: only "
    no_floor += "--min-effect is their threshold; measure it with: waltax compare floor"
    return Report(
        name="comparison",
        parts=[
            Verdict(_sentence(judged, on)),
            *(Verdict(_differences(group)) for group in groups),
            *(series.table(View(_title(group), shown, group.__contains__)) for group in groups),
            Lines(words.once((_name(cell), cell.why) for cell in judged if cell.why)),
            Lines([_RULE, _METHOD]),
        ],
        content={
            "schema": 1,
            **{name: _side(side) for name, side in sides.items()},
            "same_machine": same_machine,
            "intervals": _METHOD,
            "cells": series.lines(),
            **{"gated_on": on, "min_effect": min_effect, "exit_code": judge.exit_code(judged)},
        },
        lines=series.lines(),
        warnings=[
            *(f"{name}: {said}" for name, side in sides.items() for said in side.warnings),
            *([no_floor] if lacking else []),
        ],
        remarks=[
            *remarks,
            *(
                f"{cell.cell} is in {'base' if cell.base else 'new'} alone"
                for cell in every
                if not (cell.base and cell.new)
            ),
            *([] if same_machine else [judge.OTHER_MACHINE]),
        ],
    )


def _title(group: Sequence[Compared]) -> str:
    return f"{words.group_title(group[0].result)}: new less base"


def _differences(group: Sequence[Compared]) -> str:
    known = [
        cell for cell in group if cell.failed or {cell.points.value, cell.ratio.value} != {None}
    ]
    said = "; ".join(map(clause, known)) or "no cell has a result in both campaigns"
    return f"{words.group_title(group[0].result)}: {said}."


def _side(side: Source) -> dict[str, Any]:
    machine = None if side.machine is None else asdict(side.machine)
    return {**asdict(side.origin), "machine": machine}


def floor(campaigns: Sequence[Path], results: Path) -> Report:
    """Report how far two of these equal campaigns come out apart, cell by cell.

    Its file, floor.json in `results`, is what a gate reads; entries for other cells and machines
    are kept. Errors: as `analysis.gate.floor.measure` and `load`.
    """
    every = noise_floor.measure([read([folder]) for folder in campaigns])
    path = results / noise_floor.FILE
    kept = noise_floor.read(path) if path.exists() else ()
    first = every[0]
    known = [compared.limits[OVERHEAD] for compared in every if OVERHEAD in compared.limits]
    widest = f"{percent(max(known))} points of overhead" if known else "an unknown overhead"
    count = len(first.campaigns)
    columns: list[Column[Floor]] = [
        Column("cell", "cell", "text"),
        Column("overhead", "overhead, points", "%", lambda cell: cell.limits.get(OVERHEAD)),
        Column("throughput", "throughput %", "%", lambda cell: _fall(cell.limits.get(THROUGHPUT))),
    ]
    return Report(
        name=Path(noise_floor.FILE).stem,
        parts=[
            Verdict(f"Of {count} equal campaigns, 95 of 100 pairs differ by at most {widest}."),
            table(f"The noise floor of {first.machine.words}", every, columns),
        ],
        content=noise_floor.content(every, kept),
        folder=results,
    )


def _columns(every: Sequence[Compared], on: str) -> list[Column[Any]]:
    def size(name: str) -> Column[Compared]:
        def text(judged: Compared) -> str:
            value = getattr(judged, name)
            return percent(_fall(value) if on == THROUGHPUT else value)

        return Column(name, f"{name},\n{_UNITS[on]}", text=text, only_wide=True)

    return [
        *columns(every[0].result.unit.name if every else ""),
        Column("in_base", of=lambda judged: bool(judged.base)),
        Column("in_new", of=lambda judged: bool(judged.new)),
        Column("verdict", "verdict", "text", "outcome"),
        Column("why"),
        size("floor"),
        size("threshold"),
    ]


def _fall(limit: float | None) -> float | None:
    """Return the fraction by which throughput falls; the limit is its logarithm."""
    return None if limit is None else -math.expm1(-limit)


def _sentence(judged: Sequence[Compared], on: str) -> str:
    """Return the deciding sentence."""
    named = {
        outcome: "; ".join(_name(cell) for cell in judged if cell.outcome == outcome)
        for outcome in judge.EXIT_CODES
    }
    for outcome in (judge.REGRESSED, judge.FAILED, judge.UNKNOWN):
        if named[outcome]:
            return f"{outcome} ({on}): {named[outcome]}."
    if not judged:
        return f"{judge.UNKNOWN}: no cell to compare."
    improved = f"; improved: {named[judge.IMPROVED]}" if named[judge.IMPROVED] else ""
    return f"{judge.WITHIN}: {on} of all {len(judged)} cells{improved}."


def _name(cell: Compared) -> str:
    return f"{words.subject(cell.result)}, {words.label(cell.result)}"
