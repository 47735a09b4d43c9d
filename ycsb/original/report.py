"""What the original prints: its text report."""

from __future__ import annotations

from collections.abc import Iterator

from ...driver.client import Event

# In the order in which the original adds the shares up.
OPERATIONS = ("READ", "UPDATE", "INSERT", "SCAN", "READ-MODIFY-WRITE")
_LATENCIES = {
    "MinLatency(us)": "min_us",
    "MaxLatency(us)": "max_us",
    "50thPercentileLatency(us)": "p50_us",
    "95thPercentileLatency(us)": "p95_us",
    "99thPercentileLatency(us)": "p99_us",
}


def lines(result: Event) -> Iterator[str]:
    """Yield the report of a slice: latencies in whole microseconds but the mean, as it has them.

    Failed operations stand in a block of their own, and are no part of the throughput.
    """
    yield from _overall(result["measure_s"], result["requests"])
    for name in OPERATIONS:
        operation = result["operations"].get(name)
        if operation is None:
            continue
        if operation["count"]:
            yield f"[{name}], Operations, {operation['count']}"
            yield f"[{name}], AverageLatency(us), {operation['mean_us']}"
            for label, key in _LATENCIES.items():
                yield f"[{name}], {label}, {round(operation[key])}"
            yield f"[{name}], Return=OK, {operation['count']}"
        if operation["errors"]:
            yield f"[{name}-FAILED], Operations, {operation['errors']}"
            yield f"[{name}], Return=ERROR, {operation['errors']}"


def loaded(event: Event) -> Iterator[str]:
    """Yield the report of a load, whose records are inserted as files: they have no latencies."""
    yield from _overall(event["seconds"], event["records"])
    yield f"[INSERT], Operations, {event['records']}"
    yield f"[INSERT], Return=OK, {event['records']}"


def _overall(seconds: float, operations: int) -> Iterator[str]:
    yield f"[OVERALL], RunTime(ms), {round(1000 * seconds)}"
    yield f"[OVERALL], Throughput(ops/sec), {operations / seconds if seconds else 0.0}"
