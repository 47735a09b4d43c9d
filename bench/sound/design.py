"""Interleaved slices against serial blocks, at equal total time. `python -m waltax.bench design`

On LinkBench. Both designs take as many slices of fresh clones; only the order differs. Serial:
all slices of one cell, then all of the other. Interleaved: rounds in random order. The designs
take turns, and the same estimator reads both.
"""

from __future__ import annotations

import contextlib
import random
import statistics
from pathlib import Path

from rich.console import Console
from rich.table import Table

from ... import analysis
from ...driver.cells import loading
from ...evidence.rules import contradictions
from ...harness.live import Live, Position
from ...row import Row
from ...runners import observed, record
from ...runners.bring_up import bring_up
from ...runners.campaign import Campaign, Recipe
from ...terminal import Terminal
from ..homes.plain import campaign_of

_REPEATS = 6
_SLICES = 10  # of each cell, in each design, in each repeat
_WARMUP_S, _MEASURE_S = 0.2, 1.0


def main() -> None:
    recipe = Recipe("rocksdb", ("linkbench",), "quick", ("nvme",), "sync", seed=1)
    with campaign_of(recipe, "design") as plan:
        data_set = loading.prepare(plan.profile, "linkbench", plan.data_root, print)
        _compare(plan, data_set)


def _compare(plan: Campaign, data_set: Path) -> None:
    table = Table("repeat", "serial blocks", "width", "interleaved", "width")
    found: dict[str, list[float]] = {"serial": [], "interleaved": []}
    widths: dict[str, list[float]] = {"serial": [], "interleaved": []}
    for repeat in range(_REPEATS):
        shown = []
        for design in ("serial", "interleaved"):
            overhead, low, high = _estimate(_session(plan, data_set, design, repeat))
            found[design].append(overhead)
            widths[design].append(high - low)
            shown += [f"{overhead:.3f} [{low:.3f}, {high:.3f}]", f"{high - low:.3f}"]
        table.add_row(str(repeat + 1), *shown)
    console = Terminal()
    console.print(table)
    _print_ratio(console, "mean width of the 95 % interval", widths, statistics.mean)
    _print_ratio(console, "SD of the estimate between repeats", found, statistics.stdev)


def _session(plan: Campaign, data_set: Path, design: str, repeat: int) -> list[Row]:
    """The rows of one design, on clones and processes of its own."""
    with contextlib.ExitStack() as stack:
        cells = [stack.enter_context(bring_up(plan, c, data_set, repeat)) for c in plan.cells]
        for cell in cells:
            cell.measure(Position(repeat, 0, 0), plan.profile.timing.settle_s, _MEASURE_S)
        return _rows(plan, _order(cells, design, random.Random(repeat)))


def _order(cells: list[Live], design: str, draw: random.Random) -> list[Live]:
    """The cells in the order in which their slices are taken."""
    if design == "serial":
        first, second = draw.sample(cells, 2)
        return [first] * _SLICES + [second] * _SLICES
    return [cell for _ in range(_SLICES) for cell in draw.sample(cells, len(cells))]


def _rows(plan: Campaign, order: list[Live]) -> list[Row]:
    """Measure in this order; the n-th slices of the two cells make round n."""
    rows: list[Row] = []
    taken: dict[str, int] = {}
    for number, cell in enumerate(order):
        turn = taken[cell.cell.id] = taken.get(cell.cell.id, -1) + 1
        at = Position(0, turn, number)
        measured = cell.measure(at, _WARMUP_S, _MEASURE_S)
        seen = observed.observed(cell, measured)
        found = contradictions(cell.cell, cell.placement.emulated, seen)
        assert not found, found
        rows.append(record.accepted(plan, cell, at, measured))
    return rows


def _estimate(rows: list[Row]) -> tuple[float, float, float]:
    (estimate,) = [e for e in analysis.estimate(rows) if e.overhead is not None]
    assert estimate.overhead is not None
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.overhead, estimate.low, estimate.high


def _print_ratio(
    console: Console, what: str, by_design: dict[str, list[float]], statistic: object
) -> None:
    assert callable(statistic)
    serial, interleaved = (statistic(by_design[d]) for d in ("serial", "interleaved"))
    console.print(
        f"{what}: serial {serial:.4f}, interleaved {interleaved:.4f}, "
        f"ratio {serial / interleaved:.1f}"
    )


if __name__ == "__main__":
    main()
