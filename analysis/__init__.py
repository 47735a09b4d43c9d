"""Rows to overheads with intervals, tables, figures, reports. Reads rows and nothing else.

    rows = load([Path("results/20240101-linkbench-quick")])
    for one in estimate(rows): print(one.device, one.overhead, one.low, one.high)

`load` and `estimate` need numpy and a corner of scipy; what draws is imported when called.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..row import Row
from .overhead import CellEstimate, estimate, every_cell
from .reading import load

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

__all__ = [
    "CellEstimate",
    "compare",
    "estimate",
    "every_cell",
    "live_table",
    "load",
    "paper_table",
    "report",
]


def live_table(rows: list[Row]) -> RenderableType:
    """The overheads so far, to be redrawn while a campaign runs."""
    from . import table

    return table.live_table(rows)


def report(
    campaigns: Sequence[Path],
    console: Console,
    *,
    stop_reason: str | None = None,
    target_half_width: float | None = None,
) -> None:
    """Print the table of these campaigns; of a single one, write summary and figures too."""
    from . import reports

    reports.write(campaigns, console, stop_reason=stop_reason, target_half_width=target_half_width)


def paper_table(campaigns: Sequence[Path], console: Console) -> None:
    """Print the paper's table beside the rows of these campaigns, cell by cell.

    Errors: UsageError when the rows are not of the paper's engine.
    """
    from . import paper

    paper.print_beside(load(campaigns), console)


def compare(campaign: Path, a: str, b: str, console: Console) -> None:
    """Print throughput(a) / throughput(b) with its interval, a sentence per comparison group."""
    from ..terminal import say
    from . import comparison

    for found in comparison.compare(load([campaign]), a, b):
        say(console, found.sentence())
