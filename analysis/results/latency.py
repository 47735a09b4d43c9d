"""How long requests took in a cell: its slices' histograms merged, percentiles with intervals.

A percentile's interval is Woodruff's (1952): of the share of requests that took at least as long,
a ratio of sums over the slots, the same bootstrap gives the interval that every throughput's ratio
gets; the merged distribution turns the ends of that share into times.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from hdrh.histogram import HdrHistogram

from ... import workloads
from ...cell import Cell
from ...row import Row
from .. import stats
from ..stats import NOTHING, Floats, Interval, Ints
from .panel import Panel

if TYPE_CHECKING:
    from .result import CellResult

ALL = ""
"""The operation that stands for the requests of all operations."""
PERCENTILES = (50.0, 95.0, 99.0, 99.9)

_PREFIX, _SUFFIX = "op_", "_latency_hdr"
_LONGEST = 1 << 20  # characters of a histogram; a driver's has some thousand
_US = 1e-3  # of a histogram's nanosecond
_POINTS_PER_DECADE = 20
_DRAWS = 1000  # of the bootstrap's: there are some two hundred percentiles in a report
_DECADES = 5  # of a curve: to five nines


@dataclass(frozen=True)
class Latency:
    """Of one operation, or of `ALL`, in the slices of a cell that are in its estimate.

    `quantiles` have the times, in us, that so many of a hundred requests took at most, of
    PERCENTILES as far as there are requests beyond; of one round without bounds.
    """

    operation: str
    count: int
    slices: int  # that have a histogram
    quantiles: Mapping[float, Interval]
    max_us: float  # the longest that was seen; of another campaign it would be another
    merged: Merged

    def quantile(self, percentile: float) -> Interval:
        """Of one of PERCENTILES; nothing where it is not known."""
        return self.quantiles.get(percentile, NOTHING)

    @cached_property
    def curve(self) -> tuple[tuple[float, float], ...]:
        """Points of the percentile curve: the share of requests that took longer, and us.

        The shares fall from 1 in equal steps of their logarithm, to five nines or as far as there
        are requests.
        """
        steps = range(_POINTS_PER_DECADE * _DECADES + 1)
        shares = (10 ** (-step / _POINTS_PER_DECADE) for step in steps)
        return tuple((one, self.merged.us(1 - one)) for one in shares if one * self.count >= 1)


@dataclass(frozen=True)
class Merged:
    """The sum of some histograms: how many values lie in each of their slots."""

    layout: HdrHistogram  # any of them: it knows which values a slot holds
    counts: Ints

    @cached_property
    def up_to(self) -> Ints:
        return np.cumsum(self.counts)

    def place(self, quantile: float) -> int:
        """The slot of the value that this fraction does not exceed."""
        total = int(self.up_to[-1])
        rank = min(max(1, math.ceil(quantile * total - 1e-6)), total)
        return int(np.searchsorted(self.up_to, rank))

    def us(self, quantile: float) -> float:
        """The largest value of that slot."""
        value = self.layout.get_value_from_index(self.place(quantile))
        return float(self.layout.get_highest_equivalent_value(value)) * _US


@dataclass(frozen=True)
class _Slices:
    """The histograms of one operation: of each slot the counts of those values that it has."""

    layout: HdrHistogram
    places: dict[int, Ints]
    counts: dict[int, Ints]

    def merged(self) -> Merged:
        total = np.zeros(self.layout.counts_len, dtype=np.int64)
        for slot, places in self.places.items():
            total[places] += self.counts[slot]
        return Merged(self.layout, total)

    def from_place(self, place: int, slots: int) -> Floats:
        """Of each slot how many values lie there or further; NaN without a histogram."""
        found = np.full(slots, np.nan)
        for slot, places in self.places.items():
            found[slot] = self.counts[slot][np.searchsorted(places, place) :].sum()
        return found


def latencies_of(panel: Panel, cell: Cell) -> tuple[Latency, ...]:
    """Of all operations together, then of each, the most frequent first.

    A histogram that cannot be read, or that is laid out otherwise than the others, is not counted.
    """
    rows = panel.slices.get(cell, {})
    every = dict.fromkeys(name for row in rows.values() for name in row)
    columns = [name for name in every if name.startswith(_PREFIX) and name.endswith(_SUFFIX)]
    histograms = (
        _of(panel, rows, name, name.removeprefix(_PREFIX).removesuffix(_SUFFIX)) for name in columns
    )
    found = [one for one in histograms if one is not None]
    whole = _of(panel, rows, "latency_hdr", ALL)
    found.sort(key=lambda one: (-one.count, one.operation))
    return (whole, *found) if whole else tuple(found)


def operation_of(group: Sequence[CellResult]) -> str:
    """What a comparison's latency is told of: the main write of its first cell, or `ALL`."""
    first = next((one for one in group if one.latencies), None)
    return (main_write(first.workload, first.latencies) if first else None) or ALL


