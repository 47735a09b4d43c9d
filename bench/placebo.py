"""What the tap does beside a log: db_bench without a WAL, with an emulated device and without.

    python -m waltax.bench.placebo [--pairs N] [--device NAME]

No file is a log's, so that nothing but the emulation's machinery (its start, its hooks, any thread
of its own) can make a difference. Both sides run under the tap, one only observes; they take turns,
the order alternating. Printed are the medians of the ratios of neighbours with 95 % bootstrap
intervals, of throughput and of CPU time per operation: 1 should be within. Servers are not covered.
"""

from __future__ import annotations

import os
import re
import resource
import subprocess
import tempfile
from pathlib import Path

import click
import numpy as np
from scipy import stats

from ..devices.catalog import load
from ..devices.tap_model import render
from ..devices.tap_page import create
from ..devices.tap_preload import tap_environment

_OPERATIONS = 400_000


@click.command()
@click.option("--pairs", default=15, show_default=True, type=click.IntRange(2))
@click.option("--device", default="nvram", show_default=True, help="with a model")
def main(pairs: int, device: str) -> None:
    """Print throughput and CPU time with an emulated device that no log is on, over without."""
    found = load(device).model
    if found is None:
        raise click.UsageError(f"--device: found {device}, which has no model; name another")
    model = render(found.tap_model())
    seen = []
    for pair in range(pairs):
        first = pair % 2 == 0
        sides = {emulated: run(model if emulated else None) for emulated in (first, not first)}
        seen.append(np.divide(sides[True], sides[False]))
    for name, ratios in zip(("throughput", "CPU per operation"), np.array(seen).T, strict=True):
        low, high = stats.bootstrap((ratios,), np.median, method="percentile").confidence_interval
        print(f"{name:<20}{np.median(ratios):.4f}  [{low:.4f}, {high:.4f}]  {pairs} pairs")


def run(model: str | None) -> tuple[float, float]:
    """Run db_bench once without a WAL; return operations a second, CPU microseconds of each."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
        folder = Path(name)
        (folder / "wal").mkdir()
        (folder / "model").write_text(model or "")
        counters = create(folder / "page")
        before = _cpu_s()
        ran = subprocess.run(
            [
                *("db_bench", "--benchmarks=fillrandom", f"--num={_OPERATIONS // 4}"),
                *("--threads=4", "--disable_wal=1", f"--db={folder}/db", f"--wal_dir={folder}/wal"),
            ],
            env=os.environ
            | tap_environment(folder / "wal", folder / "page", folder / "model" if model else None),
            check=True,
            capture_output=True,
            text=True,
        )
        page = counters.snapshot()
        if not page.attached or bool(page.emulated) != (model is not None) or page.syncs:
            raise click.ClickException("the tap was not at work as this benchmark set it")
    found = re.search(r"fillrandom +: .* (\d+) ops/sec", ran.stdout)
    if found is None:
        raise click.ClickException(f"db_bench printed no throughput: {ran.stdout}")
    return float(found.group(1)), (_cpu_s() - before) / _OPERATIONS * 1e6


def _cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
