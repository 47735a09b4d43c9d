"""What is said of receipts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...analysis.report import Part, Report, Table
    from ...receipts.runs.receipt import Receipt


def report(found: Sequence[Receipt], folder: Path) -> Report:
    """What was found, for people and for programs; its files go to `folder`."""
    from ...analysis.report import Lines, Report, Verdict

    legend = [
        "lost and acknowledged are sums over all states; lost s is the age of the oldest lost "
        "acknowledgement, the most of any state",
        f"names after a cut: {found[0].names} (docs/receipts.md)",
    ]
    parts: list[Part] = [*(Verdict(_sentence(one)) for one in found), _table(found), Lines(legend)]
    content: Mapping[str, object] = {"receipts": [asdict(one) for one in found]}
    return Report("receipts", parts, content=content, folder=folder)


_FAILURES = {"kill": "when its process is killed", "power": "in a power cut"}


def _sentence(one: Receipt) -> str:
    head, when = f"{one.device} {one.mode}", _FAILURES[one.failure]
    of = f"of {one.cuts} cuts, {one.states} states"
    broken = one.states - one.consistent
    tail = f"; {broken} states are not consistent or do not open" if broken else ""
    if not one.lost:
        return f"{head}: nothing is lost {when} ({of}){tail}."
    share = 100 * one.lost / one.acknowledged
    return (
        f"{head}: up to {one.lost_seconds:.2f} s of commits are lost {when} "
        f"({of}: {share:.0f} % of what was acknowledged){tail}."
    )


def _table(found: Sequence[Receipt]) -> Table:
    from ...analysis.report import Column, Table, numbers

    rows = [
        (
            one.mode,
            one.failure,
            f"{one.cuts}",
            f"{one.states}",
            f"{one.acknowledged:,}",
            f"{one.lost:,}",
            f"{one.lost_seconds:.2f}",
            f"{one.opens}",
            f"{one.consistent}",
        )
        for one in found
    ]
    headers = ("cuts", "states", "acknowledged", "lost", "lost s", "opens", "consistent")
    columns = [Column("mode"), Column("failure", is_text=True), *numbers(*headers)]
    return Table(
        f"{found[0].workload} on {found[0].engine}, log on {found[0].device}", columns, rows
    )
