"""Two campaigns compared as a report: their differences, and the verdict of a gate.

Also the noise floor of a machine: how far equal campaigns come out apart.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from ..gate import difference, judge, sameness
from ..gate import floor as noise_floor
from ..gate.difference import OVERHEAD, THROUGHPUT, Compared
from ..gate.floor import Floor
from ..gate.judge import Judged
from ..gate.sameness import Side
from ..numerals import percent
from ..report import Lines, Report, Table, Verdict
from ..results import CellResult, words
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


@dataclass(frozen=True)
class Gated:
    """A gate's report, and its exit code: 0 within, 3 regressed, 4 unknown, 1 failed."""

    report: Report
    code: int


def against(
    base: Side, new: Side, allow: Iterable[str] = (), devices: Sequence[str] = ()
) -> Report:
    """Report by how much each cell, or each on `devices`, differs between two campaigns.

    Errors: as `require_same`.
    """
    remarks = sameness.require_same(base, new, allow, devices)
    same_machine = base.is_machine_of(new)
    names = difference.MEASURES if same_machine else (OVERHEAD,)
    every = difference.compared(base.rows, new.rows, names, devices)
    shown = " ".join(f"{name}_difference" for name in names)
    groups = _groups([compared for compared in every if compared.base and compared.new])
    series = Series("cell", "", every, _columns(every))
    return Report(
        name="comparison",
        parts=[
            *(Verdict(_sentence_of(group)) for group in groups),
            *(
                _table(series, group, f"_label overhead_base overhead_new {shown}", "")
                for group in groups
            ),
            Lines([_METHOD]),
        ],
        content=_content(base, new, series.lines()),
        lines=series.lines(),
        warnings=_warnings(base, new),
        remarks=[*remarks, *_alone(every), *([] if same_machine else [judge.OTHER_MACHINE])],
    )


def _sentence_of(group: Sequence[Compared]) -> str:
    known = [pair for pair in group if pair.differences or pair.failed]
    said = "; ".join(map(clause, known)) or "no cell has a result in both campaigns"
    return f"{words.group_title(group[0].result)}: {said}."


def gate(
    base: Side,
    new: Side,
    floors: Sequence[Floor],
    *,
    allow: Iterable[str] = (),
    on: str = OVERHEAD,
    min_effect: float = 0.02,
    devices: Sequence[str] = (),
) -> Gated:
    """Report whether a campaign is worse than another: see `analysis.gate.judge`.

    `min_effect` is a fraction of `on`: of overhead, or of throughput. Only cells on `devices` are
    judged, if any are named. Errors: as `require_same`.
    """
    remarks = sameness.require_same(base, new, allow, devices)
    limit = -math.log1p(-min_effect) if on == THROUGHPUT else min_effect
    judgements = judge.judged(base, new, floors, on=on, min_effect=limit, devices=devices)
    code, every = judge.exit_code(judgements), [judgement.of for judgement in judgements]
    series = Series("cell", "", every, [*_columns(every), *_judged(judgements, on)])
    shown = f"_label {on}_difference floor threshold verdict"
    lacking = sum(judgement.floor is None for judgement in judgements)
    no_floor = f"{lacking} of {len(judgements)} cells have no floor of this machine: only "
    no_floor += "--min-effect is their threshold; measure it with: waltax compare floor"
    reasons = [
        f"{'; '.join(_name(each.of.result) for each in judgements if each.why == why)}: {why}"
        for why in dict.fromkeys(judgement.why for judgement in judgements if judgement.why)
    ]
    content = _content(base, new, series.lines())
    report = Report(
        name="gate",
        parts=[
            Verdict(_sentence(judgements, on)),
            *(_table(series, group, shown, f"{on}, ") for group in _groups(every)),
            Lines([*reasons, _RULE, _METHOD]),
        ],
        content={**content, "gated_on": on, "min_effect": min_effect, "exit_code": code},
        lines=series.lines(),
        warnings=[*_warnings(base, new), *([no_floor] if lacking else [])],
        remarks=[*remarks, *_alone(difference.compared(base.rows, new.rows, (), devices))],
    )
    return Gated(report, code)


