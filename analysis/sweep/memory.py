"""A cell whose memory is bounded, and where the time of its operations goes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from ..results import CellResult
from ..results.latency import ALL

_CPU = ("cpu_engine_s", "cpu_driver_s")

Waits = Mapping[str, float | None]
"""Where the time of an operation went, in us, warm-up included; None: not known.

`client` is what a client waited for each operation: clients over throughput. The others are sums
over all threads that worked for it, background ones included: `cpu`, `queue`, `log`, the wait for a
sync, whoever made it, and `read`, the time of requests to the data's disk, which also counts those
of other programs.
"""


@dataclass(frozen=True)
class MemoryPoint:
    """One device and number of clients at one size of the data; `least` has the smallest data."""

    result: CellResult
    least: MemoryPoint | None = None

    @property
    def ratio(self) -> float:
        """The planned ratio."""
        return float(str(self.result.sums.first("memory_ratio") or 0.0))

    @property
    def latency_us_p99(self) -> float | None:
        latency = self.result.latency_of(ALL)
        return None if latency is None else latency.quantile(99.0).value

    @property
    def block_cache_hit_share(self) -> float | None:
        """The share of blocks found in RocksDB's own cache; the page cache may have the others."""
        hits = self.result.sums.total("rocksdb_block_cache_hit")
        misses = self.result.sums.total("rocksdb_block_cache_miss")
        return None if not hits or misses is None else hits / (hits + misses)

    @property
    def memory_used_share_max(self) -> float | None:
        """The largest memory use of any slice, as a share of the limit."""
        shares = [
            row["memory_used_bytes_max"] / row["memory_limit_bytes"]
            for row in self.result.sums.slices
            if row.get("memory_limit_bytes") and row.get("memory_used_bytes_max") is not None
        ]
        return max(shares, default=None)

    @property
    def memory_bound(self) -> str:
        """What bounded the memory."""
        return str(self.result.sums.first("memory_bound") or "")

    @property
    def iowait_share(self) -> float | None:
        """The share of all cores' time, over the whole machine."""
        share = self.result.sums.over(["iowait_s"], "machine_elapsed_s")
        cores = self.result.sums.first("cores")
        return share / cores if share is not None and isinstance(cores, int) else None

    @cached_property
    def waits(self) -> Waits:
        sums, facts = self.result.sums, self.result.facts
        throughput, log_us = self.result.throughput, 0.0
        if self.result.writes_wal:
            syncs = facts["sync_us"], facts["commits_per_request"]
            log_us = None if None in syncs else syncs[0] * syncs[1]  # type: ignore[assignment]
        return {
            "client": 1e6 * self.result.threads / throughput if throughput else None,
            "cpu": sums.over(_CPU, "slice_requests", 1e6),
            "queue": sums.over(["sched_wait_s"], "slice_requests", 1e6),
            "read": sums.over(["diskstats_data_read_ms"], "slice_requests", 1e3),
            "log": log_us,
        }

    @cached_property
    def added(self) -> Waits:
        """What more data than the least added.

        No part explains the `remainder`, which is negative if background work is included.
        """
        pairs = zip(self.waits.items(), (self.least or self).waits.values(), strict=True)
        waits = {
            name: None if mine is None or its is None else mine - its for (name, mine), its in pairs
        }
        client_us, *parts = [us for us in waits.values() if us is not None] or [0.0]
        whole = len(parts) + 1 == len(waits)
        return {**waits, "remainder": client_us - sum(parts) if whole else None}
