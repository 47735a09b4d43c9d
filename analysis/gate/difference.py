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
from dataclasses import dataclass, replace

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

    `points` is the new overhead less the base's, each against its own baseline, and `ratio` the new
    throughput over the base's, as far as both know them; the intervals hold for all compared cells
    of two campaigns at once. `rounds` counts the rounds that both have. A gate adds its `outcome`
    and perhaps a reason; its `threshold` is the larger of the smallest effect that matters and the
    `floor`, which is None if it was not measured.
    """

    base: CellResult | None
    new: CellResult | None
    points: Interval = NOTHING
    ratio: Interval = NOTHING
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
        return self.points if name == OVERHEAD else self.ratio.mapped(lambda ratio: ratio - 1)

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
    points, ratio = NOTHING, panel.ratio(new.at, base.at)
    if not (base.is_baseline or base.failed or new.failed):
        first, second = (
            (panel.values(cell.at), panel.values(cell.at.baseline)) for cell in (base, new)
        )
        points = stats.difference_of_ratios(first, second, panel.by)
    rounds = int(panel.matched(new.at, base.at).sum())
    return Compared(base, new, points, ratio if ratio.value else NOTHING, rounds)


def compared(
    base: Sequence[Row], new: Sequence[Row], devices: Sequence[str] = ()
) -> list[Compared]:
    """Return every cell of both campaigns, or those on `devices`; the new one's come first.

    Errors: as `panels`.
    """
    # Campaigns that are compared have draws in different orders.
    ours, theirs = (_measured(rows, seed, devices) for seed, rows in enumerate((base, new), 1))
    known: dict[str, dict[str, Interval]] = {}
    for name in MEASURES:
        drawn = {
            cell: _less(levels[name], ours[cell][1][name])
            for cell, (_, levels) in theirs.items()
            if name in levels and cell in ours and name in ours[cell][1]
        }
        together = stats.at_once(list(drawn.values()))
        known[name] = {cell: apart.difference(together) for cell, apart in drawn.items()}
    return [
        Compared(
            ours[cell][0] if cell in ours else None,
            theirs[cell][0] if cell in theirs else None,
            known[OVERHEAD].get(cell, NOTHING),
            known[THROUGHPUT].get(cell, NOTHING).mapped(math.exp),
        )
        for cell in {**theirs, **ours}
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
                cells[result.cell] = (
                    result,
                    {
                        name: replace(level, logs=level.logs[order])
                        for name, level in levels(result).items()
                    },
                )
    return cells


def levels(result: CellResult) -> dict[str, Drawn]:
    """Return the known levels of a cell by their measures; draws are deviations from them."""
    if result.failed:
        return {}
    panel, known = result.panel, {}
    ratio = panel.draws(result.at, result.at.baseline)
    if not result.is_baseline and ratio.value is not None:
        drawn = ratio.value * (1 - np.exp(ratio.logs))
        known[OVERHEAD] = Drawn(1 - ratio.value, drawn, ratio.freedom)
    values = panel.values(result.at)
    rate = stats.draws(values, np.ones_like(values), panel.by)
    if rate.value:
        known[THROUGHPUT] = replace(rate, value=math.log(rate.value))
    return known


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
