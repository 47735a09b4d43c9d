"""TPC-C as a workload: its names, its size, and its texts."""

from __future__ import annotations

from ..workload import Event, Grown, Parameter, Row, Scale, Table, Unit, Workload, others

# Rows of a load (clause 4.3.3.1): 3,000 for each of ten districts.
_ORDERS_PER_WAREHOUSE = 30_000


def _data(load: Table) -> str:
    count = int(load.get("warehouses", 1))
    return f"{count:,} warehouse{'s' if count != 1 else ''}{others(load, 'warehouses')}"


def _clients(load: Table, run: Table, threads: int) -> str:
    terminals = int(run.get("terminals", 0))
    if terminals in (0, threads):
        served = "a terminal for each thread"
    else:
        served = f"{terminals:,} terminals that {threads} threads serve in turn"
    if threads <= int(load.get("warehouses", 1)):
        return served
    return f"{served}; threads that share a warehouse get in each other's way"


def _progress(event: Event) -> str:
    done, seconds = f"{event['warehouses']:,} of {event['of']:,}", event["seconds"]
    return f"{done} warehouses, {event['rows']:,} rows in {seconds:.0f} s"


def _loaded(event: Event) -> str:
    rows = sum(event["rows"].values())
    return f"{rows:,} rows of {event['warehouses']:,} warehouses in {event['seconds']:.1f} s"


def _shrink(
    load: Table, run: Table, share: float, threads: int
) -> tuple[dict[str, Parameter], Table]:
    """Shrink the scale, and keep the terminals a multiple of the threads."""
    small, works = dict(load), dict(run)
    small["warehouses"] = max(1, round(int(small["warehouses"]) * share))
    if "terminals" in works:
        works["terminals"] = threads * max(1, round(int(works["terminals"]) * share / threads))
    return small, works


def _orders(row: Row) -> float | None:
    if not row.get("warehouses") or row.get("new_orders_committed") is None:
        return None
    return float(row["new_orders_committed"] / (_ORDERS_PER_WAREHOUSE * row["warehouses"]))


WORKLOADS = (
    Workload(
        name="tpcc",
        title="TPC-C",
        unit=Unit("tpmC", 60.0, "transaction", "New-Order"),
        audited=True,
        column_families=12,
        writes=("NEW_ORDER", "PAYMENT", "DELIVERY"),
        says=("isolation", "paced", "warehouses"),
        scale=Scale("warehouses", "warehouse", "warehouses", _shrink, fixed_mb=9),
        grown=Grown("orders", _orders),
        clone_growth=1.0,
        written_mib_per_s=50,  # with compactions; a third of it in sessions too short for any
        data=_data,
        progress=_progress,
        loaded=_loaded,
        clients=_clients,
    ),
)
