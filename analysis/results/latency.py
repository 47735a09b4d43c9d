"""Request latencies of a cell: merged histograms of its slices, percentiles with intervals.

The interval of a percentile is Woodruff's (1952). The share of requests that took at least as long
is a ratio of sums over the slots, so it gets its interval from the same bootstrap as every ratio of
throughputs. The merged distribution turns the ends of that share into times.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from hdrh.histogram import HdrHistogram

from ... import workloads
from ...cell import Cell
from ...row import Row
from .. import stats
from ..stats import NOTHING, Floats, Interval, Ints
from .panel import Panel

ALL = ""
"""The operation that stands for the requests of all operations together."""
PERCENTILES = (50.0, 95.0, 99.0, 99.9)

_PREFIX, _SUFFIX = "op_", "_latency_hdr"
_LONGEST = 1 << 20  # characters of a histogram; a driver's has some thousand
_US = 1e-3  # us per nanosecond of a histogram
_POINTS_PER_DECADE = 20
_DRAWS = 1000  # of the bootstrap: a report has some two hundred percentiles
_DECADES = 5  # of a curve, up to five nines


@dataclass(frozen=True)
class Latency:
    """The latency of one operation, or of `ALL`, in the slices that a cell's estimate uses.

    `quantiles` maps those of PERCENTILES that have requests beyond them to times in us. They have
    no bounds if there was only one round.
    """

    operation: str
    count: int
    slices: int  # slices with a histogram
    quantiles: Mapping[float, Interval]
    max_us: float  # the longest that was seen; another campaign would see another
    merged: Merged

    def quantile(self, percentile: float) -> Interval:
        """Return the interval of one of PERCENTILES; an unknown one has no value."""
        return self.quantiles.get(percentile, NOTHING)

    @cached_property
    def curve(self) -> tuple[tuple[float, float], ...]:
        """Points of the percentile curve: the share of requests that took longer, and us.

        The shares fall from 1 in equal logarithmic steps, to five nines or as far as there are
        requests.
        """
        steps = range(_POINTS_PER_DECADE * _DECADES + 1)
        shares = (10 ** (-step / _POINTS_PER_DECADE) for step in steps)
        return tuple(
            (share, self.merged.us(1 - share)) for share in shares if share * self.count >= 1
        )


@dataclass(frozen=True)
class Merged:
    """Histograms of one operation: for each slot of the panel its values, and the sum of all.

    `places` and `counts` are those of a slot's histogram that hold a value.
    """

    layout: HdrHistogram  # that of any histogram: it knows which values a place holds
    places: Mapping[int, Ints]
    counts: Mapping[int, Ints]

    @cached_property
    def up_to(self) -> Ints:
        total = np.zeros(self.layout.counts_len, dtype=np.int64)
        for slot, places in self.places.items():
            total[places] += self.counts[slot]
        return np.cumsum(total)

    def place(self, quantile: float) -> int:
        """Return the place of the value that this fraction of values does not exceed."""
        total = int(self.up_to[-1])
        rank = min(max(1, math.ceil(quantile * total - 1e-6)), total)
        return int(np.searchsorted(self.up_to, rank))

    def us(self, quantile: float) -> float:
        """Return the largest value of that place."""
        value = self.layout.get_value_from_index(self.place(quantile))
        return float(self.layout.get_highest_equivalent_value(value)) * _US

    def from_place(self, place: int, slots: int) -> Floats:
        """Return how many values of each slot lie at `place` or beyond; NaN without a histogram."""
        counts = np.full(slots, np.nan)
        for slot, places in self.places.items():
            counts[slot] = self.counts[slot][np.searchsorted(places, place) :].sum()
        return counts


def latencies_of(panel: Panel, cell: Cell) -> tuple[Latency, ...]:
    """Return the latencies of all operations together, then of each, most frequent first.

    Histograms that cannot be read, or whose layout differs from the others, are not counted.
    """
    rows = panel.slices.get(cell, {})
    every = dict.fromkeys(name for row in rows.values() for name in row)
    columns = [name for name in every if name.startswith(_PREFIX) and name.endswith(_SUFFIX)]
    histograms = (
        _of(panel, rows, name, name.removeprefix(_PREFIX).removesuffix(_SUFFIX)) for name in columns
    )
    latencies = [latency for latency in histograms if latency is not None]
    whole = _of(panel, rows, "latency_hdr", ALL)
    latencies.sort(key=lambda latency: (-latency.count, latency.operation))
    return (whole, *latencies) if whole else tuple(latencies)


def called(operation: str) -> str:
    """Return the name of an operation in reports."""
    return operation or "all operations"


def main_write(workload: str, latencies: Sequence[Latency]) -> str | None:
    """Return the committing operation that the throughput counts, if it counts exactly one.

    Otherwise return the most frequent committing operation; None if none is known.
    """
    record = workloads.of(workload)
    counts = [latency for latency in latencies if latency.operation in (record.writes or ())]
    counted = record.unit.counted.upper().replace("-", "_")
    if counted in (latency.operation for latency in counts):
        return counted
    return max(counts, key=lambda latency: latency.count).operation if counts else None


def _of(panel: Panel, rows: dict[int, Row], column: str, operation: str) -> Latency | None:
    merged = _merged(rows, column)
    if merged is None:
        return None
    count = int(merged.up_to[-1])
    beyond = [percentile for percentile in PERCENTILES if count * (100 - percentile) >= 100]
    most = [rows[slot].get(column.replace("hdr", "us_max")) for slot in merged.places]
    known = [float(longest) for longest in most if isinstance(longest, (int, float))]
    return Latency(
        operation=operation,
        count=count,
        slices=len(merged.places),
        quantiles={percentile: _quantile(panel, merged, percentile) for percentile in beyond},
        max_us=max(known, default=merged.us(1.0)),
        merged=merged,
    )


def _merged(rows: dict[int, Row], column: str) -> Merged | None:
    """Merge the histograms of a column; None if none of them holds a value."""
    layout, places, counts = None, {}, {}
    for slot, row in rows.items():
        histogram = _decoded(row.get(column))
        if histogram is None:
            continue
        layout = layout or histogram
        if (
            histogram.counts_len != layout.counts_len
            or histogram.unit_magnitude != layout.unit_magnitude
        ):
            continue
        values = np.ctypeslib.as_array(histogram.encoder.payload.counts)
        places[slot] = np.flatnonzero(values != 0)
        counts[slot] = values[places[slot]].astype(np.int64)
    return Merged(layout, places, counts) if layout else None


def _decoded(text: object) -> HdrHistogram | None:
    """Return the histogram of a row; None if it is missing, empty or unreadable."""
    if not isinstance(text, str) or not 0 < len(text) <= _LONGEST:
        return None
    try:
        histogram = HdrHistogram.decode(text)
    except Exception:  # which error a broken text raises depends on where it broke
        return None
    return histogram if histogram.get_total_count() > 0 else None


def _quantile(panel: Panel, merged: Merged, percentile: float) -> Interval:
    share, slots = 1 - percentile / 100, len(panel.slots)
    beyond = merged.from_place(merged.place(percentile / 100), slots)
    by = replace(panel.by, weights=panel.by.weights[:_DRAWS])
    drawn = stats.draws(beyond, merged.from_place(0, slots), by)
    us, ends = merged.us(percentile / 100), drawn.ends()
    if ends is None:
        return Interval(us, None, None)
    fewer, more = (min(1.0, share * math.exp(end)) for end in ends)
    return Interval(us, min(us, merged.us(1 - more)), max(us, merged.us(1 - fewer)))
