"""What a cell did per sync and per request, as a sweep wants to know it."""

from __future__ import annotations

from dataclasses import dataclass

from .sums import Sums

COMMITS = ("rocksdb_write_self", "rocksdb_write_other")
"""Columns whose sum is the number of commits, in groups and alone."""


@dataclass(frozen=True)
class Work:
    """Means over a cell's accepted slices, warm-up included. None: not recorded, or no sync."""

    sync_us: float | None  # as its caller waited
    model_sync_us: float | None  # as the device's model had it
    bytes_per_sync: float | None
    commits_per_request: float | None
    commits_per_group: float | None
    cpu_us_per_request: float | None  # of client, engine and its background threads
    requests_per_s: float | None  # of all kinds, over the measured part
    cores: int | None

    @property
    def cpu_share(self) -> float | None:
        """The share of all cores' time that it used; None when unknown."""
        if self.cpu_us_per_request is None or not self.cores or self.requests_per_s is None:
            return None
        return self.cpu_us_per_request * self.requests_per_s / 1e6 / self.cores


def work_of(sums: Sums) -> Work:
    """The work of a cell, by its accepted slices."""
    cores = sums.first("cores")
    return Work(
        sync_us=sums.over(["tap_sync_ns"], "tap_syncs", 1e-3),
        model_sync_us=sums.over(["tap_wanted_ns"], "tap_syncs", 1e-3),
        bytes_per_sync=sums.over(["tap_write_bytes"], "tap_syncs"),
        commits_per_request=sums.over(COMMITS, "slice_requests"),
        commits_per_group=sums.over(COMMITS, "rocksdb_write_self"),
        cpu_us_per_request=sums.over(["cpu_engine_s", "cpu_driver_s"], "slice_requests", 1e6),
        requests_per_s=sums.over(["requests"], "measure_s"),
        cores=cores if isinstance(cores, int) else None,
    )
