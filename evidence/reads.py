"""Check reads of data that were to have a given latency."""

from __future__ import annotations

from collections.abc import Iterator

from .slice import Slice

# A program's own pages come from a disk, too, and are not data.
_DATA_BYTES = 1 << 20
_SHORTEST = 0.99  # the mean read over the latency that was asked for


def contradictions(seen: Slice) -> Iterator[str]:
    """Yield what contradicts the label's latency of reads of data, a sentence each."""
    wanted, at_work = seen["data_read_latency_us"], seen.row.get("tap_read_latency_us")
    fetched = seen["disk_read_bytes"]  # bytes that the processes had fetched
    if at_work is not None and at_work != wanted:
        yield f"reads of data are to take {wanted} us, but the tap's take {at_work:g}"
    elif wanted and seen["tap_data_reads"]:
        mean_us = seen["tap_data_read_ns"] / seen["tap_data_reads"] / 1e3
        if mean_us < _SHORTEST * wanted:
            yield f"delayed reads of data took {mean_us:.3g} us in the mean, want {wanted} or more"
    elif wanted and fetched >= _DATA_BYTES:
        yield (
            f"reads of data are to take {wanted} us, and {fetched:.0f} bytes came from a disk, but "
            "the tap delayed no read: they went around it"
        )


def doubts(seen: Slice) -> Iterator[str]:
    """Yield what a reader of a row must know of its reads of data."""
    if not seen["data_read_latency_us"]:
        return
    if seen["tap_data_reads_unasked"]:
        yield (
            "the file system does not tell which pages are cached (RWF_NOWAIT): "
            "cached reads of data were delayed, too"
        )
    fetched = seen["disk_read_bytes"]
    if fetched >= _DATA_BYTES and seen["tap_data_read_bytes"] < fetched / 2:
        yield (
            "less than half of the bytes that came from a disk were read by delayed reads: the "
            "kernel read ahead, or reads were asynchronous"
        )