def called(operation: str) -> str:
    """What reports call an operation."""
    return operation or "all operations"


def main_write(workload: str, latencies: Sequence[Latency]) -> str | None:
    """The operation that commits and that the throughput counts, where it counts but one; else
    the one of which there were most; None where none is known."""
    record = workloads.of(workload)
    counts = [one for one in latencies if one.operation in (record.writes or ())]
    counted = record.unit.counted.upper().replace("-", "_")
    if counted in (one.operation for one in counts):
        return counted
    return max(counts, key=lambda one: one.count).operation if counts else None


def _of(panel: Panel, rows: dict[int, Row], column: str, operation: str) -> Latency | None:
    slices = _slices(rows, column)
    if slices is None:
        return None
    merged = slices.merged()
    count = int(merged.up_to[-1])
    beyond = [one for one in PERCENTILES if count * (100 - one) >= 100]
    most = [rows[slot].get(column.replace("hdr", "us_max")) for slot in slices.places]
    known = [float(one) for one in most if isinstance(one, (int, float))]
    return Latency(
        operation=operation,
        count=count,
        slices=len(slices.places),
        quantiles={one: _quantile(panel, slices, merged, one) for one in beyond},
        max_us=max(known, default=merged.us(1.0)),
        merged=merged,
    )


def _slices(rows: dict[int, Row], column: str) -> _Slices | None:
    """None without a histogram that holds a value."""
    layout, places, counts = None, {}, {}
    for slot, row in rows.items():
        one = _decoded(row.get(column))
        if one is None:
            continue
        layout = layout or one
        if one.counts_len != layout.counts_len or one.unit_magnitude != layout.unit_magnitude:
            continue
        values = np.ctypeslib.as_array(one.encoder.payload.counts)
        places[slot] = np.flatnonzero(values != 0)
        counts[slot] = values[places[slot]].astype(np.int64)
    return _Slices(layout, places, counts) if layout else None


def _decoded(text: object) -> HdrHistogram | None:
    """The histogram of a row; None where it has none, an empty one, or what is none."""
    if not isinstance(text, str) or not 0 < len(text) <= _LONGEST:
        return None
    try:
        one = HdrHistogram.decode(text)
    except Exception:  # what a broken text makes of it depends on where it broke
        return None
    return one if one.get_total_count() > 0 else None


def _quantile(panel: Panel, slices: _Slices, merged: Merged, percentile: float) -> Interval:
    share, slots = 1 - percentile / 100, len(panel.slots)
    place = merged.place(percentile / 100)
    beyond = slices.from_place(place, slots)
    by = replace(panel.by, weights=panel.by.weights[:_DRAWS])
    drawn = stats.draws(beyond, slices.from_place(0, slots), by)
    us, ends = merged.us(percentile / 100), drawn.ends()
    if ends is None:
        return Interval(us, None, None)
    fewer, more = (min(1.0, share * math.exp(end)) for end in ends)
    return Interval(us, min(us, merged.us(1 - more)), max(us, merged.us(1 - fewer)))
