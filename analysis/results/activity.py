"""What the workload did in a cell: database growth, conflicts, and the inputs that it drew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ... import workloads
from ...base.inputs import FAIL, Verdict, judge
from ...cell import Cell
from ...row import Row
from .sums import Sums


@dataclass(frozen=True)
class Activity:
    """Figures over a cell's accepted slices, warm-up included. None: not recorded.

    `data_growth` and `grown` are fractions, taken from the session with the largest growth. The
    database is tables and memtables, superseded versions included; `grown` is what the workload
    itself loads and inserts, called `grown_what`: "orders".
    """

    isolation: str | None
    data_growth: float | None
    grown_what: str
    grown: float | None
    conflicts_per_thousand_requests: float | None
    inputs: tuple[Verdict, ...]  # a verdict per rule of the specification, over all slices

    @property
    def failed_inputs(self) -> tuple[Verdict, ...]:
        return tuple(verdict for verdict in self.inputs if verdict.verdict == FAIL)


def activity_of(cell: Cell, rows: Sequence[Row]) -> Activity:
    """Return what the accepted rows of a cell say about the workload."""
    accepted = [row for row in rows if row["status"] == "ok"]
    isolation = Sums(accepted).first("isolation")
    grown = workloads.of(cell.workload).grown
    retried = [row for row in accepted if "retries" in row and row.get("slice_requests")]
    return Activity(
        isolation=None if isolation is None else str(isolation),
        data_growth=_data_growth(accepted),
        grown_what=grown.what if grown else "",
        grown=_most_added(accepted, [grown.share(row) for row in accepted]) if grown else None,
        conflicts_per_thousand_requests=Sums(retried).over(["retries"], "slice_requests", 1000),
        inputs=tuple(judge(rule for row in accepted for rule in row.get("inputs") or ())),
    )


def _data_growth(accepted: Sequence[Row]) -> float | None:
    """Return the largest growth at the end of a session; each starts from the loaded data."""
    last: dict[tuple[str, int], Row] = {}
    for row in sorted(accepted, key=lambda row: int(row["round"])):
        last[row["campaign"], row["session"]] = row
    grown = [
        row["data_bytes"] / row["data_bytes_loaded"] - 1
        for row in last.values()
        if row.get("data_bytes") is not None and row.get("data_bytes_loaded")
    ]
    return max(grown, default=None)


def _most_added(accepted: Sequence[Row], shares: Sequence[float | None]) -> float | None:
    """Return the largest share that the slices of one session inserted together."""
    added: dict[tuple[str, int], float] = {}
    for row, share in zip(accepted, shares, strict=True):
        if share is not None:
            session = row["campaign"], row["session"]
            added[session] = added.get(session, 0.0) + share
    return max(added.values(), default=None)
