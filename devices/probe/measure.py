"""The measurement: rounds of jobs in random order, and what writes and syncs took of the CPUs."""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median, median_low
from typing import NamedTuple

import numpy as np
import psutil

from ...base.errors import WaltaxError
from ..importing.fio_json import FioJob
from ..quantiles import Bins, at
from . import jobs
from .jobs import Job

_SEED = 1  # of the order, so that two probes of a machine differ in nothing of ours
_DIR_SYNCS = 30
_KERNEL_THREAD = 0x00200000  # PF_KTHREAD of include/linux/sched.h, in the flags of /proc/PID/stat
BUSY_CORES = 0.35  # above this, syncs on 2 CPUs waited for a CPU up to a scheduler's tick
_APART = 0.25  # of the middle repeat's median
_SMALL = 10_032  # larger appends copy enough to blur the sync's own CPU time


@dataclass(frozen=True)
class Reading:
    """One job's answer; `kernel_us` is the CPU time of kernel threads per write, if known."""

    job: Job
    answer: FioJob
    kernel_us: float | None
    foreign_cores: float

    @property
    def p50_us(self) -> float:
        """The median time of a sync."""
        return at(self.answer.synced.bins_us(), [50])[0]


@dataclass(frozen=True)
class Measured:
    """All readings in the order taken, the median sync of a directory, and fio's version."""

    readings: tuple[Reading, ...]
    dir_sync_us: float
    fio: str

    def of(self, kind: str) -> dict[int, list[Reading]]:
        """Return the readings of such jobs by their size, in rising order."""
        by_size: dict[int, list[Reading]] = {}
        for reading in sorted(self.readings, key=lambda reading: reading.job.bytes):
            if reading.job.kind == kind:
                by_size.setdefault(reading.job.bytes, []).append(reading)
        return by_size


def measure(rounds: Sequence[Sequence[Job]], folder: Path, say: Callable[[str], None]) -> Measured:
    """Run the jobs in an empty folder. Errors: WaltaxError from a job or a sync."""
    order, program = random.Random(_SEED), jobs.find()
    readings: list[Reading] = []
    version = ""
    for number, together in enumerate(rounds, 1):
        say(f"  round {number} of {len(rounds)}, {len(together)} jobs")
        for job in order.sample(together, len(together)):
            before = _Usage.now()
            answer, version = jobs.run(job, folder, program)
            readings.append(Reading(job, answer, *before.since(answer.write.total_ios)))
    return Measured(tuple(readings), _dir_sync_us(folder), version)


def kept(repeats: Sequence[Reading]) -> list[Reading]:
    """Return the repeats that count: the quiet ones, if any, without medians that are outliers.

    A disturbance changes a repeat as a whole; single hiccups are the device's own and stay.
    """
    quiet = [reading for reading in repeats if reading.foreign_cores <= BUSY_CORES] or list(repeats)
    middle = median_low([reading.p50_us for reading in quiet])
    return [reading for reading in quiet if abs(reading.p50_us - middle) <= _APART * middle]


def pool(repeats: Sequence[Reading]) -> Bins:
    """Return the sync times of all kept repeats together."""
    together: Counter[float] = Counter()
    for reading in kept(repeats):
        together.update(dict(reading.answer.synced.bins_us()))
    return sorted(together.items())


def write_cost(measured: Measured) -> tuple[float, float]:
    """Return (us, us per KiB) of a write call, by least squares over the sizes.

    The points are fio's median write latency of each size, the median over its repeats.
    """
    by_size = measured.of("sync").items()
    return relative_line(
        [(size / 1024, median(map(_write_us, kept(readings)))) for size, readings in by_size]
    )


