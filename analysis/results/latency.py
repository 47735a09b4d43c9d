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
from ..stats import NOTHING, Floats, Interval, Ints, Resampling
from .panel import Panel

ALL = ""
"""The operation that stands for the requests of all operations together."""
PERCENTILES = (50.0, 95.0, 99.0, 99.9)

_PREFIX, _SUFFIX = "op_", "_latency_hdr"
_LONGEST = 1 << 20  # characters of a histogram; a driver's has some thousand
_US = 1e-3  # us per nanosecond of a histogram
_DRAWS = 1000  # of the bootstrap: a report has some two hundred percentiles


@dataclass(frozen=True, eq=False)
class Latency:
    """The latency of one operation, or of `ALL`, in the slices that a cell's estimate uses.

    `counts[slot, n]` is how many values of the slot's histogram lie in the `n`th of `places`, NaN
    without a histogram; `layout` is that of any histogram, and knows which values a place holds.
    """

    operation: str
    max_us: float  # the longest that was seen; another campaign would see another
    layout: HdrHistogram
    places: Ints
    counts: Floats
    by: Resampling

    @cached_property
    def _up_to(self) -> Floats:
        up_to: Floats = np.cumsum(np.nansum(self.counts, axis=0))
        return up_to

    @property
    def count(self) -> int:
        return int(self._up_to[-1])

    @property
    def slices(self) -> int:
        """The number of slices with a histogram."""
        return int(np.isfinite(self.counts[:, 0]).sum())

    @cached_property
    def quantiles(self) -> Mapping[float, Interval]:
        """The times in us of those of PERCENTILES that have requests beyond them.

        They have no bounds if there was only one round.
        """
        known = (each for each in PERCENTILES if self.count * (100 - each) >= 100)
        return {percentile: self._interval(percentile / 100) for percentile in known}

    def quantile(self, percentile: float) -> Interval:
        """Return the interval of one of PERCENTILES; an unknown one has no value."""
        return self.quantiles.get(percentile, NOTHING)

    def _nth(self, quantile: float) -> int:
        """Return the number of the place that this fraction of values does not exceed."""
        rank = min(max(1, math.ceil(quantile * self.count - 1e-6)), self.count)
        return int(np.searchsorted(self._up_to, rank))

    def us(self, quantile: float) -> float:
        """Return the largest value of that place."""
        value = self.layout.get_value_from_index(int(self.places[self._nth(quantile)]))
        return float(self.layout.get_highest_equivalent_value(value)) * _US

    def _interval(self, quantile: float) -> Interval:
        beyond = self.counts[:, self._nth(quantile) :].sum(axis=1)
        us, ends = self.us(quantile), stats.draws(beyond, self.counts.sum(axis=1), self.by).ends()
        if ends is None:
            return Interval(us, None, None)
        fewer, more = (min(1.0, (1 - quantile) * math.exp(end)) for end in ends)
        return Interval(us, min(us, self.us(1 - more)), max(us, self.us(1 - fewer)))


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
    """Return the latency by the histograms of a column; None if none of them holds a value."""
    decoded = {slot: _decoded(row.get(column)) for slot, row in rows.items()}
    histograms = {slot: each for slot, each in decoded.items() if each is not None}
    if not histograms:
        return None
    layout = next(iter(histograms.values()))
    values = {
        slot: np.ctypeslib.as_array(each.encoder.payload.counts)
        for slot, each in histograms.items()
        if (each.counts_len, each.unit_magnitude) == (layout.counts_len, layout.unit_magnitude)
    }
    places = np.flatnonzero(np.any([mine != 0 for mine in values.values()], axis=0))
    counts = np.full((len(panel.slots), places.size), np.nan)
    for slot, mine in values.items():
        counts[slot] = mine[places]
    by = replace(panel.by, weights=panel.by.weights[:_DRAWS])
    most = [rows[slot].get(column.replace("hdr", "us_max")) for slot in values]
    known = [float(longest) for longest in most if isinstance(longest, (int, float))]
    latency = Latency(operation, max(known, default=0.0), layout, places, counts, by)
    return latency if known else replace(latency, max_us=latency.us(1.0))


def _decoded(text: object) -> HdrHistogram | None:
    """Return the histogram of a row; None if it is missing, empty or unreadable."""
    if not isinstance(text, str) or not 0 < len(text) <= _LONGEST:
        return None
    try:
        histogram = HdrHistogram.decode(text)
    except Exception:  # which error a broken text raises depends on where it broke
        return None
    return histogram if histogram.get_total_count() > 0 else None
