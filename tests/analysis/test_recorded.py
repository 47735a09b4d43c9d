"""What only some campaigns record is said where it is, and nothing is said where it is not."""

from __future__ import annotations

from typing import Any

from synthetic import make_row, shown
from waltax.row import Row


def _rows(**more: Any) -> list[Row]:
    rates = (("off", 1000.0), ("nvme", 700.0))
    return [
        make_row(device, rate, session, round_, slice_requests=100, wal_bytes=7, **more)
        for session in range(3)
        for round_ in range(2)
        for device, rate in rates
    ]


def test_delayed_reads_of_data_are_said_a_request() -> None:
    slow = {"data_read_latency_us": 500, "tap_data_reads": 250, "tap_data_read_us_p50": 503.0}
    said = " ".join(shown(_rows(**slow), 200).split())
    assert "2.50 delayed data reads a request; each 503 us (p50)" in said
