"""Which hosts disagree with the others, by a rule that keeps its rate of false alarms.

A host is compared with the mean of the others, in units of how far these are apart: the externally
studentized residual (Cook and Weisberg, Residuals and Influence in Regression, 1982, section
2.2.2). For hosts that are all alike it is Student's t with two degrees of freedom less than there
are hosts. So if all hosts differ much from each other, none of them is named.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr

from .stats import Floats

FALSE_ALARMS = 0.05
"""The largest share of comparisons that name a host although all are alike."""
LEAST = 4
"""Hosts: nobody can say which of two is the odd one, and of three hardly."""


def from_the_others(logs: Floats) -> Floats:
    """Return how far each host's log ratio exceeds the mean over the others."""
    difference: Floats = (logs - logs.mean()) * logs.size / (logs.size - 1)
    return difference


def disagree(logs: Floats, tests: int) -> NDArray[np.bool_]:
    """Return which of these hosts disagree, with `tests` hosts tested in all (Bonferroni).

    `logs` has the logarithm of each host's ratio; with fewer than `LEAST` hosts none disagrees.
    """
    if logs.size < LEAST:
        return np.zeros(logs.size, dtype=bool)
    freedom = logs.size - 2
    apart = from_the_others(logs)
    spreads = np.array([np.delete(logs, place).std(ddof=1) for place in range(logs.size)])
    errors = spreads * math.sqrt(1 + 1 / (logs.size - 1))
    t = np.divide(np.abs(apart), errors, out=np.zeros_like(apart), where=errors > 0)
    chance = 2 * stdtr(freedom, -t) * tests
    disagreeing: NDArray[np.bool_] = chance < FALSE_ALARMS
    return disagreeing
