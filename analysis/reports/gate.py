"""Two campaigns against each other as a report: their differences, and what a gate says of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from ..gate import difference, judge, sameness
from ..gate.difference import ADDED_US, OVERHEAD, THROUGHPUT, Compared, Difference
from ..gate.floor import Floor
from ..gate.judge import Judged
from ..gate.sameness import Side
from ..report import Column, Lines, Part, Report, Table, Verdict, numbers
from ..results import CellResult, words
from ..stats import Interval
from . import differences

_RULE = (
    "REGRESSED takes an interval off zero and a difference above the threshold, the larger of the "
    "floor and --min-effect; UNKNOWN: the interval reaches further than that to either side"
)
_SAME = "the machine is not the same, or not known: throughputs are not compared"
_UNITS = {OVERHEAD: "points", THROUGHPUT: "%"}


@dataclass(frozen=True)
class Gated:
    """A gate's report, and its exit code: 0 within, 3 regressed, 4 unknown, 1 failed."""

    report: Report
    code: int


def against(base: Side, new: Side, allow: Iterable[str] = ()) -> Report:
    """By how much each cell differs between two campaigns. Errors: as `require_same`."""
    remarks = sameness.require_same(base, new, allow)
    same_machine = _same_machine(base, new)
    every = difference.compared(base.rows, new.rows, _measures(same_machine))
    both = [one for one in every if one.base and one.new]
    verdicts = [Verdict(_told_apart(group)) for group in _groups(both)]
    tables = [_table(group, same_machine) for group in _groups(both)]
    content = differences.content(base, new, [differences.cell(one) for one in every], same_machine)
    return Report(
        name="comparison",
        parts=[*verdicts, *tables, Lines([differences.METHOD])],
        content=content,
        lines=content["cells"],
        warnings=_warnings(base, new),
        remarks=[*remarks, *_alone(every), *([] if same_machine else [_SAME])],
    )


def gate(
    base: Side,
    new: Side,
    floors: Sequence[Floor],
    *,
    allow: Iterable[str] = (),
    on: str = OVERHEAD,
    min_effect: float = 0.02,
) -> Gated:
    """Whether a campaign is worse than another: see `analysis.gate.judge`.

    `min_effect` is a fraction, of `on`: of overhead, or of throughput. Errors: as `require_same`.
    """
    remarks = sameness.require_same(base, new, allow)
    same_machine = _same_machine(base, new)
    judgements = judge.judged(base, new, floors, on=on, min_effect=_limit(on, min_effect))
    if on == THROUGHPUT and not same_machine:
        judgements = [
            Judged(one.of, judge.UNKNOWN, _SAME, one.threshold, None) for one in judgements
        ]
    code = judge.exit_code(judgements)
    cells = [{**differences.cell(one.of), **differences.judgement(one)} for one in judgements]
    content = differences.content(base, new, cells, same_machine)
    report = Report(
        name="gate",
        parts=[
            Verdict(_sentence(judgements, on)),
            *(_gated(list(group), on) for group in _by_group(judgements)),
            *_reasons(judgements),
        ],
        content={**content, "gated_on": on, "min_effect": min_effect, "exit_code": code},
        lines=cells,
        warnings=[*_warnings(base, new), *_no_floor(judgements)],
        remarks=[*remarks, *_alone(difference.compared(base.rows, new.rows, ()))],
    )
    return Gated(report, code)


def _limit(on: str, fraction: float) -> float:
    """In the unit of the measure: of throughput the logarithm."""
    return -math.log1p(-fraction) if on == THROUGHPUT else fraction


def _same_machine(base: Side, new: Side) -> bool:
    return base.machine is not None and base.machine == new.machine


def _measures(same_machine: bool) -> tuple[str, ...]:
    return (OVERHEAD, ADDED_US, *([THROUGHPUT] if same_machine else []))


def _groups(every: Sequence[Compared]) -> list[list[Compared]]:
    return [list(group) for _, group in groupby(every, lambda one: one.result.at.group)]


def _by_group(judgements: Sequence[Judged]) -> list[list[Judged]]:
    return [list(group) for _, group in groupby(judgements, lambda one: one.of.result.at.group)]


def _told_apart(group: Sequence[Compared]) -> str:
    """The overheads that differ, or that none does."""
    title = words.group_title(group[0].result)
    apart = [
        f"{words.label(one.result)} by {_points(one.differences[OVERHEAD])} points"
        for one in group
        if OVERHEAD in one.differences and _excludes_zero(one.differences[OVERHEAD].at_once)
    ]
    if apart:
        return f"{title}: the overheads differ (new less base): {', '.join(apart)}."
    if not any(OVERHEAD in one.differences for one in group):
        return f"{title}: no cell has an overhead in both campaigns."
    return f"{title}: no overhead can be told apart from the other campaign's."


