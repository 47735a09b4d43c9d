"""What `bench.fidelity` prints: an error a workload, and how many are small."""

from __future__ import annotations

import math
from dataclasses import dataclass

from waltax.analysis import stats

_WITHIN = (0.05, 0.10)


@dataclass(frozen=True)
class Line:
    """One line of the table; `noise` is the directory against itself."""

    name: str
    throughput: float
    error: stats.Interval
    noise: stats.Interval
    sync_us: tuple[float, float] | None = None
    cpu_us: tuple[float, float] | None = None
    tested: bool = False  # out of sample: nothing of the emulation was chosen by it


def report(lines: list[Line]) -> None:
    print(f"{'':<23}{'real/s':>9}  {'error':>24}  {'noise':>24}   sync us        CPU us/sync")
    for line in lines:
        beside = [
            "" if pair is None else f"{pair[0]:.0f} -> {pair[1]:.0f}"
            for pair in (line.sync_us, line.cpu_us)
        ]
        print(
            f"{line.name:<23}{line.throughput:>9,.0f}  {_percent(line.error):>24}  "
            f"{_percent(line.noise):>24}   {beside[0]:<13}  {beside[1]}",
            flush=True,
        )


def summarise(lines: list[Line]) -> None:
    """How many errors are small, and of how many that is shown: the whole interval is."""
    for what, mine in (
        ("tuned on, db_bench", [one for one in lines if not one.tested]),
        ("the test, LinkBench and TPC-C", [one for one in lines if one.tested]),
    ):
        small = [one.name for one in mine if abs((one.error.value or 0.0) - 1) <= _WITHIN[0]]
        if mine:
            names = "; ".join(" ".join(name.split()) for name in small) or "none"
            print(f"{what}: {len(small)} of {len(mine)} within {_WITHIN[0]:.0%}: {names}")
    errors = [abs((line.error.value or 0.0) - 1) for line in lines]
    counts = [f"{sum(e <= most for e in errors)} within {most:.0%}" for most in _WITHIN]
    sure = [f"{sum(_whole(line.error) <= most for line in lines)}" for most in _WITHIN]
    print(
        f"of {len(errors)} errors {', '.join(counts)} (their whole intervals: {', '.join(sure)}); "
        f"the largest is {max(errors):.1%}"
    )


def _whole(ratio: stats.Interval) -> float:
    """The end of an error's interval that is farther from zero."""
    if ratio.low is None or ratio.high is None:
        return math.inf
    return max(abs(ratio.low - 1), abs(ratio.high - 1))


def _percent(ratio: stats.Interval) -> str:
    if ratio.value is None:
        return "no data"
    text = f"{100 * (ratio.value - 1):+.1f} %"
    if ratio.low is None or ratio.high is None:
        return text
    return f"{text} [{100 * (ratio.low - 1):+.1f}, {100 * (ratio.high - 1):+.1f}]"
