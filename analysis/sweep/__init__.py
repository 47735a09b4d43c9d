"""What sweeps make of results: curves over the latency of a sync, clients, sizes, settings.

    rows = load([Path("results/...")])
    for one in curves(rows): print(one.latency_for(0.05).sentence)
    for one in predictions(rows, curve, {"nvme": 30.0}): print(one.sentence)

curve, fit, answers              overhead over the latency of a sync, and how fast one must be
predictions, doubts              what a curve says of a device, and what its rows say against it
threads                          overhead over the number of clients
knobs                            a line a setting of the WAL
sizes, measures, conclusions     db_bench over the sizes of keys and values
published                        the study that those are held against
"""

from __future__ import annotations

from ..stats import Interval
from .answers import Answer
from .curve import Curve, Point, curves
from .predictions import Prediction, predictions
from .threads import ThreadSweep, thread_sweeps

__all__ = [
    "Answer",
    "Curve",
    "Interval",
    "Point",
    "Prediction",
    "ThreadSweep",
    "curves",
    "predictions",
    "thread_sweeps",
]
