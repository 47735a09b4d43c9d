"""Wanted against achieved times of delayed reads of data; a part of the benchmark `emulation`."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from waltax.base import proc
from waltax.devices.tap_page import create
from waltax.devices.tap_preload import tap_environment

_LATENCIES_US = (200, 500, 1000, 2000)
_BLOCK = 4096
_BLOCKS = 4096


@dataclass(frozen=True)
class Achieved:
    """Ratios of achieved to wanted for one run; `cpu_us` is the process's CPU time per read."""

    p50: float
    p99: float
    mean: float
    slower: float
    cpu_us: float


def report(folder: str, repeats: int, seconds: float) -> None:
    """Print achieved / wanted for reads of a file in `folder`, and what its disk takes alone."""
    with tempfile.TemporaryDirectory(dir=folder) as data, (Path(data) / "1.sst").open("wb") as file:
        file.write(os.urandom(_BLOCKS * _BLOCK))
        file.flush()
        os.fsync(file.fileno())
        for threads in (1, 8):
            alone = _run(Path(data), 0, threads, 500)
            print(
                f"the disk alone, {threads} threads: p50 {alone['p50_ns'] / 1e3:.0f} us, "
                f"p99 {alone['p99_ns'] / 1e3:.0f} us, CPU {_cpu_us(alone):.1f} us"
            )
        print("achieved / wanted, medians of", repeats, "runs")
        print("wanted      threads    p50    p99   mean  slower  CPU us/read")
        for us in _LATENCIES_US:
            for threads in (1, 8):
                calls = max(100, round(seconds * 1e6 / us))
                runs = [_achieved(Path(data), us, threads, calls) for _ in range(repeats)]
                print(f"{us:>6} us   {threads:>6}  {_line(runs)}", flush=True)


def _achieved(data: Path, us: int, threads: int, calls: int) -> Achieved:
    seen = _run(data, us, threads, calls)
    return Achieved(
        p50=seen["p50_ns"] / 1e3 / us,
        p99=seen["p99_ns"] / 1e3 / us,
        mean=seen["mean_ns"] / 1e3 / us,
        slower=seen["slower"] / seen["calls"],
        cpu_us=_cpu_us(seen),
    )


def _run(data: Path, us: int, threads: int, calls: int) -> dict[str, float]:
    """What `call_loop` prints of so many reads; `slower` of them took longer by themselves."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as memory:
        page = create(Path(memory) / "page")
        reads = {"WALTAX_TAP_DATA_DIR": str(data), "WALTAX_TAP_READ_NS": str(us * 1000)}
        argv = ["read", str(data / "1.sst"), str(threads), str(_BLOCK), str(calls)]
        output = subprocess.run(
            [proc.program("call_loop"), *argv],
            env=os.environ
            | tap_environment(Path(memory), Path(memory) / "page")
            | (reads if us else {}),
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        return {**json.loads(output.stdout), "slower": page.snapshot().data_reads_slower}


def _cpu_us(seen: dict[str, float]) -> float:
    return seen["cpu_s"] / seen["calls"] * 1e6


def _line(runs: list[Achieved]) -> str:
    def middle(name: str) -> float:
        return float(statistics.median(getattr(run, name) for run in runs))

    ratios = "  ".join(f"{middle(name):.3f}" for name in ("p50", "p99", "mean"))
    return f"{ratios}  {middle('slower'):6.2%}  {middle('cpu_us'):11.1f}"
