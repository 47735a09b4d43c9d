"""One run of db_bench without a WAL for `bench.placebo`: under the tap, with a model or without."""

from __future__ import annotations

import os
import re
import resource
import subprocess
import tempfile
from pathlib import Path

import click
import numpy as np
from waltax.devices.tap_page import create
from waltax.devices.tap_preload import tap_environment

_OPERATIONS = 400_000


def pair(model: bytes, emulated_first: bool) -> tuple[float, float]:
    """Throughput and CPU time per operation with the model over those without it."""
    sides = {
        emulated: run(model if emulated else None)
        for emulated in (emulated_first, not emulated_first)
    }
    throughput, cpu = np.divide(sides[True], sides[False])
    return float(throughput), float(cpu)


def run(model: bytes | None) -> tuple[float, float]:
    """Run db_bench once without a WAL; return operations a second, CPU microseconds of each."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
        folder = Path(name)
        (folder / "wal").mkdir()
        counters = create(folder / "page")
        before = _cpu_s()
        ran = subprocess.run(
            [
                *("db_bench", "--benchmarks=fillrandom", f"--num={_OPERATIONS // 4}"),
                *("--threads=4", "--disable_wal=1", f"--db={folder}/db", f"--wal_dir={folder}/wal"),
            ],
            env=os.environ | tap_environment(folder / "wal", folder / "page", model),
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
