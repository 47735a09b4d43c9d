"""The original's latency buckets, and its table and CSV file made of them.

The driver measures finer than these; each percentile is shown as the bucket it lies in
(DEVIATION T15).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

# In the order of the original's reports.
OPERATIONS = (
    *("ADD_NODE", "UPDATE_NODE", "DELETE_NODE", "GET_NODE", "ADD_LINK", "DELETE_LINK"),
    *("UPDATE_LINK", "COUNT_LINK", "MULTIGET_LINK", "GET_LINKS_LIST"),
)
_PERCENTILES = (25, 50, 75, 95, 99)
_MS = 1000
_S = 1_000_000
# How wide buckets are up to which latency.
_WIDTHS = ((100, _MS), (_MS, 100 * _MS), (100 * _MS, _S), (_S, 10 * _S))

Operations = Mapping[str, Mapping[str, Any]]
"""The `operations` of the driver's slice event: latencies in microseconds by name."""


def bucket_us(latency_us: float) -> tuple[int, int]:
    """The bucket [low, high) of a latency, in microseconds; the last one is open above."""
    for width, limit in _WIDTHS:
        if latency_us < limit:
            low = int(latency_us // width) * width
            return low, low + width
    return 10 * _S, 100 * _S


def decimal(value: float, digits: int) -> str:
    """As Java's DecimalFormat("#.##") does: at most so many digits, no zeros at the end."""
    return f"{value:.{digits}f}".rstrip("0").rstrip(".")


def table(operations: Operations) -> Iterator[str]:
    """A line for each operation that happened."""
    for name, stats in _measured(operations):
        buckets = " ".join(f" p{p} = {_bracketed(stats[f'p{p}_us'])}ms" for p in _PERCENTILES)
        yield (
            f"{name} count = {stats['count']} {buckets} "
            f" max = {decimal(stats['max_us'] / _MS, 3)}ms "
            f" mean = {decimal(stats['mean_us'] / _MS, 3)}ms"
        )


def csv(operations: Operations) -> Iterator[str]:
    """The lines of -csvstats for one phase, its header first; milliseconds."""
    columns = ",".join(f"p{p}_low,p{p}_high" for p in _PERCENTILES)
    yield f"op,count,{columns},max,mean"
    for name, stats in _measured(operations):
        bounds = [bound for p in _PERCENTILES for bound in bucket_us(stats[f"p{p}_us"])]
        numbers = [decimal(us / _MS, 2) for us in (*bounds, stats["max_us"], stats["mean_us"])]
        yield ",".join([name, str(stats["count"]), *numbers])


def _measured(operations: Operations) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name in OPERATIONS:
        if name in operations and operations[name]["count"] > 0:
            yield name, operations[name]


def _bracketed(latency_us: float) -> str:
    low, high = bucket_us(latency_us)
    return f"[{decimal(low / _MS, 2)},{decimal(high / _MS, 2)}]"
