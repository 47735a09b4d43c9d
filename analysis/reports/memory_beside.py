"""Ours beside the published study of data against memory, value by value of its prose.

Its figures have no numbers on them: these are the values of its prose, most of them bounds or
ratios. It says in one place that its machine had 4 GB of memory, and 8 GB in another; a c5.large
has 4 GiB. Each of its runs was one, of an hour with four threads and half of it with one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..numerals import number
from ..report import Column, Table, numbers
from ..results.latency import ALL

if TYPE_CHECKING:
    from .memory import MemoryPoint

WORKLOAD = "shop"
# Of its data sets of 10.6, 18 and 35 million rows, to its memory, by the types of its rows.
_RATIOS = {"small": 0.75, "medium": 1.25, "large": 2.5}
_TABLE = Path(__file__).parent.parent / "memory.jsonl"
_SLACK = 0.15  # shapes are compared, on another machine: see the remarks
_MS = 1e-3
Points = Mapping[tuple[float, int], "MemoryPoint"]


@dataclass(frozen=True)
class Published:
    """One value: `what` of which data set, from `least` to `most` of a unit; None: not said.

    `threads` is None of a ratio between numbers of threads. `words` are the study's, in short.
    """

    source: str
    what: str
    data: str
    threads: int | None
    unit: str
    least: float | None
    most: float | None
    words: str
    remark: str

    def of(self, data: str) -> bool:
        return self.data == "all" or data in self.data.split(", ")

    def holds(self, ours: float, slack: float = 0.0) -> bool:
        """Whether a value of ours is in its range, widened at both ends by a share of them."""
        above = self.least is None or ours >= self.least * (1 - slack)
        return above and (self.most is None or ours <= self.most * (1 + slack))


@cache
def published() -> tuple[Published, ...]:
    """All of it, in its order."""
    return tuple(Published(**json.loads(line)) for line in _TABLE.read_text().splitlines())


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
        for theirs in published()
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
