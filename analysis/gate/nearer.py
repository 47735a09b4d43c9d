"""Whether a build is nearer to a good one or to a bad one, by slices of the same rounds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ...cell import Cell
from ...errors import UsageError
from ...row import Row
from ..results import Panel, panel_of
from ..results.panel import THROUGHPUT, Measure
from ..stats import NOTHING, Interval
from .judge import beyond

GOOD, AGAIN, BAD, NEXT = "good", "good-again", "bad", "next"
"""What the four builds are called in rows: the good one, its A/A, the bad one, and the judged."""


def _cpu_us(one: Row) -> float | None:
    """The engine's CPU time for one request, warm-up included."""
    cpu_s, requests = one.get("cpu_engine_s"), one.get("slice_requests")
    return 1e6 * cpu_s / requests if requests and cpu_s is not None else None


MEASURES: dict[str, Measure] = {"throughput": THROUGHPUT, "cpu": _cpu_us}
"""What builds can be told apart by: requests a second, or the engine's CPU time for one."""


@dataclass(frozen=True)
class Judged:
    """`gap` is bad / good, and `apart` what good came out from itself; `found` is next / good.

    All are ratios of one measure. `nearer` is the product next / good times next / bad, which is 1
    at the geometric middle between both. `verdict` "alike" says that good and bad do not differ, or
    by no more than good may from itself, so that there is no side to be on.
    """

    verdict: Literal["good", "bad", "unknown", "alike", "failed"]
    gap: Interval
    apart: Interval
    found: Interval
    nearer: Interval
    rounds: int  # in which good and next have a slice

    @property
    def floor(self) -> float:
        """By which factor, above 1, an equal build may come out apart here; infinite: not known."""
        if self.apart.low is None or self.apart.high is None:
            return math.inf
        return math.exp(max(abs(math.log(self.apart.low)), abs(math.log(self.apart.high))))


def judge(rows: Sequence[Row], device: str, durability: str, by: str) -> Judged:
    """What the rows of one candidate say, of the cells on `device` in one mode alone.

    Errors: UsageError where good or bad has a failed slice: then there is nothing to be near to.
    """
    mine = [one for one in rows if (one["device"], one["durability"]) == (device, durability)]
    failed = {one["build"]: one["failure"] for one in mine if one["status"] == "failed"}
    for name in (GOOD, AGAIN, BAD):
        if name in failed:
            raise UsageError(f"build {name}: a slice of it failed: {failed[name]}")
    if NEXT in failed:
        return Judged("failed", NOTHING, NOTHING, NOTHING, NOTHING, 0)
    return _judge(panel_of(mine), Cell.of_row(mine[0]), MEASURES[by])


def _judge(panel: Panel, like: Cell, measure: Measure) -> Judged:
    good, again, bad, found = (like.at(build=name) for name in (GOOD, AGAIN, BAD, NEXT))
    to_good, to_bad = (panel.draws(found, one, measure) for one in (good, bad))
    judged = Judged(
        verdict="unknown",
        gap=panel.ratio(bad, good, measure),
        apart=panel.ratio(again, good, measure),
        found=to_good.interval(),
        nearer=to_good.times(to_bad).interval(),
        rounds=int(panel.matched(found, good).sum()),
    )
    return replace(judged, verdict=_verdict(judged))


def _verdict(one: Judged) -> Literal["good", "bad", "unknown", "alike"]:
    if not one.gap.is_known:
        return "unknown"
    gap = beyond(one.gap.mapped(math.log), math.log(one.floor))
    if not gap:
        return "alike"
    # The product is above 1 on the side of the larger of both.
    return {gap: "bad", -gap: "good"}.get(one.nearer.side(1) or 0, "unknown")  # type: ignore[return-value]
