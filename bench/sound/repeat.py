"""Ten campaigns of one recipe: how often do two of them contradict? `python -m waltax.bench repeat`

    python -m waltax.bench repeat [CAMPAIGNS] [SECONDS]

On LinkBench, profile ci, each of SECONDS of slices, whatever its intervals are. Every pair of
campaigns has two intervals of each device. They contradict where their estimates are further
apart than both intervals allow; where they do not even overlap, that is told besides. And each
interval holds the pooled estimate, or does not.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

from ... import analysis
from ...analysis import CellResult
from ...analysis.results import words
from ...row import Row
from ...runners import campaign, loop
from ...runners.campaign import Campaign
from ...terminal import Terminal, say
from ..homes.plain import DATA, home

_DEVICES = ("ssd", "nvme", "nvram")
_CONTRADICT = 0.05  # of pairs with honest intervals of 95 %
_APART = 0.0056  # of pairs of normal estimates: 2 x 1.96 standard errors where sqrt(2) is one


@dataclass(frozen=True)
class Counted:
    """Of one cell: pairs of campaigns, and how many of their intervals do not go together."""

    pairs: int
    contradict: int
    apart: int
    campaigns: int
    hold: int  # the pooled estimate

    @property
    def words(self) -> str:
        return (
            f"{self.contradict} of {self.pairs} pairs contradict "
            f"({_CONTRADICT * self.pairs:.1f} expected), {self.apart} do not overlap "
            f"({_APART * self.pairs:.1f} expected); {self.hold} of {self.campaigns} intervals hold "
            f"the pooled estimate ({0.95 * self.campaigns:.1f} expected)"
        )


def counted(each: Sequence[CellResult], pooled: float) -> Counted:
    """The contradictions between the same cell's results of several campaigns."""
    logs = [_log(one) for one in each]
    pairs = list(combinations(logs, 2))
    return Counted(
        pairs=len(pairs),
        contradict=sum(_gap(a, b) > math.hypot(*_reaches(a, b)) for a, b in pairs),
        apart=sum(_gap(a, b) > sum(_reaches(a, b)) for a, b in pairs),
        campaigns=len(logs),
        hold=sum(low <= math.log(1 - pooled) <= high for low, _, high in logs),
    )


_Ends = tuple[float, float, float]


def _log(one: CellResult) -> _Ends:
    """Of the ratio: low, value, high."""
    assert one.overhead is not None
    assert one.low is not None
    assert one.high is not None
    return math.log(1 - one.high), math.log(1 - one.overhead), math.log(1 - one.low)


def _gap(a: _Ends, b: _Ends) -> float:
    return abs(a[1] - b[1])


def _reaches(a: _Ends, b: _Ends) -> tuple[float, float]:
    """How far each interval reaches towards the other's estimate."""
    lower, upper = sorted((a, b), key=lambda one: one[1])
    return lower[2] - lower[1], upper[1] - upper[0]


def main(arguments: list[str]) -> None:
    console = Terminal()
    count = int(arguments[0]) if arguments else 10
    budget_s = float(arguments[1]) if len(arguments) > 1 else 60.0
    every: list[list[Row]] = []
    for number in range(count):
        with home("repeat") as results:
            every.append(_measured(_campaign(number, budget_s, results)))
        found = analysis.estimate(every[-1])
        costs = "  ".join(f"{words.label(one)} {words.overhead(one)}" for one in found)
        say(console, f"campaign {number + 1}: {costs}")
    for pooled in analysis.estimate([row for rows in every for row in rows]):
        each = [one for rows in every for one in analysis.estimate(rows) if one.at == pooled.at]
        assert pooled.overhead is not None
        sd = pooled.variance.sd_between_occasions or 0.0
        points = words.percent((1 - pooled.overhead) * sd)
        say(
            console,
            f"{words.label(pooled)}: pooled {words.overhead(pooled)}, SD between campaigns "
            f"{points} points; {counted(each, pooled.overhead).words}",
        )


def _measured(planned: Campaign) -> list[Row]:
    silent = loop.Screen(lambda _: None, lambda _: None, lambda _: None)
    return loop.measure(planned, analysis.estimate, silent).progress.rows


def _campaign(number: int, budget_s: float, results: Path) -> Campaign:
    """Always the whole budget: stopping at a narrow interval is another question."""
    recipe = campaign.Recipe("rocksdb", ("linkbench",), "ci", _DEVICES, "sync", seed=1000 * number)
    planned = campaign.new(recipe, results, DATA)
    only_time = {"time_budget_s": budget_s, "target_half_width": 1e-9}
    timing = planned.profile.timing.model_copy(update=only_time)
    return replace(planned, profile=planned.profile.model_copy(update={"timing": timing}))


if __name__ == "__main__":
    main(sys.argv[1:])
