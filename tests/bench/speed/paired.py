"""Ratios of what two did in the same rounds."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from waltax.analysis import stats


def ratio(ours: Sequence[Sequence[float]], theirs: Sequence[Sequence[float]]) -> list[str]:
    """Of each column, ours over theirs: "0.45 [0.40, 0.50]".

    The interval is Student's t on the logs of the rounds' ratios. REQUIRES: two rounds.
    """
    logs = np.log(np.asarray(ours)) - np.log(np.asarray(theirs))
    rounds = len(logs)
    half = stats.quantile(rounds - 1) * logs.std(axis=0, ddof=1) / math.sqrt(rounds)
    ends = np.exp([logs.mean(axis=0), logs.mean(axis=0) - half, logs.mean(axis=0) + half])
    return [f"{value:.2f} [{low:.2f}, {high:.2f}]" for value, low, high in ends.T]