def floor(campaigns: Sequence[Path], results: Path) -> Report:
    """Report how far two of these equal campaigns come out apart, cell by cell.

    Its file, floor.json in `results`, is what a gate reads; entries for other cells and machines
    are kept. Errors: as `analysis.gate.floor.measure` and `load`.
    """
    every = noise_floor.measure([sameness.side(folder) for folder in campaigns])
    kept = noise_floor.read_if_there(results / noise_floor.FILE)
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


def _groups(every: Sequence[Compared]) -> list[list[Compared]]:
    return [list(group) for _, group in groupby(every, lambda cell: cell.result.at.group)]


def _table(of: Series[Compared], group: Sequence[Compared], columns: str, what: str) -> Table:
    title = f"{words.group_title(group[0].result)}: {what}new less base"
    return of.table(View(title, columns, lambda compared: compared in group))


def _columns(every: Sequence[Compared]) -> list[Column[Compared]]:
    return [
        *columns(every[0].result.unit.name if every else ""),
        Column("in_base", of=lambda compared: bool(compared.base)),
        Column("in_new", of=lambda compared: bool(compared.new)),
    ]


def _judged(judgements: Sequence[Judged], on: str) -> list[Column[Compared]]:
    by_cell = {judgement.of.cell: judgement for judgement in judgements}

    def size(name: str) -> Column[Compared]:
        def of(compared: Compared) -> Any:
            return getattr(by_cell[compared.cell], name)

        def text(compared: Compared) -> str:
            return percent(_fall(of(compared)) if on == THROUGHPUT else of(compared))

        return Column(name, f"{name}, {_UNITS[on]}", of=of, text=text)

    return [
        Column("verdict", "verdict", "text", lambda compared: by_cell[compared.cell].outcome),
        Column("why", of=lambda compared: by_cell[compared.cell].why),
        size("floor"),
        size("threshold"),
    ]


def _fall(limit: float | None) -> float | None:
    """Return the fraction by which throughput falls; the limit is its logarithm."""
    return None if limit is None else -math.expm1(-limit)


def _content(base: Side, new: Side, cells: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    def side(side: Side) -> dict[str, Any]:
        machine = None if side.machine is None else asdict(side.machine)
        return {**asdict(side.source.origin), "machine": machine}

    return {
        "schema": 1,
        "base": side(base),
        "new": side(new),
        "same_machine": base.is_machine_of(new),
        "intervals": _METHOD,
        "cells": cells,
    }


def _sentence(judgements: Sequence[Judged], on: str) -> str:
    """Return the deciding sentence."""
    for outcome in (judge.REGRESSED, judge.FAILED, judge.UNKNOWN):
        names = [
            _name(judgement.of.result) for judgement in judgements if judgement.outcome == outcome
        ]
        if names:
            return f"{outcome} ({on}): {'; '.join(names)}."
    if not judgements:
        return f"{judge.UNKNOWN}: no cell to compare."
    better = [
        _name(judgement.of.result)
        for judgement in judgements
        if judgement.outcome == judge.IMPROVED
    ]
    improved = f"; improved: {'; '.join(better)}" if better else ""
    return f"{judge.WITHIN}: {on} of all {len(judgements)} cells{improved}."


def _name(result: CellResult) -> str:
    return f"{words.subject(result)}, {words.label(result)}"


def _warnings(base: Side, new: Side) -> list[str]:
    sides = (("base", base), ("new", new))
    return [f"{name}: {text}" for name, side in sides for text in side.source.warnings]


def _alone(every: Sequence[Compared]) -> list[str]:
    return [
        f"{compared.cell} is in {'base' if compared.base else 'new'} alone"
        for compared in every
        if not (compared.base and compared.new)
    ]
