"""What the original prints: its text report, and the line of a run under way."""

from __future__ import annotations

import time
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


def status(elapsed_s: float, done: int, since: tuple[float, int]) -> str:
    """The line of -s, of a run in which `done` operations ended; `since` is the last one's."""
    before_s, before = since
    rate = (done - before) / (elapsed_s - before_s) if elapsed_s > before_s else 0.0
    now = time.time()
    stamp = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(now))
    milliseconds = int(now * 1000) % 1000
    head = f"{stamp}:{milliseconds:03d} {round(elapsed_s)} sec: {done} operations"
    return f"{head}; {rate:.1f} current ops/sec;"
