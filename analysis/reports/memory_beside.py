"""Our figures beside the published study of data against memory, value by value.

Its charts carry no numbers, so these are the values of its prose, mostly bounds or ratios. It gives
its machine 4 GB of memory in one place and 8 GB in another; a c5.large has 4 GiB. Each
configuration ran once, for an hour with four threads and for half an hour with one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ..numerals import number
from ..results.latency import ALL
from ..series import Column, Series, View
from ..sweep.memory import MemoryPoint

WORKLOAD = "shop"
# Its data sets of 10.6, 18 and 35 million rows over its memory, by the types of its rows.
_RATIOS = {"small": 0.75, "medium": 1.25, "large": 2.5}
_TABLE = Path(__file__).parent.parent / "memory.jsonl"
_SLACK = 0.15  # another machine, so only shapes are compared: see the remarks
Points = Mapping[tuple[float, int], MemoryPoint]


@dataclass(frozen=True)
class Published:
    """One value: `what` of which data set, from `least` to `most` of a unit; None: not stated.

    `threads` is None for a ratio between numbers of threads. `words` summarises the study's text.
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
        """Return whether our value is in its range, widened at both ends by the share `slack`."""
        above = self.least is None or ours >= self.least * (1 - slack)
        return above and (self.most is None or ours <= self.most * (1 + slack))


@cache
def published() -> tuple[Published, ...]:
    """Return all published values in their order."""
    return tuple(Published(**json.loads(line)) for line in _TABLE.read_text().splitlines())


@dataclass(frozen=True)
class Beside:
    """A published value, and ours for the same data set; None: not measured here."""

    theirs: Published
    data: str
    ours: float | None

    @property
    def verdict(self) -> str:
        """Whether ours is in its range, widened by `_SLACK`."""
        if self.ours is None:
            return "not measured"
        return "holds" if self.theirs.holds(self.ours, _SLACK) else "does not hold"


def beside(every: Sequence[MemoryPoint]) -> list[Beside]:
    """Pair published values with cells that sync their log; none for another workload."""
    if every[0].result.workload != WORKLOAD:
        return []
    points = {
        (point.ratio, point.result.threads): point for point in every if point.result.writes_wal
    }
    return [
        Beside(theirs, data, _ours(theirs, data, points))
        for theirs in published()
        for data in _RATIOS
        if theirs.of(data)
    ]


def _ours(theirs: Published, data: str, points: Points) -> float | None:
    """Return our value in the study's unit: latencies in ms, iowait in percent."""
    what, threads = theirs.what, theirs.threads or 4
    here = points.get((_RATIOS[data], threads))
    if what == "latency_p999":
        return _ms(here, 99.9)
    if what == "iowait" and here is not None:
        return None if here.iowait_share is None else 100 * here.iowait_share
    if what == "throughput_4_over_1_threads":
        few = points.get((_RATIOS[data], 1))
        rates = (None if point is None else point.result.throughput for point in (here, few))
        return _over(*rates)
    if what.endswith("medium_over_large") and data == "medium":
        percentile = 99.9 if "p999" in what else 99.0
        large = points.get((_RATIOS["large"], threads))
        return _over(_ms(here, percentile), _ms(large, percentile))
    return None


def _ms(point: MemoryPoint | None, percentile: float) -> float | None:
    latency = point and point.result.latency_of(ALL)
    return latency.quantile(percentile).scaled(1e-3).value if latency else None


def _over(above: float | None, below: float | None) -> float | None:
    return None if above is None or not below else above / below


_COLUMNS: tuple[Column[Beside], ...] = (
    Column(
        "what", "value", "text", "theirs.what", lambda value: value.theirs.what.replace("_", " ")
    ),
    Column("data", "data", "text"),
    Column(
        "threads", "clients", "text", "theirs.threads", lambda at: str(at.theirs.threads or "4, 1")
    ),
    Column("words", "theirs", "text", "theirs.words"),
    Column("ours", "ours", text=lambda value: f"{number(value.ours)} {value.theirs.unit}"),
    Column("verdict", "here", "text"),
    Column("remark", "remark", "text", "theirs.remark"),
    *(Column(name, of=f"theirs.{name}") for name in ("source", "unit", "least", "most")),
)
_VIEW: View[Beside] = View(
    "Beside the published study (MyRocks, 4 GB, a cloud volume), logs synced",
    "what data threads words ours verdict remark",
    lambda value: value.ours is not None,
)


def series(every: Sequence[MemoryPoint]) -> Series[Beside]:
    """Return the values; its table has those that were measured."""
    return Series("value", WORKLOAD, beside(every), _COLUMNS, [_VIEW])
