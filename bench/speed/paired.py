"""Ratios of what two did in the same rounds."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy.special import stdtrit


def ratio(ours: Sequence[Sequence[float]], theirs: Sequence[Sequence[float]]) -> list[str]:
    """Of each column, ours over theirs, paired by round: "0.45 [0.40, 0.50]".

    The intervals, of 95 %, are Student's t on the logarithms of the rounds.
    """
    logs = np.log(ours) - np.log(theirs)
    half = stdtrit(len(ours) - 1, 0.975) * logs.std(axis=0, ddof=1) / math.sqrt(len(ours))
    return [
        f"{math.exp(mean):.2f} [{math.exp(mean - by):.2f}, {math.exp(mean + by):.2f}]"
        for mean, by in zip(logs.mean(axis=0), half, strict=True)
    ]
