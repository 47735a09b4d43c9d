"""What a write call costs, and how much CPU time a sync takes, from the readings."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from .measure import Measured, Reading, kept

_SMALL = 10_032  # larger appends copy enough to blur the sync's own CPU time


def write_cost(measured: Measured) -> tuple[float, float]:
    """Return (us, us per KiB) of a write call, by least squares over the sizes.

    Fitted is the median of fio's write latencies of each size, the median over its repeats.
    """
    return relative_line(
        [
            (size / 1024, median(one.answer.write_us for one in kept(found)))
            for size, found in measured.of("sync").items()
        ]
    )


def relative_line(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return (a, b) of y = a + b x with the least squares of relative errors; neither negative."""
    weighted = [(x, y, 1 / max(y, 1e-3) ** 2) for x, y in points]
    total = sum(w for _, _, w in weighted)
    x0 = sum(w * x for x, _, w in weighted) / total
    y0 = sum(w * y for _, y, w in weighted) / total
    square = sum(w * (x - x0) ** 2 for x, _, w in weighted)
    slope = sum(w * (x - x0) * (y - y0) for x, y, w in weighted) / square if square else 0.0
    slope = max(0.0, slope)
    return max(0.0, y0 - slope * x0), slope


def sync_sleeps(measured: Measured) -> float:
    """Return how often the caller of a sync sleeps: the least of the small sizes.

    A writer that others push off the CPU leaves it more often.
    """
    return min(one.answer.switches / one.answer.syncs for one in _small(measured))


def caller_cpu(measured: Measured) -> tuple[float, float]:
    """Return (us, us per KiB) of CPU time that a sync takes in its caller, over the sizes.

    It is what a writer used for each write, less the write itself, less fio's own time, which a job
    without syncs shows. Only the quieter half of each size's jobs is asked.
    """
    alone = [one for found in measured.of("write").values() for one in found]
    own_us = max(0.0, median(_beside_write_us(one) for one in alone)) if alone else 0.0
    by_size = {
        size: median(_beside_write_us(one) for one in _quieter(found)) - own_us
        for size, found in measured.of("sync").items()
    }
    # A copy's time blurs what is left beside it, down to less than nothing, which would weigh the
    # most. A large sync takes no less than a small one.
    usual = max(0.0, median(us for size, us in by_size.items() if size <= _SMALL))
    least = {size: usual if size > _SMALL else usual / 2 for size in by_size}
    return relative_line([(size / 1024, max(least[size], us)) for size, us in by_size.items()])


def kernel_cpu(measured: Measured) -> float | None:
    """Return CPU time (us) of a sync in kernel threads, None where those are not visible."""
    seen = [one.kernel_us for one in _quieter(_small(measured)) if one.kernel_us is not None]
    return median(seen) if seen else None


def _small(measured: Measured) -> list[Reading]:
    return [r for size, found in measured.of("sync").items() if size <= _SMALL for r in found]


def _quieter(readings: Sequence[Reading]) -> list[Reading]:
    by_others = sorted(readings, key=lambda one: one.foreign_cores)
    return by_others[: (len(readings) + 1) // 2]


def _beside_write_us(one: Reading) -> float:
    """The median write, as `write_cost` has it: what that leaves out is the sync's."""
    return one.answer.cpu_s / one.answer.writes * 1e6 - one.answer.write_us
