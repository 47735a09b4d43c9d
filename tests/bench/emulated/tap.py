"""What the tap costs RocksDB when it only observes: throughput with it over throughput without.

    python -m bench tap [--pairs N] [--disk DIR]

db_bench runs with and without the tap in turn, the order alternating. Printed are the median of the
ratios of neighbours and a 95 % bootstrap interval. The cases: synced WAL in memory, the hardest,
because nothing but the tap takes time there; WAL on disk unsynced and synced; and no WAL, where the
tap sees other files only.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np
from scipy import stats
from waltax.devices.tap_page import create
from waltax.devices.tap_preload import tap_environment


@dataclass(frozen=True)
class Case:
    """One kind of load: `operations` make a run of about a second."""

    name: str
    flags: tuple[str, ...]
    operations: int
    wal_on_disk: bool


_CASES = (
    Case("WAL in memory, sync=1", ("--sync=1",), 300_000, False),
    Case("WAL on disk, sync=0", ("--sync=0",), 300_000, True),
    Case("WAL on disk, sync=1", ("--sync=1",), 8_000, True),
    Case("no WAL", ("--disable_wal=1",), 400_000, False),
)


@click.command()
@click.option("--pairs", default=15, show_default=True, type=click.IntRange(2))
@click.option("--disk", default="/tmp", show_default=True, help="a folder on a real disk")
def main(pairs: int, disk: str) -> None:
    """Print throughput with the tap / without it, for each case."""
    print("throughput with the tap / without,", pairs, "pairs")
    for case in _CASES:
        folder = disk if case.wal_on_disk else "/dev/shm"
        seen = [_pair(case, folder, tap_first=i % 2 == 0) for i in range(pairs)]
        ratios = np.array([tapped / bare for tapped, bare in seen])
        low, high = stats.bootstrap((ratios,), np.median, method="percentile").confidence_interval
        bare = float(np.median([bare for _, bare in seen]))
        print(
            f"{case.name:<24}{np.median(ratios):.4f}  [{low:.4f}, {high:.4f}]"
            f"  {bare:>9.0f} ops/s without",
            flush=True,
        )


def _pair(case: Case, folder: str, *, tap_first: bool) -> tuple[float, float]:
    throughput = {with_tap: run(case, folder, with_tap) for with_tap in (tap_first, not tap_first)}
    return throughput[True], throughput[False]


def run(case: Case, folder: str, with_tap: bool) -> float:
    """Run db_bench once with its WAL in a fresh folder; return operations per second."""
    with (
        tempfile.TemporaryDirectory(dir="/dev/shm") as data,
        tempfile.TemporaryDirectory(dir=folder) as wal,
    ):
        page = Path(data) / "page"
        counters = create(page)
        output = subprocess.run(
            [
                *("db_bench", "--benchmarks=fillrandom", f"--num={case.operations}", *case.flags),
                *(f"--db={data}/db", f"--wal_dir={wal}"),
            ],
            env=os.environ | (tap_environment(Path(wal), page) if with_tap else {}),
            check=True,
            capture_output=True,
            text=True,
        )
        if counters.snapshot().attached != with_tap:
            raise click.ClickException("the tap was not loaded")
    found = re.search(r"fillrandom +: .* (\d+) ops/sec", output.stdout)
    if found is None:
        raise click.ClickException(f"db_bench printed no throughput: {output.stdout}")
    return float(found.group(1))


if __name__ == "__main__":
    main()
