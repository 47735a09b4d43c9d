from __future__ import annotations

import csv
import logging
from datetime import datetime
from typing import Any

import pytest
from waltax.linkbench.original import log, report


def test_a_log_line_has_level_time_with_milliseconds_and_thread() -> None:
    now = datetime(2026, 3, 4, 5, 6, 7, 89_999)
    line = log.line(logging.WARNING, "words", "Thread-3", now)
    assert line == "WARN 2026-03-04 05:06:07,089 [Thread-3]: words"


@pytest.mark.parametrize(
    ("us", "bucket"),
    [
        (0.0, (0, 100)),
        (99.9, (0, 100)),
        (100.0, (100, 200)),
        (999.9, (900, 1000)),
        (1000.0, (1000, 2000)),
        (99_999.0, (99_000, 100_000)),
        (100_000.0, (100_000, 200_000)),
        (999_999.0, (900_000, 1_000_000)),
        (1e6, (1_000_000, 2_000_000)),
        (9_999_999.0, (9_000_000, 10_000_000)),
        (1e7, (10_000_000, 100_000_000)),
        (1e9, (10_000_000, 100_000_000)),
    ],
)
def test_buckets_are_the_originals(us: float, bucket: tuple[int, int]) -> None:
    assert report.bucket_us(us) == bucket


# What OpenJDK 17's DecimalFormat("#.##") prints.
@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (0.1, "0.1"),
        (0.125, "0.12"),
        (0.375, "0.38"),
        (2.345, "2.35"),
        (0.004, "0"),
        (12345.678, "12345.68"),
        (1000.0, "1000"),
        (100000.0, "100000"),
    ],
)
def test_decimals_are_cut_as_java_cuts_them(value: float, text: str) -> None:
    assert report.decimal(value, 2) == text


def _operation(**changed: float) -> dict[str, float]:
    stats = {"count": 7, "mean_us": 61.2345, "min_us": 9.5, "max_us": 12_345.6}
    stats |= {"p25_us": 40.0, "p50_us": 55.1, "p75_us": 120.0, "p95_us": 1500.0, "p99_us": 2e6}
    return stats | changed


def test_the_latency_table_has_a_line_for_each_operation_that_happened() -> None:
    operations: dict[str, dict[str, float]] = {
        "ADD_LINK": _operation(),
        "ADD_NODE": _operation(count=1),
        "GET_NODE": {"count": 0},
    }
    first, second = report.latency_table(operations)
    assert first.startswith("ADD_NODE count = 1  p25 = ")
    assert second == (
        "ADD_LINK count = 7  p25 = [0,0.1]ms  p50 = [0,0.1]ms  p75 = [0.1,0.2]ms "
        " p95 = [1,2]ms  p99 = [2000,3000]ms  max = 12.346ms  mean = 0.061ms"
    )


def test_final_statistics_are_the_same_as_csv() -> None:
    header, row = report.latency_csv({"GET_LINKS_LIST": _operation()})
    assert header == (
        "op,count,p25_low,p25_high,p50_low,p50_high,p75_low,p75_high,"
        "p95_low,p95_high,p99_low,p99_high,max,mean"
    )
    assert row == "GET_LINKS_LIST,7,0,0.1,0,0.1,0.1,0.2,1,2,2000,3000,12.35,0.06"


@pytest.mark.parametrize(
    ("before", "now", "due"),
    [
        (0, 9, False),
        (0, 10, True),
        (9, 10, True),
        (10, 19, False),
        (10, 55, True),  # four multiples at once are one line
        (95, 99, False),
        (90, 100, True),
        (100, 100, False),
    ],
)
def test_a_progress_line_is_due_at_each_multiple(before: int, now: int, due: bool) -> None:
    assert report.crossed(before, now, interval=10, total=100) is due


def test_the_last_progress_line_is_due_even_between_multiples() -> None:
    assert report.crossed(20, 25, interval=10, total=25)
    assert not report.crossed(25, 25, interval=10, total=25)


