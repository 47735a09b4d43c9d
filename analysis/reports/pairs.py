"""Two cells that took turns in the same rounds: how far they are apart, in figures and words.

The machine's drift is in neither ratio: it falls on both cells of a round alike.
"""

from __future__ import annotations

from dataclasses import dataclass

from .. import stats
from ..numerals import percent, points, times
from ..results import CellResult, Panel
from ..stats import NOTHING, Interval


@dataclass(frozen=True, eq=False)
class Pair:
    """A cell beside a base.

    `ratio` is throughput(new) / throughput(base); `points` is overhead(new) - overhead(base), a
    fraction, each against its own baseline: nothing of baselines.
    """

    base: CellResult
    new: CellResult
    ratio: Interval
    points: Interval
    rounds: int  # in which both have a slice

    @property
    def result(self) -> CellResult:
        """The one that names it."""
        return self.base

    @property
    def failed(self) -> list[CellResult]:
        return [one for one in (self.base, self.new) if one.failed]

    @property
    def verdict(self) -> str:
        """A word: what of the two can be told apart; empty where nothing is known."""
        if self.failed:
            return "no result"
        words = {1: "faster", -1: "slower", 0: "not told apart", None: ""}
        return words[self.ratio.side(1)]


def pair(panel: Panel, base: CellResult, new: CellResult) -> Pair:
    """Both of one panel, which may hold the cells of several comparisons.

    The interval of the difference has the bootstrap of the ratio's, of the rounds in which all four
    cells have a slice.
    """
    apart = NOTHING
    if not (base.is_baseline or base.failed or new.failed):
        apart = stats.difference_of_ratios(
            (panel.values(base.at), panel.values(base.at.baseline)),
            (panel.values(new.at), panel.values(new.at.baseline)),
            panel.by,
        )
    rounds = int(panel.matched(new.at, base.at).sum())
    return Pair(base, new, panel.ratio(new.at, base.at), apart, rounds)


def throughputs(ratio: Interval, new: str, base: str) -> str:
    """What a ratio says of the throughputs of two things with these names."""
    what = f"{times(ratio, 3)} times the throughput"
    if ratio.side(1) == 0:
        return f"{new} and {base} cannot be told apart ({what})"
    return f"{new} has {what} of {base}{'' if ratio.is_known else ' (no interval)'}"


def costs(one: Pair) -> str:
    """What became of the log's cost."""
    if one.points.value is None:
        return "nothing is known of the log's cost"
    change = f"{percent(one.base.overhead)} to {percent(one.new.overhead)} %"
    signed, _, ends = points(one.points).partition(" ")
    apart = f"{signed} points {ends}"
    if not one.points.is_known:
        return f"the log's cost went from {change}: {apart}"
    if one.points.side(0) == 0:
        return f"the log's cost cannot be told apart ({change}: {apart})"
    return f"the log's cost {'rose' if one.points.value > 0 else 'fell'} from {change}: {apart}"
