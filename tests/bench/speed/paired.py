"""Ratios of what two did in the same rounds."""

from __future__ import annotations

from collections.abc import Sequence

from waltax.analysis import stats


def ratio(ours: Sequence[Sequence[float]], theirs: Sequence[Sequence[float]]) -> list[str]:
    """Of each column, ours over theirs, paired by round: "0.45 [0.40, 0.50]"; see `stats.paired`.

    REQUIRES: two rounds.
    """
    found = []
    for at in range(len(ours[0])):
        found.append(stats.paired([row[at] for row in ours], [row[at] for row in theirs]))
    return [f"{one.value:.2f} [{one.low:.2f}, {one.high:.2f}]" for one in found]
