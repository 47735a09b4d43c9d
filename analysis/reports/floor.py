"""The noise floor of a machine as a report."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from ..gate import floor as gate
from ..gate import sameness
from ..gate.difference import ADDED_US, OVERHEAD, THROUGHPUT
from ..report import Column, Report, Table, Verdict, numbers
from ..results import words


def floor(campaigns: Sequence[Path], results: Path) -> Report:
    """How far two of these equal campaigns come out apart, cell by cell.

    Its file, floor.json in `results`, is what a gate reads; what it holds of other cells and
    machines stays. Errors: as `analysis.gate.floor.measure` and `load`.
    """
    floors = gate.measure([sameness.side(folder) for folder in campaigns])
    kept = gate.read_if_there(results / gate.FILE)
    first = floors[0]
    known = [one.limits[OVERHEAD] for one in floors if OVERHEAD in one.limits]
    widest = f"{words.percent(max(known))} points of overhead" if known else "an unknown overhead"
    count = len(first.campaigns)
    rows = [
        [
            one.cell,
            words.percent(one.limits.get(OVERHEAD)),
            words.number(one.limits.get(ADDED_US)),
            words.percent(_ratio(one.limits.get(THROUGHPUT))),
        ]
        for one in floors
    ]
    return Report(
        name=Path(gate.FILE).stem,
        parts=[
            Verdict(f"Of {count} equal campaigns, 95 of 100 pairs differ by at most {widest}."),
            Table(
                f"The noise floor of {first.machine.words}",
                [Column("cell"), *numbers("overhead, points", "added us", "throughput %")],
                rows,
            ),
        ],
        content=gate.content(floors, kept),
        folder=results,
    )


def _ratio(value: float | None) -> float | None:
    """A fall of throughput whose logarithm this is."""
    return None if value is None else -math.expm1(-value)
