"""What became of each transaction in a slice, response times against their limits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hdrh.histogram import HdrHistogram

from .transactions import NEW_ORDER, TRANSACTIONS

_NS_PER_S = 1_000_000_000
# Of the report file: fine enough for an embedded store, whose New-Orders take less than 1 ms.
_BUCKETS_PER_MS = 10
_BUCKET_NS = 1_000_000 // _BUCKETS_PER_MS


@dataclass(frozen=True)
class Result:
    """Of one transaction in the measured interval."""

    in_time: int
    late: int
    retries: int
    failures: int
    mean_ms: float  # 0 if none completed

    @property
    def completed(self) -> int:
        return self.in_time + self.late


def results(slice_event: Mapping[str, Any], limits_s: Sequence[float]) -> list[Result]:
    """One for each of TRANSACTIONS; the driver leaves out those that did not occur."""
    return [
        _result(slice_event["operations"].get(transaction.name), limit_s)
        for transaction, limit_s in zip(TRANSACTIONS, limits_s, strict=True)
    ]


def _result(stats: Mapping[str, Any] | None, limit_s: float) -> Result:
    if stats is None:
        return Result(0, 0, 0, 0, 0.0)
    late = _late(stats["hdr"], limit_s)
    mean_ms = stats["mean_us"] / 1000 if stats["count"] else 0.0
    return Result(stats["count"] - late, late, stats["retries"], stats["errors"], mean_ms)


def _late(hdr: str, limit_s: float) -> int:
    """How many took longer, to the histogram's 0.1 %."""
    return sum(count for latency_ns, count in _recorded(hdr) if latency_ns > limit_s * _NS_PER_S)


def histogram(slice_event: Mapping[str, Any]) -> Iterator[str]:
    """The lines of the report file: New-Orders by the bucket's upper end, empty ones left out."""
    yield "response_time_ms,new_orders"
    stats = slice_event["operations"].get(NEW_ORDER)
    buckets: dict[int, int] = {}
    for latency_ns, count in _recorded(stats["hdr"]) if stats else ():
        bucket = int(latency_ns // _BUCKET_NS) + 1
        buckets[bucket] = buckets.get(bucket, 0) + count
    for bucket, count in sorted(buckets.items()):
        yield f"{bucket / _BUCKETS_PER_MS:.1f},{count}"


def _recorded(hdr: str) -> Iterator[tuple[int, int]]:
    """Latency in nanoseconds, the lowest of its slot, and how often it occurred."""
    decoded = HdrHistogram.decode(hdr)
    for slot in decoded.get_recorded_iterator():
        lowest = decoded.get_lowest_equivalent_value(slot.value_iterated_to)
        yield lowest, slot.count_added_in_this_iter_step