def _excludes_zero(interval: Interval) -> bool:
    low, high = interval.low, interval.high
    return low is not None and high is not None and not low <= 0 <= high


def _table(group: Sequence[Compared], same_machine: bool) -> Table:
    columns = [
        Column("device"),
        *numbers("base %", "new %", "difference, points"),
        Column("added us differ", only_wide=not same_machine),
        *numbers(*(["throughput %"] if same_machine else [])),
    ]
    rows = [
        [
            words.label(one.result),
            *(words.percent(side.overhead) if side else "-" for side in (one.base, one.new)),
            _points(one.differences.get(OVERHEAD)),
            _us(one.differences.get(ADDED_US)),
            *([_percent(one.differences.get(THROUGHPUT))] if same_machine else []),
        ]
        for one in group
    ]
    return Table(f"{words.group_title(group[0].result)}: new less base", columns, rows)


def _gated(group: Sequence[Judged], on: str) -> Table:
    unit = _UNITS[on]
    columns = [
        Column("device"),
        *numbers(f"difference, {unit}", f"floor, {unit}", f"threshold, {unit}"),
        Column("verdict", is_text=True),
    ]
    shown = _points if on == OVERHEAD else _percent
    rows = [
        [
            words.label(one.of.result),
            shown(one.of.differences.get(on)),
            _size(on, one.floor),
            _size(on, one.threshold),
            one.outcome,
        ]
        for one in group
    ]
    title = words.group_title(group[0].of.result)
    return Table(f"{title}: {on}, new less base", columns, rows)


def _sentence(judgements: Sequence[Judged], on: str) -> str:
    """What decides first."""
    for outcome in (judge.REGRESSED, judge.FAILED, judge.UNKNOWN):
        names = [_name(one.of.result) for one in judgements if one.outcome == outcome]
        if names:
            return f"{outcome} ({on}): {'; '.join(names)}."
    if not judgements:
        return f"{judge.UNKNOWN}: no cell to compare."
    better = [_name(one.of.result) for one in judgements if one.outcome == judge.IMPROVED]
    improved = f"; improved: {'; '.join(better)}" if better else ""
    return f"{judge.WITHIN}: {on} of all {len(judgements)} cells{improved}."


def _name(one: CellResult) -> str:
    return f"{words.subject(one)}, {words.label(one)}"


def _reasons(judgements: Sequence[Judged]) -> list[Part]:
    said = [
        f"{'; '.join(_name(one.of.result) for one in judgements if one.why == why)}: {why}"
        for why in dict.fromkeys(one.why for one in judgements if one.why)
    ]
    return [Lines([*said, _RULE, differences.METHOD])]


def _no_floor(judgements: Sequence[Judged]) -> list[str]:
    lacking = [one for one in judgements if one.floor is None]
    if not lacking:
        return []
    return [
        f"{len(lacking)} of {len(judgements)} cells have no floor of this machine: only "
        "--min-effect is their threshold; measure it with: waltax floor"
    ]


def _warnings(base: Side, new: Side) -> list[str]:
    sides = (("base", base), ("new", new))
    return [f"{name}: {text}" for name, side in sides for text in side.source.warnings]


def _alone(every: Sequence[Compared]) -> list[str]:
    return [
        f"{one.cell} is in {'base' if one.base else 'new'} alone"
        for one in every
        if not (one.base and one.new)
    ]


def _points(one: Difference | None) -> str:
    if one is None:
        return "-"
    return f"{_signed(one.value)} {words.bounds(one.at_once.low, one.at_once.high)}"


def _percent(one: Difference | None) -> str:
    if one is None:
        return "-"
    ends = [None if end is None else math.expm1(end) for end in (one.at_once.low, one.at_once.high)]
    return f"{_signed(math.expm1(one.value))} {words.bounds(*ends)}"


def _us(one: Difference | None) -> str:
    if one is None:
        return "-"
    low, high = one.at_once.low, one.at_once.high
    ends = "" if low is None else f" [{words.number(low)}, {words.number(high)}]"
    return f"{words.number(one.value)}{ends}"


def _signed(fraction: float) -> str:
    text = words.percent(fraction)
    return f"+{text}" if fraction > 0 and text != "0.0" else text


def _size(on: str, value: float | None) -> str:
    if value is None:
        return "-"
    return words.percent(-math.expm1(-value) if on == THROUGHPUT else value)
