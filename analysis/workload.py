"""What the workload did in a cell: how its database grew, its conflicts, the inputs it drew."""

from __future__ import annotations

from dataclasses import dataclass

from ..inputs import FAIL, PASS, SKIP, Verdict, judge
from ..row import Row

# TPC-C loads so many (clause 4.3.3.1): 3,000 for each of ten districts.
_ORDERS_PER_WAREHOUSE = 30_000


@dataclass(frozen=True)
class CellWorkload:
    """Over a cell's accepted slices, warm-up included. None: not recorded."""

    isolation: str | None
    # As fractions, of the session in which it grew most. The database is tables and memtables,
    # and holds versions that were superseded, too; orders are what TPC-C loads and inserts.
    data_growth: float | None
    orders_growth: float | None
    conflicts_per_thousand_requests: float | None
    inputs: tuple[Verdict, ...]  # a verdict per rule of the specification, all slices together

    @property
    def failed_inputs(self) -> tuple[Verdict, ...]:
        return tuple(one for one in self.inputs if one.verdict == FAIL)

    def input_counts(self) -> dict[str, int]:
        """How many rules passed, failed and were skipped, in this order."""
        words = [one.verdict for one in self.inputs]
        return {word: words.count(word) for word in (PASS, FAIL, SKIP)}


def of_cell(rows: list[Row], cell: str) -> CellWorkload:
    accepted = [one for one in rows if one["cell"] == cell and one["status"] == "ok"]
    return CellWorkload(
        isolation=next((one["isolation"] for one in accepted if one.get("isolation")), None),
        data_growth=_growth(accepted),
        orders_growth=_orders_growth(accepted),
        conflicts_per_thousand_requests=_conflicts(accepted),
        inputs=tuple(judge(rule for one in accepted for rule in one.get("inputs") or ())),
    )


def _growth(accepted: list[Row]) -> float | None:
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


def _orders_growth(accepted: list[Row]) -> float | None:
    """What the slices of a session insert adds up."""
    inserted: dict[tuple[str, int], float] = {}
    for one in accepted:
        if one.get("warehouses") and one.get("new_orders_committed") is not None:
            session = one["campaign"], one["session"]
            share = one["new_orders_committed"] / (_ORDERS_PER_WAREHOUSE * one["warehouses"])
            inserted[session] = inserted.get(session, 0.0) + share
    return max(inserted.values(), default=None)


def _conflicts(accepted: list[Row]) -> float | None:
    known = [one for one in accepted if "retries" in one and one.get("slice_requests")]
    if not known:
        return None
    requests = sum(one["slice_requests"] for one in known)
    return float(1000 * sum(one["retries"] for one in known) / requests)
