"""Which of two builds a third is like, by their cells of the same rounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from ...base.errors import UsageError
from ...cell import Cell
from ...row import Row
from ..numerals import times
from ..results.panel import THROUGHPUT, panel_of
from ..stats import Interval

GOOD, AGAIN, BAD, NEXT = "good", "good-again", "bad", "next"
"""The names of the four builds in rows: the good one, its A/A, the bad one, and the judged one."""
_WORDS = {
    "good": "good",
    "bad": "bad",
    "unknown": "cannot tell",
    "alike": "good and bad are not told apart beyond the noise floor",
}
_BY = {"throughput": "throughput", "cpu": "CPU time a request"}


@dataclass(frozen=True)
class Nearer:
    """`gap` is bad / good, `apart` is good / good again, and `found` is next / good.

    All are ratios of one measure. `nearer` is the product next / good times next / bad, which is 1
    at the geometric middle between both. `rounds` are those in which good and next have a slice.
    """

    gap: Interval
    apart: Interval
    found: Interval
    nearer: Interval
    rounds: int

    @property
    def floor(self) -> float:
        """The factor, above 1, by which equal builds may differ here; infinite if unknown."""
        low, high = self.apart.low, self.apart.high
        return max(high, 1 / low) if low and high else inf

    @property
    def verdict(self) -> str:
        """The build that it is like, or "unknown".

        "alike" says that good and bad do not differ, or by no more than good may differ from
        itself, so there is no side to be on.
        """
        gap, ratio = self.gap.side(1), self.gap.value
        if gap is None or not ratio:
            return "unknown"
        if not gap or max(ratio, 1 / ratio) <= self.floor:
            return "alike"
        # The product is above 1 on the side of the larger of the two.
        side = self.nearer.side(1)
        return "unknown" if not side else "bad" if side == gap else "good"


def _cpu_us(row: Row) -> float | None:
    """Return the engine's CPU time per request, warm-up included."""
    cpu_s, requests = row.get("cpu_engine_s"), row.get("slice_requests")
    return 1e6 * cpu_s / requests if requests and cpu_s is not None else None


def nearer(rows: Sequence[Row], device: str, durability: str, by: str) -> Nearer | None:
    """Return what one candidate is like, from the cells on `device` in one mode.

    None says that a slice of it failed. Errors: UsageError if one of good or bad did: then there is
    nothing to compare with.
    """
    mine = [row for row in rows if (row["device"], row["durability"]) == (device, durability)]
    failed = {row["build"]: row["failure"] for row in mine if row["status"] == "failed"}
    for name in (GOOD, AGAIN, BAD):
        if name in failed:
            raise UsageError(f"build {name}: a slice of it failed: {failed[name]}")
    if NEXT in failed:
        return None
    panel, like = panel_of(mine), Cell.of_row(mine[0])
    measure = _cpu_us if by == "cpu" else THROUGHPUT
    good, again, bad, found = (like.at(build=name) for name in (GOOD, AGAIN, BAD, NEXT))
    to_good, to_bad = (panel.draws(found, side, measure) for side in (good, bad))
    return Nearer(
        gap=panel.ratio(bad, good, measure),
        apart=panel.ratio(again, good, measure),
        found=to_good.interval(),
        nearer=to_good.times(to_bad).interval(),
        rounds=int(panel.matched(found, good).sum()),
    )


def sentence(judgement: Nearer, by: str) -> str:
    """Return what is known about a candidate, with intervals."""
    ratios = judgement.found, judgement.gap, judgement.apart, judgement.nearer
    to_good, good_to_bad, apart, nearer = (times(ratio, 3) for ratio in ratios)
    said = f"{judgement.rounds} rounds: {_WORDS[judgement.verdict]}"
    return (
        f"{said} ({_BY[by]}: next / good {to_good}, bad / good {good_to_bad}; good against "
        f"itself {apart}; nearer: {nearer}, 1 is the middle)"
    )