def test_load_lines_are_the_originals() -> None:
    event = {"ids": 250, "links": 1000, "seconds": 2.0}
    assert report.load_progress(event, ids=1000) == (
        "250/1000 id1s loaded (25.0% complete) at 125.00 id1s/sec avg. "
        "1000 links loaded at 500.00 links/sec avg."
    )
    loaded = {"nodes": 100, "links": 447, "seconds": 2.0}
    assert report.load_completed(loaded, ids=100) == (
        "LOAD PHASE COMPLETED.  Loaded 100 nodes (Expected 100). Loaded 447 links "
        "(4.47 links per node).  Took 2.0 seconds.  Links/second = 224"
    )


def test_request_lines_are_the_originals() -> None:
    goal = report.Goal(requests=1000, seconds=60)
    assert report.request_progress(250, 3.0, goal) == (
        "250/1000 requests finished: 25.0% complete at 83.3 ops/sec "
        "3.0/60 secs elapsed: 5.0% of time limit used"
    )
    assert report.requester_progress(3, 20, 50) == "Requester #3 20/50 requests done"
    assert report.requests_completed(1999, 2.9) == (
        "REQUEST PHASE COMPLETED. 1999 requests done in 2 seconds. Requests/second = 689"
    )
    thread = {"thread": 1, "requests": 100, "seconds": 0.3, "found": 5, "not_found": 6}
    assert report.requester_done({**thread, "counters": {"history_queries": 2}}, 51) == (
        "ThreadID = 1 total requests = 100 requests/second = 333"
        " found = 5 not found = 6 history queries = 2/51"
    )


def _thread_stats() -> dict[str, Any]:
    statistics = {"mean": 2.5, "min": 1.25, "p25": 2, "p50": 3, "p75": 4, "p90": 5}
    statistics |= {"p95": 6, "p99": 7.9, "max": 8}
    operations: dict[str, Any] = {
        name: {"total": 9, "count": 4} | {f"{key}_{unit}": v for key, v in statistics.items()}
        for name, unit in (("GET_NODE", "us"), ("RANGE_SIZE", "rows"))
    }
    operations["ADD_LINK"] = {"total": 5, "count": 0}
    return {
        "thread": 2,
        "unix_s": 1_700_000_000.9,
        "duration_ms": 1500.7,
        "total_requests": 14,
        "total_errors": 1,
        "operations": operations,
    }


def test_streamed_statistics_have_a_row_for_each_operation_of_the_originals_list() -> None:
    rows = list(csv.DictReader([report.STREAM_HEADER, *report.stream_lines(_thread_stats())]))
    assert [row["op"] for row in rows] == [
        "MULTIGET_LINK",
        "GET_LINKS_LIST",
        "COUNT_LINK",
        "UPDATE_LINK",
        "ADD_LINK",
        "RANGE_SIZE",
        "ADD_NODE",
        "UPDATE_NODE",
        "DELETE_NODE",
        "GET_NODE",
    ]


def test_a_streamed_row_is_the_originals() -> None:
    lines = list(report.stream_lines(_thread_stats()))
    assert lines[9] == "2,1700000000,GET_NODE,9,1,4,1500,4,2.5,1,2,3,4,5,6,7,8"
    assert lines[5] == "2,1700000000,RANGE_SIZE,9,1,4,1500,4,2.5,1,2,3,4,5,6,7,8"
    assert lines[4] == "2,1700000000,ADD_LINK,5,1,0,1500,0,,,,,,,,,"
    assert lines[0] == "2,1700000000,MULTIGET_LINK,0,1,0,1500,0,,,,,,,,,"


def test_the_log_says_the_same_as_the_stream() -> None:
    lines = list(report.thread_lines(_thread_stats()))
    assert lines[9] == (
        "ThreadID = 2 GET_NODE totalOps = 9 totalErrors = 1 ops = 4 sampleDuration = 1500ms"
        " samples = 4 mean = 2.5 min = 1 25% = 2 50% = 3 75% = 4 90% = 5 95% = 6 99% = 7 max = 8"
    )
    assert lines[4] == (
        "ThreadID = 2 ADD_LINK totalops = 5 totalErrors = 1 ops = 0 sampleDuration = 1500ms"
        " samples = 0"
    )
