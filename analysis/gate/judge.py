"""How far two sets of cells differ beyond what equal ones do: verdicts of a gate and a bisection.

A threshold alone raises alarms at every wide interval, and an interval alone at every drift between
two campaigns, which the interval of one campaign cannot cover. So both must be exceeded. The
intervals hold for all cells at once (max-T), so that more cells do not raise more false alarms;
each floor belongs to one cell, and can only make an alarm rarer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ...base.errors import UsageError
from ...cell import Cell
from ...row import Row
from ..results import CellResult, Source, panel_of
from ..results.doubts import UNEVEN
from ..results.panel import THROUGHPUT as RATE
from ..results.panel import Measure
from ..stats import NOTHING, Interval
from . import floor
from .difference import MEASURES, OVERHEAD, Compared, compared
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
    for each in compared(base.rows, new.rows, MEASURES if is_one else (OVERHEAD,), devices):
        known = floor.of(floors, base.machine, each.new) if each.new and is_one else None
        limit = known.limits.get(on) if known else None
        threshold = max(limit or 0.0, min_effect)
        outcome, why = UNKNOWN, OTHER_MACHINE
        if each.base is None or (each.result.is_baseline and on == OVERHEAD and not each.failed):
            outcome, why = "", ""
        elif on == OVERHEAD or is_one:
            outcome, why = _outcome(each, each.base, on, threshold)
        cells.append(replace(each, outcome=outcome, why=why, threshold=threshold, floor=limit))
    return cells


def exit_code(judged: Sequence[Compared]) -> int:
    """Return the gate's exit code; unknown if there is no cell to judge."""
    outcomes = {cell.outcome for cell in judged} or {UNKNOWN}
    return next(code for outcome, code in EXIT_CODES.items() if outcome in outcomes)


def _outcome(compared: Compared, base: CellResult, on: str, threshold: float) -> tuple[str, str]:
    """Judge by the simultaneous interval and the threshold; also return a reason if unknown."""
    if compared.new is None:
        return UNKNOWN, "it is not in the new campaign"
    if base.failed:
        return UNKNOWN, "its slices failed in the base campaign"
    if compared.new.failed:
        return FAILED, "its slices failed in the new campaign"
    for doubt in (*compared.new.doubts, *base.doubts):
        if doubt.kind == UNEVEN:
            return UNKNOWN, doubt.text
    difference = compared.differences.get(on)
    if difference is None:
        return UNKNOWN, f"one of the campaigns has no {on} of it"
    way, half_width = beyond(difference, threshold), difference.half_width
    if half_width is None:
        return UNKNOWN, "there is no interval: one round is too few"
    if way:
        return (REGRESSED if (way > 0) == (on == OVERHEAD) else IMPROVED), ""
    if half_width > threshold:
        return UNKNOWN, "the interval is wider than the threshold; measure longer"
    return WITHIN, ""


def beyond(apart: Interval, floor: float) -> int:
    """Return the sign of a difference that exceeds what equals may differ by, or else 0.

    Its interval must exclude zero, but only its value must exceed the floor. The floor is already
    the end of an interval, and both are as wide as the noise, which would count twice.
    """
    way = apart.side(0)
    return way if way and abs(apart.value or 0.0) > floor else 0


GOOD, AGAIN, BAD, NEXT = "good", "good-again", "bad", "next"
"""The names of the four builds in rows: the good one, its A/A, the bad one, and the judged one."""


def _cpu_us(row: Row) -> float | None:
    """Return the engine's CPU time per request, warm-up included."""
    cpu_s, requests = row.get("cpu_engine_s"), row.get("slice_requests")
    return 1e6 * cpu_s / requests if requests and cpu_s is not None else None


BY: dict[str, Measure] = {"throughput": RATE, "cpu": _cpu_us}
"""Measures that tell builds apart: requests a second, or the engine's CPU time per request."""


@dataclass(frozen=True)
class Nearer:
    """`gap` is bad / good, `apart` is good / good again, and `found` is next / good.

    All are ratios of one measure. `nearer` is the product next / good times next / bad, which is 1
    at the geometric middle between both.
    """

    gap: Interval = NOTHING
    apart: Interval = NOTHING
    found: Interval = NOTHING
    nearer: Interval = NOTHING
    rounds: int = 0  # in which good and next have a slice
    is_failed: bool = False  # a slice of the candidate did

    @property
    def floor(self) -> float:
        """The factor, above 1, by which equal builds may differ here; infinite if unknown."""
        if self.apart.low is None or self.apart.high is None:
            return math.inf
        return math.exp(max(abs(math.log(self.apart.low)), abs(math.log(self.apart.high))))

    @property
    def verdict(self) -> Literal["good", "bad", "unknown", "alike", "failed"]:
        """The build that it is like.

        "alike" says that good and bad do not differ, or by no more than good may differ from
        itself, so there is no side to be on.
        """
        if self.is_failed or not self.gap.is_known:
            return "failed" if self.is_failed else "unknown"
        gap = beyond(self.gap.mapped(math.log), math.log(self.floor))
        # The product is above 1 on the side of the larger of the two.
        side = self.nearer.side(1)
        return "alike" if not gap else "unknown" if not side else "bad" if side == gap else "good"


def nearer(rows: Sequence[Row], device: str, durability: str, by: str) -> Nearer:
    """Return what one candidate is like, from the cells on `device` in one mode.

    Errors: UsageError if good or bad has a failed slice: then there is nothing to compare with.
    """
    mine = [row for row in rows if (row["device"], row["durability"]) == (device, durability)]
    failed = {row["build"]: row["failure"] for row in mine if row["status"] == "failed"}
    for name in (GOOD, AGAIN, BAD):
        if name in failed:
            raise UsageError(f"build {name}: a slice of it failed: {failed[name]}")
    if NEXT in failed:
        return Nearer(is_failed=True)
    panel, like, measure = panel_of(mine), Cell.of_row(mine[0]), BY[by]
    good, again, bad, found = (like.at(build=name) for name in (GOOD, AGAIN, BAD, NEXT))
    to_good, to_bad = (panel.draws(found, side, measure) for side in (good, bad))
    return Nearer(
        gap=panel.ratio(bad, good, measure),
        apart=panel.ratio(again, good, measure),
        found=to_good.interval(),
        nearer=to_good.times(to_bad).interval(),
        rounds=int(panel.matched(found, good).sum()),
    )
