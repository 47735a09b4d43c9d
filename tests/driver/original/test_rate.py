"""What a command line says of an open loop that did not keep its rate."""

from __future__ import annotations

import pytest
from waltax.driver.client import Event
from waltax.driver.original.phase import rate_missed


def _slice(requests: int, **more: float) -> Event:
    return {"requests": requests, "errors": 0, "measure_s": 2.0, **more}


@pytest.mark.parametrize(
    "result",
    [
        _slice(10),  # a closed loop
        _slice(9800, rate=5000.0, unserved=0, unserved_oldest_s=0.0),  # chance
        _slice(9000, rate=5000.0, unserved=0, unserved_oldest_s=0.0) | {"errors": 990},
    ],
)
def test_a_rate_that_was_kept_is_no_news(result: Event) -> None:
    assert list(rate_missed(result)) == []


def test_a_rate_that_was_not_reached_is_said_with_what_was() -> None:
    behind = _slice(620_266, rate=2e6, unserved=0, unserved_oldest_s=0.0)
    assert list(rate_missed(behind)) == [
        "asked for 2,000,000 requests a second, of which 310,133 were served: latencies are of the "
        "backlog"
    ]


def test_requests_that_were_due_and_not_served_are_counted() -> None:
    left = _slice(221_928, rate=150e3, unserved=78_072, unserved_oldest_s=0.5123)
    assert list(rate_missed(left)) == [
        "asked for 150,000 requests a second, of which 110,964 were served: latencies are "
        "censored, 78,072 were due at the end (the oldest for 0.512 s)"
    ]
