"""What sweeps make of results: curves over the latency of a sync.

    rows = load([Path("results/...")])
    for one in curves(rows): print(one.latency_for(0.05).sentence)
    for one in predictions(curve, {"nvme": 30.0}): print(one.sentence)

curve, fit                       overhead over the latency of a sync, and how fast one must be
predictions                      what a curve says of a device, and what its rows say against it
"""

from __future__ import annotations

from ..stats import Interval as Interval
from .curve import Answer as Answer
from .curve import Curve as Curve
from .curve import curves as curves
from .predictions import Prediction as Prediction
from .predictions import predictions as predictions
