"""One run of db_bench for `bench.fidelity`: synced fillrandom under the tap."""

from __future__ import annotations

import os
import re
import resource
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from waltax.base.errors import WaltaxError
from waltax.devices.resolve import SHM
from waltax.devices.tap_model import DeviceModel, packed
from waltax.devices.tap_page import TapCounters, create
from waltax.devices.tap_preload import tap_environment

_THREADS = (1, 4, 16)
_VALUES = (100, 1000, 10_000)


@dataclass(frozen=True)
class Case:
    """One load of db_bench."""

    threads: int
    value_bytes: int

    def __str__(self) -> str:
        return f"db_bench {self.threads:>2} x {self.value_bytes:>6,} B"

    @property
    def word(self) -> str:
        """As it is asked for, e.g. 4x1000."""
        return f"{self.threads}x{self.value_bytes}"


CASES = tuple(Case(threads, size) for threads in _THREADS for size in _VALUES)


@dataclass(frozen=True)
class Run:
    """What one run did; times in microseconds for each sync."""

    throughput: float
    sync_us: float
    cpu_us: float
    seen: TapCounters | None = None


def run(case: Case, seconds: int, wal_root: Path, model: DeviceModel | None, seed: int) -> Run:
    """Run db_bench once, its WAL below `wal_root`; without a model the tap only observes.

    Errors: WaltaxError when it fails, prints no throughput, or synced no WAL.
    """
    with (
        tempfile.TemporaryDirectory(dir=SHM) as data,
        tempfile.TemporaryDirectory(dir=wal_root) as wal,
    ):
        page = create(Path(data) / "page")
        words = None if model is None else packed(model, seed)
        taps = tap_environment(Path(wal), Path(data) / "page", words)
        argv = _argv(case, seconds, seed, Path(data) / "db", Path(wal))
        before = _children_cpu_s()
        done = subprocess.run(
            argv, env=os.environ | taps, check=False, capture_output=True, text=True
        )
        cpu_us = (_children_cpu_s() - before) * 1e6
        counters = page.snapshot()
    where = f"{case}, WAL below {wal_root}"
    if done.returncode != 0:
        raise WaltaxError(f"{where}: exit code {done.returncode}: {done.stderr[-500:].strip()}")
    found = re.search(r"fillrandom +: .* (\d+) ops/sec", done.stdout)
    if found is None:
        raise WaltaxError(f"{where}: found no throughput in its output: {done.stdout[-500:]}")
    syncs = counters.syncs
    if syncs == 0:
        raise WaltaxError(f"{where}: the tap saw no sync of a WAL")
    mean_us = counters.sync_ns / syncs / 1000
    return Run(float(found.group(1)), mean_us, cpu_us / syncs, counters)


def _argv(case: Case, seconds: int, seed: int, db: Path, wal: Path) -> list[str]:
    return [
        *("db_bench", "--benchmarks=fillrandom", "--sync=1"),
        *("--compression_type=none", f"--threads={case.threads}"),
        *(f"--value_size={case.value_bytes}", f"--duration={seconds}", f"--num={10**8}"),
        # 0 would have it draw one of its own.
        *(f"--seed={seed + 1}", f"--db={db}", f"--wal_dir={wal}"),
    ]


def _children_cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
