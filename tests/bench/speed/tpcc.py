"""What TPC-C costs a core without any WAL, and where its transactions meet.

`python -m bench tpcc`: New-Orders per minute and core on RocksDB with the WAL off, the driver's
share of the CPU time, and conflicts per thousand transactions.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rich.table import Table
from waltax.base.folders import removal
from waltax.base.terminal import Terminal
from waltax.driver.argv import Parameters
from waltax.driver.client import Event

from ..homes import tpcc as tpcc_home

_SLICE_S = 10.0
_WARMUP_S = 3.0
# A throw-away driver without string checks, histograms or retries, on a machine like the one
# this was written on.
_PROBE_PER_CORE = 120_000.0


@dataclass(frozen=True)
class _Scenario:
    warehouses: int
    threads: int


_SCENARIOS = (
    _Scenario(10, 1),
    _Scenario(10, 2),
    _Scenario(10, 10),
    _Scenario(1, 10),
)


def main() -> None:
    console = Terminal(width=120)
    table = Table(
        *("warehouses", "threads", "tpmC", "per core", "of the probe", "CPU ms"),
        *("driver %", "conflicts"),
        box=None,
    )
    with tpcc_home.home("tpcc") as home:
        for scenario in _SCENARIOS:
            table.add_row(*_figures(scenario, home))
    console.print(table)
    console.print(
        "Per core: New-Orders per minute of CPU time. CPU ms: of everything, for each "
        "New-Order. Conflicts: per thousand transactions."
    )


def _figures(scenario: _Scenario, home: Path) -> list[str]:
    ready, event = _measured(scenario, home)
    orders_per_s = event["throughput"] / 60
    # CPU time spans the warm-up, too: scale the measured rate to the slice's requests.
    orders = orders_per_s * event["measure_s"] * event["slice_requests"] / event["requests"]
    cpu_s = event["cpu_user_s"] + event["cpu_system_s"]
    per_core = 60 * orders / cpu_s
    driver_s = ready["generator_cpu_us_per_op"] * event["slice_requests"] / 1e6
    thousands = event["slice_requests"] / 1e3
    return [
        str(scenario.warehouses),
        str(scenario.threads),
        f"{event['throughput']:,.0f}",
        f"{per_core:,.0f}",
        f"{per_core / _PROBE_PER_CORE:.2f}",
        f"{1e3 * cpu_s / orders:.3f}",
        f"{100 * driver_s / cpu_s:.1f}",
        f"{event['retries'] / thousands:.3f}",
    ]


def _measured(scenario: _Scenario, home: Path) -> tuple[Event, Event]:
    """One long slice of a fresh process on fresh data: its `ready` and its `slice`."""
    db = home / "db"
    removal.tree(db)
    tpcc_home.fill(home, db, scenario.warehouses)
    parameters: Parameters = {"warehouses": scenario.warehouses, "durability": "off"}
    parameters = {**parameters, "block_cache_mb": 1024}
    driver, ready = tpcc_home.start(
        home, db, db, threads=scenario.threads, seed=1, parameters=parameters
    )
    times = {"warmup_s": _WARMUP_S, "measure_s": _SLICE_S}
    event = driver.ask("slice", within_s=sum(times.values()), cmd="run", **times)
    driver.close()
    return ready, event


if __name__ == "__main__":
    main()
