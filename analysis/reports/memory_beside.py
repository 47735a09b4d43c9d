"""Ours beside the published study of data against memory, value by value of its prose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from ..memory import published
from ..memory.published import Published
from ..numerals import number
from ..report import Column, Table, numbers
from ..results.latency import ALL

if TYPE_CHECKING:
    from .memory import MemoryPoint

WORKLOAD = "shop"
_RATIOS = {"small": 0.75, "medium": 1.25, "large": 2.5}  # of its three data sets, to its memory
_SLACK = 0.15  # shapes are compared, on another machine: see the remarks
_MS = 1e-3
Points = Mapping[tuple[float, int], "MemoryPoint"]


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


def beside(every: Sequence[MemoryPoint]) -> list[Beside]:
    """Of cells whose log is synced; nothing of another workload than the study's."""
    if every[0].result.workload != WORKLOAD:
        return []
    points = {(one.ratio, one.result.threads): one for one in every if one.result.writes_wal}
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
        return None if point.iowait_share is None else 100 * point.iowait_share
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
    return None if latency is None else latency.quantile(percentile).scaled(_MS).value


def _throughput(point: MemoryPoint | None) -> float | None:
    return None if point is None else point.result.throughput


def _over(above: float | None, below: float | None) -> float | None:
    return None if above is None or not below else above / below


def content(every: Sequence[MemoryPoint]) -> list[dict[str, Any]]:
    """The same for programs."""
    return [
        {"data": one.data, "ours": one.ours, "verdict": one.verdict, **asdict(one.theirs)}
        for one in beside(every)
    ]


def tables(every: Sequence[MemoryPoint]) -> list[Table]:
    """The same for people; none where nothing was measured that the study says."""
    columns = [
        *(Column(header, is_text=True) for header in ("value", "data", "clients", "theirs")),
        *numbers("ours"),
        *(Column(header, is_text=True) for header in ("here", "remark")),
    ]
    rows = [
        (
            one.theirs.what.replace("_", " "),
            one.data,
            "4, 1" if one.theirs.threads is None else str(one.theirs.threads),
            one.theirs.words,
            f"{number(one.ours)} {one.theirs.unit}",
            one.verdict,
            one.theirs.remark,
        )
        for one in beside(every)
        if one.ours is not None
    ]
    title = "Beside the published study (MyRocks, 4 GB, a cloud volume), logs synced"
    return [Table(title, columns, rows)] if rows else []
