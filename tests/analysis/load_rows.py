"""Rows of a sweep over load, by the times of requests that each device takes at each load."""

from __future__ import annotations

from collections.abc import Mapping

from histogram_rows import encoded
from synthetic import make_row
from waltax.row import Row

SYNC_US = 1000.0
MS = 1_000_000  # nanoseconds
Times = Mapping[int, tuple[int, int]]  # of the median and of p99 in ns, by load


def slices(device: str, times: Times, **more: object) -> list[Row]:
    """Four slices of 1,000 requests in a second at each load: 95 % take the first time."""
    rows = []
    for load, (median, tail) in times.items():
        for number in range(4):
            columns = {
                "load": str(load),
                "cell": f"{device}-load{load}",
                "latency_hdr": encoded({median: 950, tail: 50}),
                "rate": 20.0 * load,
                "requests": 1000,
                "unserved": 0,
                "slice_requests": 1000,
                "commits": 300 * load // 10,
                "driven_s": 1.0,
                "tap_syncs": 0 if device == "off" else 100,
                "tap_sync_ns": 0 if device == "off" else int(100 * 1000 * SYNC_US),
            }
            session, round_ = divmod(number, 2)
            rows.append(make_row(device, 1000.0, session, round_, **columns | more))
    return rows


def swept(**devices: Times) -> list[Row]:
    return [row for name, times in devices.items() for row in slices(name, times)]
