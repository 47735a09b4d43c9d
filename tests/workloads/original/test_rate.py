"""What a command line says of an open loop that did not keep its rate."""

from __future__ import annotations

from waltax.workloads.original.phase import unserved


def test_a_loop_that_left_nothing_is_no_news() -> None:
    assert list(unserved({"requests": 10})) == []  # a closed one
    assert list(unserved({"rate": 5000.0, "unserved": 0, "unserved_oldest_s": 0.0})) == []


def test_requests_that_were_due_and_not_served_are_counted() -> None:
    left = {"rate": 150e3, "unserved": 78_072, "unserved_oldest_s": 0.5123}
    assert list(unserved(left)) == [
        "asked for 150,000 requests a second, and 78,072 that were due had not begun at the end, "
        "the oldest for 0.512 s: latencies are censored"
    ]