def relative_line(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return (a, b) of y = a + b x with the least squares of relative errors; neither negative."""
    x, y = np.array(points).T
    weights = 1 / np.maximum(y, 1e-3)
    if len(points) > 1:
        slope, start = np.polyfit(x, y, 1, w=weights)
        if slope > 0:
            return max(0.0, float(start)), float(slope)
    return max(0.0, float(np.average(y, weights=weights**2))), 0.0


def sync_sleeps(measured: Measured) -> float:
    """Return how often the caller of a sync sleeps: the minimum over the small sizes.

    A writer that others preempt leaves the CPU more often.
    """
    return min(reading.answer.ctx / reading.answer.synced.N for reading in _small(measured))


def caller_cpu(measured: Measured) -> float:
    """Return the CPU time (us) that a small sync takes in its caller: a write's, less the write."""
    return max(0.0, median(map(_beside_write_us, _small(measured))))


def kernel_cpu(measured: Measured) -> float | None:
    """Return the CPU time (us) of a sync in kernel threads, None if they are not visible."""
    times = [r.kernel_us for r in _small(measured) if r.kernel_us is not None]
    return median(times) if times else None


def _small(measured: Measured) -> list[Reading]:
    by_size = measured.of("sync").items()
    return [r for size, repeats in by_size if size <= _SMALL for r in kept(repeats)]


def _write_us(reading: Reading) -> float:
    """Return the median write, because the mean has moments in which others had the CPU."""
    times = reading.answer.write.clat_ns
    return at(times.bins_us(), [50])[0] if times.bins else times.mean_us


def _beside_write_us(reading: Reading) -> float:
    """Return the CPU time without the median write, as in `write_cost`; the rest is the sync's."""
    answer = reading.answer
    cpu_us = (answer.usr_cpu + answer.sys_cpu) / 100 * answer.job_runtime * 1000
    return cpu_us / answer.write.total_ios - _write_us(reading)


class _Usage(NamedTuple):
    """Seconds since some start: on the clock, of all busy CPUs, our own, and of kernel threads.

    The last are None in a container that does not show them. The kernel counts busy CPUs in ticks,
    so an interval must span many of them.
    """

    wall_s: float
    busy_s: float
    own_s: float
    kernel_s: float | None

    @classmethod
    def now(cls) -> _Usage:
        cpu = psutil.cpu_times()
        busy_s = cpu.user + cpu.nice + cpu.system + cpu.irq + cpu.softirq
        ours = sum(os.times()[:4])  # with fio's, which has ended
        return cls(time.monotonic(), busy_s, ours, _kernel_threads_s())

    def since(self, writes: int) -> tuple[float | None, float]:
        """Return the CPU time (us) of kernel threads per write, and the CPUs busy for others."""
        now = _Usage.now()
        kernel_s = None
        if now.kernel_s is not None and self.kernel_s is not None:
            kernel_s = max(0.0, now.kernel_s - self.kernel_s)
        foreign_s = now.busy_s - self.busy_s - (now.own_s - self.own_s) - (kernel_s or 0.0)
        kernel_us = None if kernel_s is None else kernel_s / writes * 1e6
        return kernel_us, max(0.0, foreign_s) / (now.wall_s - self.wall_s)


def _kernel_threads_s() -> float | None:
    """Return the CPU time of all kernel threads, from schedstat; those that ended are missing."""
    total, seen = 0, False
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            flags = int((entry / "stat").read_text().rpartition(")")[2].split()[6])
            if flags & _KERNEL_THREAD:
                total += int((entry / "schedstat").read_text().split()[0])
                seen = True
        except (OSError, ValueError, IndexError):  # it ended, or the kernel keeps no schedstat
            continue
    return total / 1e9 if seen else None


def _dir_sync_us(folder: Path) -> float:
    """Return the median time to sync a folder after making a file in it; fio has no such job."""
    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    times = []
    try:
        for place in range(_DIR_SYNCS):
            (folder / f"{place:06}.log").touch()
            start = time.perf_counter()
            os.fsync(number)
            times.append(time.perf_counter() - start)
    except OSError as error:
        raise WaltaxError(f"{folder.parent}: a directory sync failed: {error.strerror}") from error
    finally:
        os.close(number)
    return median(times) * 1e6
