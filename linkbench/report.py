"""The original's progress, per-thread and closing lines, and its stream of statistics.

Scripts search logs for these, so their wording is part of the interface.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .latency import decimal

Event = Mapping[str, Any]
"""One event of the driver."""

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


def crossed(before: int, now: int, interval: int, total: int) -> bool:
    """Whether a progress line is due: a multiple of `interval` was passed, or all is done."""
    return now // interval > before // interval or before < total <= now


def load_progress(event: Event, ids: int) -> str:
    """`ids`: how many will be loaded."""
    seconds = max(event["seconds"], 1e-9)
    return (
        f"{event['ids']}/{ids} id1s loaded ({100 * event['ids'] / ids:.1f}% complete) "
        f"at {event['ids'] / seconds:.2f} id1s/sec avg. "
        f"{event['links']} links loaded at {event['links'] / seconds:.2f} links/sec avg."
    )


def load_completed(event: Event, ids: int) -> str:
    """`event`: the driver's `loaded`."""
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
    """`done` of all threads, after `elapsed_s` of measuring."""
    elapsed_s = max(elapsed_s, 1e-9)
    return (
        f"{done}/{goal.requests} requests finished: {100 * done / goal.requests:.1f}% complete "
        f"at {done / elapsed_s:.1f} ops/sec {elapsed_s:.1f}/{goal.seconds} secs elapsed: "
        f"{100 * elapsed_s / goal.seconds:.1f}% of time limit used"
    )


def requester_progress(thread: int, done: int, goal: int) -> str:
    """`goal`: requests of one thread."""
    return f"Requester #{thread} {done}/{goal} requests done"


def requester_done(thread: Event, list_reads: int) -> str:
    """`thread`: one of the slice event's; `list_reads`: how many lists that thread read."""
    rate = int(thread["requests"] / max(thread["seconds"], 1e-3))
    return (
        f"ThreadID = {thread['thread']} total requests = {thread['requests']}"
        f" requests/second = {rate}"
        f" found = {thread['found']} not found = {thread['not_found']}"
        f" history queries = {thread['counters']['history_queries']}/{list_reads}"
    )


def requests_completed(requests: int, seconds: float) -> str:
    """Both figures are cut to whole numbers, as the original does."""
    return (
        f"REQUEST PHASE COMPLETED. {requests} requests done in {int(seconds)} seconds."
        f" Requests/second = {int(requests / max(seconds, 1e-3))}"
    )


def thread_lines(event: Event) -> Iterator[str]:
    """What one thread did since its last `thread_stats` event, a line for each operation."""
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
    """The same as the lines of -csvstream."""
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
    """Name, total so far, and the statistics of the interval if there were any."""
    for name in _STREAMED:
        stats = event["operations"].get(name)
        total = stats["total"] if stats else 0
        yield name, total, stats if stats and stats["count"] > 0 else None


def _statistics(name: str, stats: Mapping[str, Any]) -> list[float]:
    unit = "rows" if name == "RANGE_SIZE" else "us"
    return [stats[f"{statistic}_{unit}"] for statistic in _STREAM_STATISTICS]
