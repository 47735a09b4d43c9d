"""What the workload did in a cell: how its database grew, its conflicts, the inputs it drew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ... import workloads
from ...base.inputs import FAIL, PASS, SKIP, Verdict, judge
from ...cell import Cell
from ...row import Row
from .sums import Sums


@dataclass(frozen=True)
class Activity:
    """Over a cell's accepted slices, warm-up included. None: not recorded.

    `data_growth` and `grown` are fractions, of the session in which it grew most. The database is
    tables and memtables, and holds versions that were superseded, too; `grown` is what the
    workload itself loads and inserts, called `grown_what`: "orders".
    """

    isolation: str | None
    data_growth: float | None
    grown_what: str
    grown: float | None
    conflicts_per_thousand_requests: float | None
    inputs: tuple[Verdict, ...]  # a verdict per rule of the specification, all slices together

    @property
    def failed_inputs(self) -> tuple[Verdict, ...]:
        return tuple(one for one in self.inputs if one.verdict == FAIL)

    def input_counts(self) -> dict[str, int]:
        """How many rules passed, failed and were skipped, in this order."""
        words = [one.verdict for one in self.inputs]
        return {word: words.count(word) for word in (PASS, FAIL, SKIP)}


def activity_of(cell: Cell, rows: Sequence[Row]) -> Activity:
    """What the rows of a cell with status ok say of the workload."""
    accepted = [one for one in rows if one["status"] == "ok"]
    isolation = Sums(accepted).first("isolation")
    grown = workloads.of(cell.workload).grown
    retried = [one for one in accepted if "retries" in one and one.get("slice_requests")]
    return Activity(
        isolation=None if isolation is None else str(isolation),
        data_growth=_data_growth(accepted),
        grown_what=grown.what if grown else "",
        grown=_most_added(accepted, [grown.share(one) for one in accepted]) if grown else None,
        conflicts_per_thousand_requests=Sums(retried).over(["retries"], "slice_requests", 1000),
        inputs=tuple(judge(rule for one in accepted for rule in one.get("inputs") or ())),
    )


def _data_growth(accepted: Sequence[Row]) -> float | None:
    """Every session starts from the loaded data, so that its last slice has grown most."""
    last: dict[tuple[str, int], Row] = {}
    for one in sorted(accepted, key=lambda one: int(one["round"])):
        last[one["campaign"], one["session"]] = one
    grown = [
        one["data_bytes"] / one["data_bytes_loaded"] - 1
        for one in last.values()
        if one.get("data_bytes") is not None and one.get("data_bytes_loaded")
    ]
    return max(grown, default=None)


def _most_added(accepted: Sequence[Row], shares: Sequence[float | None]) -> float | None:
    """What the slices of a session insert adds up."""
    added: dict[tuple[str, int], float] = {}
    for one, share in zip(accepted, shares, strict=True):
        if share is not None:
            session = one["campaign"], one["session"]
            added[session] = added.get(session, 0.0) + share
    return max(added.values(), default=None)
