"""Intervals of several devices that hold all at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from scipy.special import ndtr

from . import stats
from .stats import Drawn, Floats, Interval

_JOINT_DRAWS = 10_000


def intervals(drawn: Sequence[Drawn]) -> list[Interval]:
    """Intervals that all hold at once as often as one alone holds, from the same draws.

    Each is as much longer as the largest of all deviations is beside a single one (max-T): of
    normal deviations that are correlated as the draws are, because a handful of sessions give too
    few different draws for the tails; then each by its own Student's t.
    """
    confidence = joint_confidence(drawn)
    return [one.interval(confidence) for one in drawn]


def joint_confidence(drawn: Sequence[Drawn]) -> float:
    """The confidence that each interval needs for all to hold at once; see `intervals`."""
    return _jointly([one.logs for one in drawn if one.ends() is not None])


def _jointly(logs: Sequence[Floats]) -> float:
    """The confidence that each of several intervals needs for all to hold."""
    if len(logs) < 2:
        return stats.CONFIDENCE
    whole = np.isfinite(np.array(logs)).all(axis=0)
    spread = [one[whole] for one in logs if one[whole].std() > 0]
    if len(spread) < 2:
        return stats.CONFIDENCE
    lengths, axes = np.linalg.eigh(np.corrcoef(spread))
    correlated = _normal(len(spread)) @ (axes * np.sqrt(np.maximum(lengths, 0))).T
    return float(2 * ndtr(np.quantile(np.abs(correlated).max(axis=1), stats.CONFIDENCE)) - 1)


@cache
def _normal(count: int) -> Floats:
    return np.random.default_rng(stats.SEED).standard_normal((_JOINT_DRAWS, count))
