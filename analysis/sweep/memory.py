"""A cell whose memory is bounded, and where the time of its operations goes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from ..results import CellResult
from ..results.latency import ALL

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
        return float(self.result.facts["memory_ratio"] or 0.0)

    @property
    def latency_us_p99(self) -> float | None:
        latency = self.result.latency_of(ALL)
        return None if latency is None else latency.quantile(99.0).value

    @property
    def iowait_share(self) -> float | None:
        """The share of all cores' time, over the whole machine."""
        share = self.result.sums.over(["iowait_s"], "machine_elapsed_s")
        cores = self.result.facts["cores"]
        return share / int(cores) if share is not None and cores else None

    @cached_property
    def waits(self) -> Waits:
        sums, facts = self.result.sums, self.result.facts
        throughput, log_us = self.result.throughput, 0.0
        if self.result.writes_wal:
            syncs = facts["sync_us"], facts["commits_per_request"]
            log_us = None if None in syncs else syncs[0] * syncs[1]  # type: ignore[assignment]
        return {
            "client": 1e6 * self.result.threads / throughput if throughput else None,
            "cpu": facts["cpu_all_us_per_request"],
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
