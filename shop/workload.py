"""Customers, products and orders: a study's transactions on data below, at and above memory."""

from __future__ import annotations

from ..workload import Event, Parameter, Scale, Table, Unit, Workload, others

BYTES_PER_ROW = 317.2
"""By the types of the columns: 40 % customers of 187, 20 % products of 1148, 40 % orders of 32."""
_FEWEST = 1_000  # rows, so that each table has some to draw from


def _data(load: Table) -> str:
    if "rows" not in load:
        return f"the program's own number of rows{others(load)}"
    rows = int(load["rows"])
    return f"{rows:,} rows of {rows * BYTES_PER_ROW / 1e6:,.0f} MB{others(load, 'rows')}"


def _progress(event: Event) -> str:
    return f"{event['rows']:,} of {event['of']:,} rows in {event['seconds']:.0f} s"


def _loaded(event: Event) -> str:
    return f"{event['rows']:,} rows in {event['seconds']:.1f} s"


def _shrink(
    load: Table, run: Table, share: float, _threads: int
) -> tuple[dict[str, Parameter], Table]:
    return {**load, "rows": max(_FEWEST, round(int(load["rows"]) * share))}, run


WORKLOAD = Workload(
    name="shop",
    title="Shop (customers, products, orders)",
    unit=Unit("transactions/s", 1.0, "transaction"),
    asked_only=True,
    column_families=5,
    writes=("NEW-ORDER", "SET-QUANTITY"),
    epoch_s=1.0,
    says=("known_share", "load_order", "logical_bytes", "working_set_bytes"),
    scale=Scale("rows", "row", "rows", _shrink, in_bytes=True),
    clone_growth=2.0,
    written_mib_per_s=20,
    data=_data,
    progress=_progress,
    loaded=_loaded,
)
WORKLOADS = (WORKLOAD,)
