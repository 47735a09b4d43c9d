"""The lines that the original logs, and those of its stream of statistics and its CSV file.

Scripts search logs for these, so their wording is part of the interface. The driver measures finer
than the original's latency buckets; each percentile is shown as the bucket that it lies in
(DEVIATION T15).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Event = Mapping[str, Any]
"""One event of the driver."""
Operations = Mapping[str, Mapping[str, Any]]
"""The `operations` of the driver's slice event: latencies in microseconds by name."""

STREAM_HEADER = (
    "threadID,timestamp,op,totalops,totalerrors,ops,sampleDuration_us,sampleOps,"
    "mean_us,min_us,p25_us,p50_us,p75_us,p90_us,p95_us,p99_us,max_us"
)
# The original's own list: it leaves DELETE_LINK out.
_STREAMED = (
    *("MULTIGET_LINK", "GET_LINKS_LIST", "COUNT_LINK", "UPDATE_LINK", "ADD_LINK"),
    *("RANGE_SIZE", "ADD_NODE", "UPDATE_NODE", "DELETE_NODE", "GET_NODE"),
)
_STREAM_STATISTICS = ("mean", "min", "p25", "p50", "p75", "p90", "p95", "p99", "max")
_LINE_STATISTICS = ("mean", "min", "25%", "50%", "75%", "90%", "95%", "99%", "max")

# In the order in which the original reports them.
OPERATIONS = (
    *("ADD_NODE", "UPDATE_NODE", "DELETE_NODE", "GET_NODE", "ADD_LINK", "DELETE_LINK"),
    *("UPDATE_LINK", "COUNT_LINK", "MULTIGET_LINK", "GET_LINKS_LIST"),
)
_PERCENTILES = (25, 50, 75, 95, 99)
_MS = 1000
_S = 1_000_000
# How wide buckets are up to which latency.
_WIDTHS = ((100, _MS), (_MS, 100 * _MS), (100 * _MS, _S), (_S, 10 * _S))


def crossed(before: int, now: int, interval: int, total: int) -> bool:
    """Whether a progress line is due: a multiple of `interval` was passed, or all is done."""
    return now // interval > before // interval or before < total <= now


def load_progress(event: Event, ids: int) -> str:
    """Return the line of a load's `progress`; `ids` are to be loaded in all."""
    seconds = max(event["seconds"], 1e-9)
    return (
        f"{event['ids']}/{ids} id1s loaded ({100 * event['ids'] / ids:.1f}% complete) "
        f"at {event['ids'] / seconds:.2f} id1s/sec avg. "
        f"{event['links']} links loaded at {event['links'] / seconds:.2f} links/sec avg."
    )


def load_completed(event: Event, ids: int) -> str:
    """Return the closing line of a load, from the driver's event `loaded`."""
    nodes, links, seconds = event["nodes"], event["links"], event["seconds"]
    return (
        f"LOAD PHASE COMPLETED.  Loaded {nodes} nodes (Expected {ids})."
        f" Loaded {links} links ({links / max(nodes, 1):.2f} links per node). "
        f" Took {seconds:.1f} seconds.  Links/second = {round(links / max(seconds, 1e-9))}"
    )


@dataclass(frozen=True)
class Goal:
    """When a request phase ends: after so many requests or so many seconds."""

    requests: int
    seconds: int


def request_progress(done: int, elapsed_s: float, goal: Goal) -> str:
    """Return the line of requests that all threads have done after `elapsed_s` of measuring."""
    elapsed_s = max(elapsed_s, 1e-9)
    return (
        f"{done}/{goal.requests} requests finished: {100 * done / goal.requests:.1f}% complete "
        f"at {done / elapsed_s:.1f} ops/sec {elapsed_s:.1f}/{goal.seconds} secs elapsed: "
        f"{100 * elapsed_s / goal.seconds:.1f}% of time limit used"
    )


def requester_progress(thread: int, done: int, goal: int) -> str:
    """Return the line of one thread; `goal` is the number of its requests."""
    return f"Requester #{thread} {done}/{goal} requests done"


