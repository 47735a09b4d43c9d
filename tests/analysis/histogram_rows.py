"""Rows with the histograms of a driver, of which every percentile is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hdrh.histogram import HdrHistogram
from synthetic import make_row
from waltax.row import Row

_HIGHEST = (1 << 37) - 1  # as the driver's histograms have it
FAST: Mapping[int, int] = {
    100: 90,
    1000: 10,
}  # nanoseconds to how many; below 2,048 they are exact
SLOW: Mapping[int, int] = {100: 90, 2000: 10}


def encoded(values: Mapping[int, int], highest: int = _HIGHEST) -> str:
    """A histogram of these nanoseconds, as rows have it."""
    histogram = HdrHistogram(1, highest, 3)
    for value, count in values.items():
        histogram.record_value(value, count)
    return str(histogram.encode().decode())


def rows_with(nvme: Sequence[Mapping[int, int]], **more: object) -> list[Row]:
    """Sessions of two rounds of `off`, always fast, and of a device with these histograms."""
    rows = []
    for number, values in enumerate(nvme):
        session, round_ = divmod(number, 2)
        for device, own in (("off", FAST), ("nvme", values)):
            columns = {
                "disturbed": [],
                "latency_hdr": encoded(own),
                "latency_us_max": max(own) / 1000,
                "op_ADD_LINK_latency_hdr": encoded({value: n // 2 for value, n in own.items()}),
                "op_GET_NODE_latency_hdr": encoded(own),
                "op_ADD_NODE_latency_hdr": encoded({50: 1}),
            }
            rows.append(make_row(device, 100.0, session, round_, **columns, **more))
    return rows
