"""Sweeps: overhead over the latency of a sync, and over the number of clients. Reads rows.

    rows = load([Path("results/...")])
    for one in curves(rows): print(one.latency_for(0.05).sentence)
    for one in predictions(rows, curve, {"nvme": 30.0}): print(one.sentence)

Needs numpy and a corner of scipy, as its parent does; what draws is imported when called.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import UsageError
from ..stats import Interval
from .answers import Answer
from .curve import Curve, Point, curves
from .predictions import Prediction, predictions
from .threads import ThreadSweep, thread_sweeps

if TYPE_CHECKING:
    from rich.console import Console

__all__ = [
    "Answer",
    "Curve",
    "Interval",
    "Point",
    "Prediction",
    "ThreadSweep",
    "curves",
    "latency_report",
    "predictions",
    "thread_sweeps",
    "threads_report",
]

# The mean sync of each device at the bytes that a curve's groups would write to it.
Devices = Mapping[str, float] | Callable[[Curve], Mapping[str, float]]


def latency_report(
    campaigns: Path | Sequence[Path],
    console: Console,
    *,
    devices: Devices,
    emphasised: float = 0.05,
) -> list[Curve]:
    """Print each curve; write curve.json, .csv, .png and .svg beside the rows of one campaign.

    `devices` maps a device's name to its mean sync in us, or is a function that does so for a
    curve. Any other that was measured beside the grid, such as a directory, is marked at what
    its own callers waited. Errors: UsageError when the rows hold no latency sweep.
    """
    from . import reports

    return reports.latency(_folders(campaigns), console, devices, emphasised)


def threads_report(campaigns: Path | Sequence[Path], console: Console) -> list[ThreadSweep]:
    """Print each sweep over clients; write threads.json, .csv, .png and .svg likewise.

    Errors: UsageError when no workload was measured with two numbers of clients.
    """
    from . import reports

    return reports.threads(_folders(campaigns), console)


def _folders(campaigns: Path | Sequence[Path]) -> list[Path]:
    found = [campaigns] if isinstance(campaigns, Path) else list(campaigns)
    if not found:
        raise UsageError("no campaign: found an empty list; it takes folders of results/")
    return found
