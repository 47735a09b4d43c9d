"""Check reads of data that were to have a given latency."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Row = Mapping[str, Any]

# A program's own pages come from a disk, too, and are not data.
_DATA_BYTES = 1 << 20
_SHORTEST = 0.99  # the mean read over the latency that was asked for


def contradictions(row: Row) -> list[str]:
    """Return what contradicts the label's latency of reads of data, a sentence each."""
    wanted, at_work = row.get("data_read_latency_us") or 0, row.get("tap_read_latency_us")
    if at_work is not None and at_work != wanted:
        return [f"reads of data are to take {wanted} us, but the tap's take {at_work:g}"]
    if not wanted:
        return []
    if row.get("tap_data_reads"):
        mean_us = row["tap_data_read_ns"] / row["tap_data_reads"] / 1e3
        if mean_us >= _SHORTEST * wanted:
            return []
        return [f"delayed reads of data took {mean_us:.3g} us in the mean, want {wanted} or more"]
    fetched = row.get("disk_read_bytes") or 0  # bytes that the processes had fetched
    if fetched < _DATA_BYTES:
        return []
    return [
        f"reads of data are to take {wanted} us, and {fetched:.0f} bytes came from a disk, but the "
        "tap delayed no read: they went around it"
    ]


def doubts(row: Row) -> list[str]:
    """Return what a reader of a row must know of its reads of data."""
    if not row.get("data_read_latency_us"):
        return []
    said = []
    if row.get("tap_data_reads_unasked"):
        said.append(
            "the file system does not tell which pages are cached (RWF_NOWAIT): "
            "cached reads of data were delayed, too"
        )
    fetched = row.get("disk_read_bytes") or 0
    if fetched >= _DATA_BYTES and (row.get("tap_data_read_bytes") or 0) < fetched / 2:
        said.append(
            "less than half of the bytes that came from a disk were read by delayed reads: the "
            "kernel read ahead, or reads were asynchronous"
        )
    return said
