"""Rows of a study of data over memory, whose truth is known."""

from __future__ import annotations

from synthetic import EVIDENCE, NO_WAL, make_row
from waltax.row import Row

_MIB = 1 << 20
_OPS = 1000
# Throughputs at 4 clients: the log costs 20 % with little data, and 5 % where reads miss.
RATES = {0.25: {"off": 1000.0, "nvme": 800.0}, 5.0: {"off": 500.0, "nvme": 475.0}}


def _slice(ratio: float, device: str, session: int, number: int) -> Row:
    """CPU of 200 us an operation, 100 in the queue; where reads miss 3,000 us of the disk's."""
    misses = ratio > 1
    return make_row(
        device,
        RATES[ratio][device] * (1 + 0.001 * (number - 1)),
        session,
        number,
        **{
            **EVIDENCE,
            **(NO_WAL if device == "off" else {}),
            "slice_requests": _OPS,
            "campaign": f"20260101-r{ratio:g}",
            "profile": f"memory-d128-r{ratio:g}",
            "cell": f"rocksdb-linkbench-memory-d128-r{ratio:g}-{device}-t4",
            "memory_bound": "direct I/O",
            "memory_bound_bytes": 128 * _MIB,
            "memory_limit_bytes": 128 * _MIB,
            "memory_used_bytes_max": 120 * _MIB,
            "memory_ratio": ratio,
            "data_bytes_loaded": int(128 * _MIB * ratio),
            "process_read_bytes": _OPS * 8192.0 if misses else 0.0,
            "diskstats_data_read_ms": 3.0 * _OPS if misses else 0.0,
            "rocksdb_block_cache_hit": 30,
            "rocksdb_block_cache_miss": 70,
            "cpu_engine_s": 150e-6 * _OPS,
            "cpu_driver_s": 50e-6 * _OPS,
            "sched_wait_s": 100e-6 * _OPS,
            "tap_sync_ns": 10_000_000 if device == "nvme" else 0,
            "machine_elapsed_s": 2.0,
            "iowait_s": 0.4,
            "cores": 2,
        },
    )


def memory_rows(ratio: float) -> list[Row]:
    """Three sessions of three rounds at one of `RATES`' ratios."""
    return [
        _slice(ratio, device, session, number)
        for session in range(3)
        for number in range(3)
        for device in RATES[ratio]
    ]
