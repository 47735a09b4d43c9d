"""How far two campaigns differ beyond what equal ones do: the verdicts of a gate.

A threshold alone raises alarms at every wide interval, and an interval alone at every drift between
two campaigns, which the interval of one campaign cannot cover. So both must be exceeded. The
intervals hold for all cells at once (max-T), so that more cells do not raise more false alarms;
each floor belongs to one cell, and can only make an alarm rarer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from ..results import Source
from ..results.doubts import UNEVEN
from ..stats import NOTHING
from . import floor
from .difference import OVERHEAD, Compared, compared
from .floor import Floor

REGRESSED, IMPROVED, WITHIN = "REGRESSED", "IMPROVED", "WITHIN"
UNKNOWN, FAILED = "UNKNOWN", "FAILED"
EXIT_CODES = {REGRESSED: 3, FAILED: 1, UNKNOWN: 4, IMPROVED: 0, WITHIN: 0}
"""The exit code of each outcome; the first outcome that any cell has decides."""
OTHER_MACHINE = "the machine is not the same, or not known: throughputs are not compared"


def judged(
    base: Source,
    new: Source,
    floors: Sequence[Floor],
    *,
    on: str,
    min_effect: float,
    devices: Sequence[str] = (),
) -> list[Compared]:
    """Return every cell of both campaigns, or those of `devices`, with a gate's verdict.

    `min_effect` is in the unit of `on`. Without a verdict are a baseline, which has no overhead of
    its own and is judged by its throughput alone, and a new cell, which has no counterpart.
    """
    is_one = base.is_machine_of(new)
    cells = []
    for each in compared(base.rows, new.rows, devices):
        known = floor.of(floors, base.machine, each.new) if each.new and is_one else None
        limit = known.limits.get(on) if known else None
        threshold = max(limit or 0.0, min_effect)
        cell = replace(each, threshold=threshold, floor=limit)
        if not is_one:
            cell = replace(cell, ratio=NOTHING)
        if cell.base and not (cell.base.is_baseline and on == OVERHEAD and not cell.failed):
            outcome, why = (UNKNOWN, OTHER_MACHINE)
            if is_one or on == OVERHEAD:
                outcome, why = _outcome(cell, on)
            cell = replace(cell, outcome=outcome, why=why)
        cells.append(cell)
    return cells


def exit_code(judged: Sequence[Compared]) -> int:
    """Return the gate's exit code; unknown if there is no cell to judge."""
    outcomes = {cell.outcome for cell in judged} or {UNKNOWN}
    return next(code for outcome, code in EXIT_CODES.items() if outcome in outcomes)


def _outcome(pair: Compared, on: str) -> tuple[str, str]:
    """Judge by the simultaneous interval and the threshold; also return a reason if unknown.

    The interval must exclude zero, but only the value must exceed the threshold: a floor is already
    the end of an interval, and both are as wide as the noise, which would count twice.
    """
    if pair.new is None:
        return UNKNOWN, "it is not in the new campaign"
    if pair.failed:
        is_new = pair.new.failed and len(pair.failed) == 1
        where = "new" if is_new else "base"
        return FAILED if is_new else UNKNOWN, f"its slices failed in the {where} campaign"
    doubts = [doubt for side in (pair.new, pair.base) if side for doubt in side.doubts]
    uneven = next((doubt.text for doubt in doubts if doubt.kind == UNEVEN), "")
    if uneven:
        return UNKNOWN, uneven
    apart = pair.points if on == OVERHEAD else pair.ratio.mapped(math.log)
    way, half_width = apart.side(0), apart.half_width
    if apart.value is None:
        return UNKNOWN, f"one of the campaigns has no {on} of it"
    if half_width is None:
        return UNKNOWN, "there is no interval: one round is too few"
    if way and abs(apart.value) > pair.threshold:
        return (REGRESSED if (way > 0) == (on == OVERHEAD) else IMPROVED), ""
    if half_width > pair.threshold:
        return UNKNOWN, "the interval is wider than the threshold; measure longer"
    return WITHIN, ""