def requester_done(thread: Event, list_reads: int) -> str:
    """Return the closing line of one of the slice's threads, which read so many lists."""
    rate = int(thread["requests"] / max(thread["seconds"], 1e-3))
    return (
        f"ThreadID = {thread['thread']} total requests = {thread['requests']}"
        f" requests/second = {rate}"
        f" found = {thread['found']} not found = {thread['not_found']}"
        f" history queries = {thread['counters']['history_queries']}/{list_reads}"
    )


def requests_completed(requests: int, seconds: float) -> str:
    """Return the closing line of the requests; both figures are cut to whole numbers, as there."""
    return (
        f"REQUEST PHASE COMPLETED. {requests} requests done in {int(seconds)} seconds."
        f" Requests/second = {int(requests / max(seconds, 1e-3))}"
    )


def thread_lines(event: Event) -> Iterator[str]:
    """Yield what one thread did since its last `thread_stats` event, a line for each operation."""
    for name, total, stats in _streamed(event):
        head = (
            f"ThreadID = {event['thread']} {name} {'totalOps' if stats else 'totalops'} = {total}"
            f" totalErrors = {event['total_errors']} ops = {stats['count'] if stats else 0}"
            f" sampleDuration = {int(event['duration_ms'])}ms"
            f" samples = {stats['count'] if stats else 0}"
        )
        if not stats:
            yield head
            continue
        mean, *others = _statistics(name, stats)
        words = [decimal(mean, 2), *(str(int(value)) for value in others)]
        pairs = zip(_LINE_STATISTICS, words, strict=True)
        yield head + "".join(f" {label} = {word}" for label, word in pairs)


def stream_lines(event: Event) -> Iterator[str]:
    """Yield what one thread did since its last event as the lines of -csvstream."""
    for name, total, stats in _streamed(event):
        count = stats["count"] if stats else 0
        head = f"{event['thread']},{int(event['unix_s'])},{name},{total},{event['total_errors']}"
        head += f",{count},{int(event['duration_ms'])},{count}"
        if not stats:
            yield head + "," * len(_STREAM_STATISTICS)
            continue
        mean, *others = _statistics(name, stats)
        yield ",".join([head, str(float(mean)), *(str(int(value)) for value in others)])


def _streamed(event: Event) -> Iterator[tuple[str, int, Mapping[str, Any] | None]]:
    """Yield each name, its total so far, and the statistics of the interval if there were any."""
    for name in _STREAMED:
        stats = event["operations"].get(name)
        total = stats["total"] if stats else 0
        yield name, total, stats if stats and stats["count"] > 0 else None


def _statistics(name: str, stats: Mapping[str, Any]) -> list[float]:
    unit = "rows" if name == "RANGE_SIZE" else "us"
    return [stats[f"{statistic}_{unit}"] for statistic in _STREAM_STATISTICS]


def bucket_us(latency_us: float) -> tuple[int, int]:
    """Return the bucket [low, high) of a latency, in microseconds; the last is open above."""
    for width, limit in _WIDTHS:
        if latency_us < limit:
            low = int(latency_us // width) * width
            return low, low + width
    return 10 * _S, 100 * _S


def decimal(value: float, digits: int) -> str:
    """Format as Java's DecimalFormat("#.##") does: so many digits at most, no zeros at the end."""
    return f"{value:.{digits}f}".rstrip("0").rstrip(".")


def latency_table(operations: Operations) -> Iterator[str]:
    """Yield a line for each operation that happened."""
    for name, stats in _measured(operations):
        buckets = " ".join(f" p{p} = {_bracketed(stats[f'p{p}_us'])}ms" for p in _PERCENTILES)
        yield (
            f"{name} count = {stats['count']} {buckets} "
            f" max = {decimal(stats['max_us'] / _MS, 3)}ms "
            f" mean = {decimal(stats['mean_us'] / _MS, 3)}ms"
        )


def latency_csv(operations: Operations) -> Iterator[str]:
    """Yield the lines of -csvstats for one phase in milliseconds, its header first."""
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
