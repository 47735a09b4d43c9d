"""The driver's ceiling on LinkBench over a store that does nothing, and its share of a real run.

`python -m bench driver`
"""

from __future__ import annotations

import statistics

from waltax.base import proc
from waltax.base.terminal import Terminal
from waltax.driver.argv import command_line
from waltax.driver.client import Driver, Event
from waltax.profiles import load
from waltax.runners.campaign import Recipe
from waltax.runners.cells.driver import loading
from waltax.runners.cells.live import Position
from waltax.runners.lives import bring_up

from ..homes.plain import campaign_of, home

_SLICE_S = 2.0
_REPEATS = 5
# LinkBench in Java over its dummy store, on a machine like the one this was written on.
_JAVA_PER_CPU_S = 2.35e6


def main() -> None:
    console = Terminal()
    ceiling = statistics.median(_null_per_cpu_s() for _ in range(_REPEATS))
    console.print(
        f"null store: {ceiling / 1e6:.2f} M operations per CPU-second "
        f"({ceiling / _JAVA_PER_CPU_S:.1f} times the Java original's 2.35 M)",
        soft_wrap=True,
    )
    per_request_us = statistics.median(_embedded_cpu_us() for _ in range(3))
    share = 1e6 / ceiling / per_request_us
    console.print(
        f"embedded, WAL off: {per_request_us:.2f} us CPU per request; "
        f"the driver's share of it is {100 * share:.1f} %",
        soft_wrap=True,
    )


def _null_per_cpu_s() -> float:
    """One slice of one thread over the null store."""
    with home("driver") as folder:
        argv = command_line(
            *(proc.program("linkbench"), "run"),
            {**load("quick").workload("linkbench").load, "store": "null"},
        )
        driver = Driver("null store", argv, log=folder / "stderr")
        driver.wait_for("ready", within_s=60)
        event = driver.ask("slice", within_s=_SLICE_S, cmd="run", warmup_s=0.2, measure_s=_SLICE_S)
        driver.close()
        return float(event["slice_requests"]) / _cpu_s(event)


def _embedded_cpu_us() -> float:
    recipe = Recipe("rocksdb", ("linkbench",), "quick", (), "sync", seed=1)
    with campaign_of(recipe, "driver") as plan:
        data_set = loading.prepare(plan.profile, "linkbench", plan.data_root, print)
        with bring_up(plan, plan.cells[0], data_set, 0) as cell:
            event = cell.measure(Position(0, 0, 0), plan.profile.timing.settle_s, _SLICE_S).slice
    return 1e6 * _cpu_s(event) / float(event["slice_requests"])


def _cpu_s(event: Event) -> float:
    return float(event["cpu_user_s"]) + float(event["cpu_system_s"])


if __name__ == "__main__":
    main()
