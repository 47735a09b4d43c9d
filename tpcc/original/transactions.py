"""The five transactions in the driver's and tpcc-mysql's order, and their results in a slice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hdrh.histogram import HdrHistogram

_NS_PER_S = 1_000_000_000
# The report file's: fine enough for an embedded store, whose New-Orders take less than 1 ms.
_BUCKETS_PER_MS = 10
_BUCKET_NS = 1_000_000 // _BUCKETS_PER_MS


@dataclass(frozen=True)
class Transaction:
    """A transaction of clause 2."""

    name: str  # in the driver's events
    title: str  # in clause 2, and in tpcc-mysql's output
    limit_s: float  # 90 % must respond within it (clause 5.2.5.7)
    least_percent: float | None = None  # of the mix (clause 5.2.3); None: no minimum


TRANSACTIONS = (
    Transaction("NEW_ORDER", "New-Order", 5),
    Transaction("PAYMENT", "Payment", 5, 43.0),
    Transaction("ORDER_STATUS", "Order-Status", 5, 4.0),
    # DEVIATION T3: executed at once, so the limit is that of clause 2.7.2.2 for the execution
    # and not the 5 s for the answer that it is queued.
    Transaction("DELIVERY", "Delivery", 80, 4.0),
    Transaction("STOCK_LEVEL", "Stock-Level", 20, 4.0),
)
LIMITS_S = tuple(transaction.limit_s for transaction in TRANSACTIONS)

NEW_ORDER = TRANSACTIONS[0].name


def tpmc(new_orders: int, seconds: float) -> float:
    """Return completed New-Orders a minute, with those rolled back by rule (clause 5.4)."""
    return new_orders * 60 / seconds if seconds > 0 else 0.0


@dataclass(frozen=True)
class Result:
    """What became of one transaction in the measured interval."""

    in_time: int
    late: int
    retries: int
    failures: int
    mean_ms: float  # 0 if none completed

    @property
    def completed(self) -> int:
        return self.in_time + self.late


def results(slice_event: Mapping[str, Any], limits_s: Sequence[float]) -> list[Result]:
    """Return a result for each of TRANSACTIONS; the driver leaves out those that did not occur."""
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
    """Count those that took longer, to the histogram's 0.1 %."""
    return sum(count for latency_ns, count in _recorded(hdr) if latency_ns > limit_s * _NS_PER_S)


def histogram(slice_event: Mapping[str, Any]) -> Iterator[str]:
    """Yield the report file: New-Orders by the upper end of their bucket, without empty ones."""
    yield "response_time_ms,new_orders"
    stats = slice_event["operations"].get(NEW_ORDER)
    buckets: dict[int, int] = {}
    for latency_ns, count in _recorded(stats["hdr"]) if stats else ():
        bucket = int(latency_ns // _BUCKET_NS) + 1
        buckets[bucket] = buckets.get(bucket, 0) + count
    for bucket, count in sorted(buckets.items()):
        yield f"{bucket / _BUCKETS_PER_MS:.1f},{count}"


def _recorded(hdr: str) -> Iterator[tuple[int, int]]:
    """Yield each latency in nanoseconds, the lowest of its slot, and how often it occurred."""
    decoded = HdrHistogram.decode(hdr)
    for slot in decoded.get_recorded_iterator():
        lowest = decoded.get_lowest_equivalent_value(slot.value_iterated_to)
        yield lowest, slot.count_added_in_this_iter_step
