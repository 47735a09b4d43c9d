"""How far two cells are apart, with intervals: in the rounds of one campaign, or in two campaigns.

Each of two campaigns has a level for every cell, with draws of its own bootstrap that Student's t
already stretched. The campaigns are independent, so the draws of both are paired in random order,
and the spread of their differences is the interval's, as in the method of variance estimates
recovery (Zou and Donner, 2008). The cells of one comparison group share an order, and so keep their
correlation, which max-T needs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ...row import Row
from .. import stats
from ..results import CellResult, Panel, of_panel, panels
from ..stats import NOTHING, Drawn, Interval

OVERHEAD, THROUGHPUT = "overhead", "throughput"
MEASURES = (OVERHEAD, THROUGHPUT)
"""An overhead is a fraction; the level of throughput is its logarithm."""


@dataclass(frozen=True, eq=False)
class Compared:
    """Two cells: of two campaigns, or of one campaign, in whose rounds they took turns.

    Differences are new minus base in each measure that both know, with intervals that hold for all
    compared cells of two campaigns at once. `rounds` counts the rounds that both have. A gate
    adds its `outcome` and perhaps a reason; its `threshold` is the larger of the smallest effect
    that matters and the `floor`, which is None if it was not measured.
    """

    base: CellResult | None
    new: CellResult | None
    differences: Mapping[str, Interval] = field(default_factory=dict)
    rounds: int = 0
    outcome: str = ""
    why: str = ""
    threshold: float = 0.0
    floor: float | None = None

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

    def said(self, name: str) -> Interval:
        """Return the difference in one measure for a report: for throughput, a fraction of the
        base's.
        """
        known = self.differences.get(name, NOTHING)
        return known.mapped(math.expm1) if name == THROUGHPUT else known

    @property
    def ratio(self) -> Interval:
        """The throughput over the base's."""
        return self.differences.get(THROUGHPUT, NOTHING).mapped(math.exp)

    @property
    def points(self) -> Interval:
        """The overhead less the base's, a fraction, each against its own baseline."""
        return self.said(OVERHEAD)

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
    differences = {name: at for name, at in known.items() if at.value is not None}
    return Compared(base, new, differences, int(panel.matched(new.at, base.at).sum()))


def compared(
    base: Sequence[Row],
    new: Sequence[Row],
    names: Sequence[str] = MEASURES,
    devices: Sequence[str] = (),
) -> list[Compared]:
    """Return every cell of both campaigns, or those on `devices`; the new one's come first.

    Errors: as `panels`.
    """
    # Campaigns that are compared have draws in different orders.
    ours, theirs = (_measured(rows, seed, devices) for seed, rows in enumerate((base, new), 1))
    differences: dict[str, dict[str, Interval]] = {cell: {} for cell in (*theirs, *ours)}
    for name in names:
        drawn = {
            cell: _less(levels[name], ours[cell][1][name])
            for cell, (_, levels) in theirs.items()
            if name in levels and cell in ours and name in ours[cell][1]
        }
        together = stats.at_once(list(drawn.values()))
        for cell, ratio in drawn.items():
            differences[cell][name] = ratio.difference(together)
    results = [{cell: result for cell, (result, _) in side.items()} for side in (ours, theirs)]
    return [
        Compared(results[0].get(cell), results[1].get(cell), of) for cell, of in differences.items()
    ]


def _measured(
    rows: Sequence[Row], seed: int, devices: Sequence[str]
) -> dict[str, tuple[CellResult, Mapping[str, Drawn]]]:
    """Return each cell's result, and its levels in the known measures, in shuffled draws."""
    cells: dict[str, tuple[CellResult, Mapping[str, Drawn]]] = {}
    for number, panel in enumerate(panels(rows)):
        draws = panel.by.weights.shape[0]
        order = np.random.default_rng([stats.SEED, seed, number]).permutation(draws)
        for result in of_panel(panel):
            if not devices or result.device in devices:
                levels = {
                    name: replace(level, logs=level.logs[order])
                    for name, level in _levels(panel, result)
                }
                cells[result.cell] = result, levels
    return cells


def _levels(panel: Panel, result: CellResult) -> Iterator[tuple[str, Drawn]]:
    """Yield the known levels of a cell, whose draws are deviations from them."""
    if result.failed:
        return
    values = panel.values(result.at)
    rate = stats.draws(values, np.ones_like(values), panel.by)
    if rate.value:
        yield THROUGHPUT, replace(rate, value=math.log(rate.value))
    ratio = panel.draws(result.at, result.at.baseline)
    if not result.is_baseline and ratio.value is not None:
        drawn = ratio.value * (1 - np.exp(ratio.logs))
        yield OVERHEAD, Drawn(1 - ratio.value, drawn, ratio.freedom)


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
