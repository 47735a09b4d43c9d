"""What sweeps make of results: curves over the latency of a sync, clients, sizes, settings.

    rows = load([Path("results/...")])
    for one in curves(rows): print(one.latency_for(0.05).sentence)
    for one in predictions(rows, curve, {"nvme": 30.0}): print(one.sentence)

curve, fit, answers              overhead over the latency of a sync, and how fast one must be
predictions, doubts              what a curve says of a device, and what its rows say against it
group_commit, modelled           what queueing theory expects
threads                          overhead over the number of clients
knobs                            a line a setting of the WAL
sizes, measures, conclusions     db_bench over the sizes of keys and values
published                        the study that those are held against
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..stats import Interval
from .answers import Answer
from .curve import Curve, Point, curves
from .predictions import Prediction, predictions
from .threads import ThreadSweep, thread_sweeps

if TYPE_CHECKING:
    from rich.console import Console

    from ..reports.latency_curve import Devices

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


# Until all callers publish reports.
def latency_report(
    campaigns: Sequence[Path], console: Console, *, devices: Devices, emphasised: float = 0.05
) -> None:
    from .. import publish, reports

    publish(reports.latency(campaigns, devices=devices, emphasised=emphasised), console)


def threads_report(campaigns: Sequence[Path], console: Console) -> None:
    from .. import publish, reports

    publish(reports.threads(campaigns), console)
