"""Turning fio's bins into the quantiles of a device file, which keep the measured mean.

The tap draws linearly between quantiles, so their mean is a sum of trapezoids. The measured tail is
thin and ends in a single maximum. If that were the top of the last trapezoid, one hiccup of 4 ms in
7,000 syncs would add half its height to every sync beyond the last quantile. Instead, the top is
chosen such that the last percent contributes what the mean requires.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from .tap_model import mass

PERCENTS = (0.5, 1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 85, 90, 95, 97, 98, 99, 99.5, 99.9)
_BEYOND = 5  # syncs that must lie beyond a quantile for it to be one

Bins = Sequence[tuple[float, int]]
Pairs = list[tuple[float, float]]


def at(bins: Bins, percents: Sequence[float]) -> list[float]:
    """Return the times (us) at or below which each of `percents` of the syncs lie."""
    total = sum(count for _, count in bins)
    reached = list(accumulate(count for _, count in bins))
    times, place = [], 0
    for percent in percents:
        while reached[place] < total * percent / 100:
            place += 1
        times.append(bins[place][0])
    return times


def table(bins: Bins) -> Pairs:
    """Return (percent, us) pairs, p100 last, from which the tap draws the bins' mean."""
    total = sum(count for _, count in bins)
    percents = [p for p in PERCENTS if p <= 50 or total * (100 - p) / 100 >= _BEYOND]
    mean = sum(us * count for us, count in bins) / total
    return with_mean(list(zip(percents, at(bins, percents), strict=True)), mean)


def with_mean(pairs: Pairs, mean_us: float) -> Pairs:
    """Return the pairs with a p100 that gives them the mean.

    Straight lines overstate a curved tail. Where even a flat end is too much, quantiles beyond p50
    are dropped one by one, from the top.
    """
    kept = list(pairs)
    while True:
        top_percent, top_us = kept[-1]
        width = (100 - top_percent) / 100
        end_us = 2 * (mean_us - mass([(0.0, kept[0][1]), *kept])) / width - top_us
        if end_us >= top_us or kept[-2][0] < 50:
            return [*kept, (100.0, max(end_us, top_us))]
        kept.pop()
