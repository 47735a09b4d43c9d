"""How far two cells are apart, with intervals: in the rounds of one campaign, or in two campaigns.

Each of two campaigns has a level for every cell, with draws of its own bootstrap that Student's t
already stretched. The campaigns are independent, so the draws of both are paired in random order,
and the spread of their differences is the interval's, as in the method of variance estimates
recovery (Zou and Donner, 2008). The cells of one comparison group share an order, and so keep their
correlation, which max-T needs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ...row import Row
from .. import stats
from ..results import CellResult, Panel, of_panel, panels
from ..stats import NOTHING, Drawn, Interval

OVERHEAD, THROUGHPUT = "overhead", "throughput"
MEASURES = (OVERHEAD, THROUGHPUT)
"""An overhead is a fraction; the level of throughput is its logarithm."""
WORSE = {OVERHEAD: 1, THROUGHPUT: -1}
"""The sign of a change for the worse."""


@dataclass(frozen=True, eq=False)
class Measured:
    """A cell of a campaign, and its level in each known measure.

    The draws of a level are deviations from it, NaN if unknown.
    """

    result: CellResult
    levels: Mapping[str, Drawn]

    def level(self, name: str) -> float:
        """Return the value of a known level."""
        value = self.levels[name].value
        assert value is not None
        return value


@dataclass(frozen=True, eq=False)
class Difference:
    """New minus base in one measure; `at_once` holds for all compared cells simultaneously."""

    alone: Interval
    at_once: Interval

    @property
    def value(self) -> float:
        return self.alone.value or 0.0


@dataclass(frozen=True, eq=False)
class Compared:
    """Two cells: of two campaigns, or of one campaign, in whose rounds they took turns.

    Differences cover the measures that both know. `rounds` counts the rounds that both have.
    """

    base: CellResult | None
    new: CellResult | None
    differences: Mapping[str, Difference] = field(default_factory=dict)
    rounds: int = 0

    @property
    def result(self) -> CellResult:
        """The result that names it."""
        measured = self.new or self.base
        assert measured is not None
        return measured

    @property
    def cell(self) -> str:
        return self.result.cell

    @property
    def failed(self) -> list[CellResult]:
        return [result for result in (self.base, self.new) if result is not None and result.failed]

    def said(self, name: str) -> Difference:
        """Return the difference in one measure for a report: for throughput, a fraction of the
        base's.
        """
        known = self.differences.get(name, Difference(NOTHING, NOTHING))
        if name != THROUGHPUT:
            return known
        return Difference(known.alone.mapped(math.expm1), known.at_once.mapped(math.expm1))

    @property
    def ratio(self) -> Interval:
        """The throughput over the base's."""
        known = self.differences.get(THROUGHPUT, Difference(NOTHING, NOTHING))
        return known.at_once.mapped(math.exp)

    @property
    def points(self) -> Interval:
        """The overhead less the base's, a fraction, each against its own baseline."""
        return self.said(OVERHEAD).at_once

    @property
    def faster(self) -> str:
        """A word for how the two differ; empty if nothing is known."""
        if self.failed:
            return "no result"
        side = {1: "faster", -1: "slower", 0: "not told apart", None: ""}
        return side[self.ratio.side(1)]


def turns(panel: Panel, base: CellResult, new: CellResult) -> Compared:
    """Compare two cells of one panel, which may hold the cells of several comparisons.

    The machine's drift is in neither difference, because it affects both cells of a round alike.
    That of overheads has the same bootstrap, over rounds in which all four cells have a slice.
    """
    ratio, apart = panel.ratio(new.at, base.at), NOTHING
    if not (base.is_baseline or base.failed or new.failed):
        apart = stats.difference_of_ratios(
            (panel.values(base.at), panel.values(base.at.baseline)),
            (panel.values(new.at), panel.values(new.at.baseline)),
            panel.by,
        )
    known = {OVERHEAD: apart, THROUGHPUT: ratio.mapped(math.log) if ratio.value else NOTHING}
    differences = {name: Difference(at, at) for name, at in known.items() if at.value is not None}
    return Compared(base, new, differences, int(panel.matched(new.at, base.at).sum()))


def measured(rows: Sequence[Row], seed: int = 0) -> dict[str, Measured]:
    """Return the levels of every cell, by its id. Errors: as `panels`.

    `seed` decides the order of the draws; campaigns that are compared must have different ones.
    """
    cells: dict[str, Measured] = {}
    for number, panel in enumerate(panels(rows)):
        draws = panel.by.weights.shape[0]
        order = np.random.default_rng([stats.SEED, seed, number]).permutation(draws)
        for result in of_panel(panel):
            levels = {} if result.failed or result.uneven else _levels(panel, result)
            shuffled = {
                name: replace(level, logs=level.logs[order]) for name, level in levels.items()
            }
            cells[result.cell] = Measured(result, shuffled)
    return cells


def compared(
    base: Sequence[Row],
    new: Sequence[Row],
    names: Sequence[str] = MEASURES,
    devices: Sequence[str] = (),
) -> list[Compared]:
    """Return every cell of both campaigns, or those on `devices`; the new one's come first.

    Errors: as `panels`.
    """
    ours, theirs = (
        {
            cell: level
            for cell, level in measured(rows, seed).items()
            if not devices or level.result.device in devices
        }
        for rows, seed in ((base, 1), (new, 2))
    )
    differences: dict[str, dict[str, Difference]] = {cell: {} for cell in (*theirs, *ours)}
    for name in names:
        drawn = {
            cell: _less(level.levels[name], ours[cell].levels[name])
            for cell, level in theirs.items()
            if cell in ours and name in level.levels and name in ours[cell].levels
        }
        together = stats.at_once(list(drawn.values()))
        for cell, ratio in drawn.items():
            differences[cell][name] = Difference(ratio.difference(), ratio.difference(together))
    results = [{cell: level.result for cell, level in side.items()} for side in (ours, theirs)]
    return [
        Compared(results[0].get(cell), results[1].get(cell), of) for cell, of in differences.items()
    ]


def _less(new: Drawn, base: Drawn) -> Drawn:
    """Return the difference with its draws, and Satterthwaite's degrees of freedom for both."""
    assert new.value is not None
    assert base.value is not None
    squares = []
    for drawn in (new, base):
        ends, quantile = drawn.ends(), stats.quantile(drawn.freedom)
        squares.append(0.0 if ends is None else ((ends[1] - ends[0]) / quantile) ** 2)
    parts = squares[0] ** 2 / new.freedom + squares[1] ** 2 / base.freedom
    freedom = sum(squares) ** 2 / parts if parts else math.inf
    return Drawn(new.value - base.value, new.logs - base.logs, freedom)


def _levels(panel: Panel, result: CellResult) -> dict[str, Drawn]:
    cell, mine = result.at, panel.values(result.at)
    levels: dict[str, Drawn] = {}
    rate = stats.draws(mine, np.ones_like(mine), panel.by)
    if rate.value:
        levels[THROUGHPUT] = Drawn(math.log(rate.value), rate.logs, rate.freedom)
    if result.is_baseline or result.overhead is None:
        return levels
    ratio = panel.draws(cell, cell.baseline)
    if ratio.value is None:
        return levels
    drawn = ratio.value * (1 - np.exp(ratio.logs))
    levels[OVERHEAD] = Drawn(1 - ratio.value, drawn, ratio.freedom)
    return levels
