"""How well the tap keeps to a latency model: wanted against achieved times of syncs.

    python -m bench emulation [--repeats N] [--seconds S] [--cpu-us U] [--sleeps N]

`call_loop` appends 131 bytes and syncs, alone and with 8 threads, under the tap. Wanted times
include queueing: with 8 threads they are what an ideal first-in first-out server gives. Printed are
the medians of the repeats; `rate` is the syncs per second against those of a server that is never
idle between syncs (with one thread, the appends are in between).
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import click
from waltax.base import proc
from waltax.devices.tap_model import DeviceModel, SyncLatency, mean_sync_us, packed
from waltax.devices.tap_page import TapCounters, create, percentile
from waltax.devices.tap_preload import tap_environment

_CONSTANTS_US = (10.0, 20.0, 50.0, 100.0, 500.0, 2000.0)
# A device with a tail, in (percent, us).
_REALISTIC = ((0, 85), (10, 92), (50, 105), (90, 140), (99, 320), (99.9, 900), (100, 1500))


@dataclass(frozen=True)
class Achieved:
    """Ratios of achieved to wanted for one run; `cpu_us` is the process's CPU time per sync."""

    p50: float
    p99: float
    mean: float
    rate: float
    late: float
    cpu_us: float
    margin_us: float


@click.command()
@click.option("--repeats", default=5, show_default=True, type=click.IntRange(1))
@click.option("--seconds", default=1.0, show_default=True, help="length of each run")
@click.option("--cpu-us", default=0.0, show_default=True, help="CPU time of a sync on its caller")
@click.option("--sleeps", default=0, show_default=True, help="how often its caller sleeps")
def main(repeats: int, seconds: float, cpu_us: float, sleeps: int) -> None:
    """Print achieved / wanted for constants and a realistic distribution, 1 and 8 threads."""
    tables: list[tuple[str, tuple[tuple[float, float], ...]]] = [
        (f"{us:g} us", ((50.0, us),)) for us in _CONSTANTS_US
    ]
    tables.append(("realistic", _REALISTIC))
    print("achieved / wanted, medians of", repeats, "runs")
    print("wanted      threads    p50    p99   mean   rate    late  CPU us/sync  margin us")
    for name, quantiles in tables:
        for threads in (1, 8):
            runs = [run(quantiles, threads, seconds, cpu_us, sleeps) for _ in range(repeats)]
            print(f"{name:<12}{threads:>6}  {_line(runs)}", flush=True)


def run(
    quantiles: tuple[tuple[float, float], ...],
    threads: int,
    seconds: float,
    cpu_us: float,
    sleeps: int,
) -> Achieved:
    """Run `call_loop` once under a model with that one table."""
    model = DeviceModel(
        (SyncLatency(131, quantiles),), 0.0, 0.0, 0.0, 64.0, cpu_us, 0.0, 0.0, sync_sleeps=sleeps
    )
    mean_us = mean_sync_us(model, 131)
    syncs = max(200, round(seconds * 1e6 / mean_us / threads))
    with tempfile.TemporaryDirectory(dir="/dev/shm") as directory:
        wal = Path(directory) / "wal"
        wal.mkdir()
        page = create(wal.parent / "page")
        output = subprocess.run(
            [
                proc.program("call_loop"),
                wal / "000001.log",
                str(threads),
                "131",
                str(syncs),
            ],
            env=os.environ | tap_environment(wal, wal.parent / "page", packed(model)),
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        return _achieved(page.snapshot(), json.loads(output.stdout), mean_us)


def _achieved(counters: TapCounters, seen: dict[str, float], mean_us: float) -> Achieved:
    def ratio(q: float, seen_ns: float) -> float:
        wanted = percentile(counters.sync_wanted, q)
        if wanted is None:
            raise click.ClickException("the tap saw no sync")
        return seen_ns / 1000 / wanted

    return Achieved(
        p50=ratio(50, seen["p50_ns"]),
        p99=ratio(99, seen["p99_ns"]),
        mean=seen["mean_ns"] * seen["calls"] / counters.wanted_ns,
        rate=seen["calls"] / seen["seconds"] * mean_us / 1e6,
        late=counters.late / counters.syncs,
        cpu_us=seen["cpu_s"] / seen["calls"] * 1e6,
        margin_us=counters.spin_margin_ns / 1000,
    )


def _line(runs: list[Achieved]) -> str:
    def middle(name: str) -> float:
        return float(statistics.median(getattr(run, name) for run in runs))

    ratios = "  ".join(f"{middle(name):.3f}" for name in ("p50", "p99", "mean", "rate"))
    return f"{ratios}  {middle('late'):6.2%}  {middle('cpu_us'):11.1f}  {middle('margin_us'):9.1f}"


if __name__ == "__main__":
    main()
