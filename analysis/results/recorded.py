"""What only some campaigns record of a cell: reads of data that were made to wait."""

from __future__ import annotations

from collections.abc import Sequence

from ...row import Row
from .sums import Sums

_REQUESTS = "slice_requests"


def recorded(rows: Sequence[Row]) -> dict[str, float]:
    """By the names that summaries give them; nothing of what the accepted slices do not say.

    `data_read_us_p50` is the median over slices of the slice's median.
    """
    sums = Sums([one for one in rows if one["status"] == "ok"])
    latency_us = sums.first("data_read_latency_us")
    found: dict[str, float | None] = {}
    if isinstance(latency_us, int):
        found |= {
            "data_read_latency_us": latency_us,
            "data_reads_per_request": sums.over(["tap_data_reads"], _REQUESTS),
            "data_read_us_p50": sums.median("tap_data_read_us_p50"),
        }
    return {name: value for name, value in found.items() if value is not None}
