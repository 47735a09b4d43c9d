"""The driver's ceiling on LinkBench over a store that does nothing, and its share of a real run.

`python -m waltax.bench.driver`
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
from pathlib import Path

from rich.console import Console

from .. import proc
from ..driver.argv import run_argv
from ..profiles import load
from ..runners import alive, campaign, dataset, lock
from ..runners.process import Driver, Event
from ..runners.workspace import workspace

_ROOT = Path(__file__).parent.parent
_SLICE_S = 2.0
_REPEATS = 5
# LinkBench in Java over its dummy store, on a machine like the one this was written on.
_JAVA_PER_CPU_S = 2.35e6


def main() -> None:
    console = Console()
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
    home = Path(tempfile.mkdtemp(prefix="waltax-bench-"))
    try:
        argv = run_argv(
            proc.program("linkbench"),
            home,
            home,
            threads=1,
            seed=1,
            parameters={**load("quick").workload("linkbench").load, "store": "null"},
        )
        driver = Driver("null store", argv, log=home / "stderr")
        driver.wait_for("ready", within_s=60)
        event = driver.ask("slice", within_s=_SLICE_S, cmd="run", warmup_s=0.2, measure_s=_SLICE_S)
        driver.close()
        return float(event["slice_requests"]) / _cpu_s(event)
    finally:
        shutil.rmtree(home)


def _embedded_cpu_us() -> float:
    recipe = campaign.Recipe("rocksdb", ("linkbench",), "quick", (), "sync", seed=1)
    plan = campaign.new(recipe, _ROOT / "results", _ROOT / "data")
    with lock.only_campaign(plan.id), workspace(plan), lock.borrowed(plan.folder):
        data_set = dataset.prepare(plan.profile, "linkbench", plan.data_root, print)
        with alive.alive(plan, plan.cells[0], data_set, seed=1) as cell:
            event = cell.measure(plan.profile.timing.settle_s, _SLICE_S).slice
    return 1e6 * _cpu_s(event) / float(event["slice_requests"])


def _cpu_s(event: Event) -> float:
    return float(event["cpu_user_s"]) + float(event["cpu_system_s"])


if __name__ == "__main__":
    main()
