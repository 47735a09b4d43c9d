"""The cost of a write call and the CPU time of a sync, computed from the readings."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

import numpy as np

from ..quantiles import at
from .measure import Measured, Reading, kept

_SMALL = 10_032  # larger appends copy enough to blur the sync's own CPU time


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
