"""What only some campaigns record of a cell: reads of data that waited, counters of the CPU."""

from __future__ import annotations

from .sums import Sums

_REQUESTS = "slice_requests"
_COUNTERS = {
    "instructions_per_request": "cpu_instructions",
    "cycles_per_request": "cpu_cycles",
    "llc_misses_per_request": "llc_misses",
}


def recorded(sums: Sums) -> dict[str, float]:
    """By the names that summaries give them; nothing of what the accepted slices do not say.

    `data_read_us_p50` is the median over slices of the slice's median.
    """
    latency_us = sums.first("data_read_latency_us")
    found: dict[str, float | None] = {}
    if isinstance(latency_us, int):
        found |= {
            "data_read_latency_us": latency_us,
            "data_reads_per_request": sums.over(["tap_data_reads"], _REQUESTS),
            "data_read_us_p50": sums.median("tap_data_read_us_p50"),
        }
    found |= {name: sums.over([column], _REQUESTS) for name, column in _COUNTERS.items()}
    return {name: value for name, value in found.items() if value is not None}
