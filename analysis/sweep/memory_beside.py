"""Ours beside the published study of data against memory, value by value of its prose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..memory import published
from ..memory.published import Published
from ..results.latency import ALL
from .memory import MemoryPoint, MemorySweep

WORKLOAD = "shop"
_RATIOS = {"small": 0.75, "medium": 1.25, "large": 2.5}  # of its three data sets, to its memory
_SLACK = 0.15  # shapes are compared, on another machine: see the remarks
_MS = 1e-3
Points = Mapping[tuple[float, int], MemoryPoint]


@dataclass(frozen=True)
class Beside:
    """A published value, and ours of the same data set; None: not measured here."""

    theirs: Published
    data: str
    ours: float | None

    @property
    def verdict(self) -> str:
        """Whether ours is in its range, widened by a sixth or so."""
        if self.ours is None:
            return "not measured"
        return "holds" if self.theirs.holds(self.ours, _SLACK) else "does not hold"


def beside(sweep: MemorySweep) -> list[Beside]:
    """Of cells whose log is synced; nothing of another workload than the study's."""
    if sweep.first.workload != WORKLOAD:
        return []
    points = {(one.ratio, one.result.threads): one for one in sweep.points if one.result.writes_wal}
    return [
        Beside(theirs, data, _ours(theirs, data, points))
        for theirs in published.table()
        for data in _RATIOS
        if theirs.of(data)
    ]


def _ours(theirs: Published, data: str, points: Points) -> float | None:
    ratio = _RATIOS[data]
    point = points.get((ratio, theirs.threads or 4))
    if theirs.what == "latency_p999" and point is not None:
        return _quantile(point, 99.9)
    if theirs.what == "iowait" and point is not None:
        return None if point.iowait is None else 100 * point.iowait
    if theirs.what == "throughput_4_over_1_threads":
        few = points.get((ratio, 1))
        return _over(_throughput(point), _throughput(few))
    if theirs.what.endswith("medium_over_large") and data == "medium":
        percentile = 99.9 if "p999" in theirs.what else 99.0
        large = points.get((_RATIOS["large"], theirs.threads or 4))
        return _over(_quantile(point, percentile), _quantile(large, percentile))
    return None


def _quantile(point: MemoryPoint | None, percentile: float) -> float | None:
    """In ms."""
    latency = None if point is None else point.result.latency_of(ALL)
    found = None if latency is None else latency.quantile(percentile)
    return None if found is None else found.us * _MS


def _throughput(point: MemoryPoint | None) -> float | None:
    return None if point is None else point.result.throughput


def _over(above: float | None, below: float | None) -> float | None:
    return None if above is None or not below else above / below
