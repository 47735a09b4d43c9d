"""Names above a figure, one for each marked place on the x axis, none on another."""

from __future__ import annotations

from collections.abc import Sequence


def spread(places: Sequence[float], gap: float, low: float = 0.0, high: float = 1.0) -> list[float]:
    """Where to put the name of each place, in the places' order: as near as `gap` allows.

    `places` rise. Names that would touch are pushed apart about their common middle; when there
    is no room for all, they share what there is.
    """
    count = len(places)
    if count > 1:
        gap = min(gap, (high - low) / (count - 1))
    # Clusters of (first name's place if alone, number of names), merged while they touch.
    clusters: list[tuple[float, int]] = []
    for place in places:
        start, size = place, 1
        start = min(max(start, low), high)
        while clusters and clusters[-1][0] + clusters[-1][1] * gap > start:
            before, names = clusters.pop()
            wanted = (before * names + (start - names * gap) * size) / (names + size)
            size += names
            start = min(max(wanted, low), high - (size - 1) * gap)
        clusters.append((start, size))
    return [start + number * gap for start, size in clusters for number in range(size)]
