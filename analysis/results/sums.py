"""Sums, quotients and medians over a cell's slices, None if unknown.

Also a cell's work per sync and per request, for sweeps and summaries.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from ...row import Row


@dataclass(frozen=True)
class Sums:
    """The accepted slices of a cell, to be added up by column."""

    slices: Sequence[Row]

    def total(self, *columns: str) -> float | None:
        """Return the total of these columns.

        None if a slice lacks a column: a partial sum would look like a small one.
        """
        values = [row.get(column) for row in self.slices for column in columns]
        known = [value for value in values if value is not None]
        return float(sum(known)) if values and len(known) == len(values) else None

    def count(self, *columns: str) -> int | None:
        """Return the total as a whole number."""
        total = self.total(*columns)
        return None if total is None else int(total)

    def over(self, above: Sequence[str], below: str, scale: float = 1.0) -> float | None:
        """Return the total of some columns divided by that of another; None if that is 0."""
        top, bottom = self.total(*above), self.total(below)
        return scale * top / bottom if top is not None and bottom else None

    def median(self, column: str) -> float | None:
        """Return the median over the slices that have this column."""
        values = [row[column] for row in self.slices if row.get(column) is not None]
        return statistics.median(values) if values else None

    def first(self, column: str) -> object:
        """Return the first value that is set; None if there is none."""
        return next((row[column] for row in self.slices if row.get(column)), None)


COMMITS = ("rocksdb_write_self", "rocksdb_write_other")
"""The columns whose sum is the number of commits, whether grouped or alone."""


@dataclass(frozen=True)
class Work:
    """Means over a cell's accepted slices, warm-up included. None: not recorded, or no sync."""

    sync_us: float | None  # the time that the caller waited
    model_sync_us: float | None  # the time that the device's model asked for
    bytes_per_sync: float | None
    commits_per_request: float | None
    commits_per_group: float | None
    cpu_us_per_request: float | None  # of client, engine and background threads
    requests_per_s: float | None  # of all kinds, over the measured part
    cores: int | None

    @property
    def cpu_share(self) -> float | None:
        """The share of all cores' time that it used; None if unknown."""
        if self.cpu_us_per_request is None or not self.cores or self.requests_per_s is None:
            return None
        return self.cpu_us_per_request * self.requests_per_s / 1e6 / self.cores


def work_of(sums: Sums) -> Work:
    """Return the work of a cell, from its accepted slices."""
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


def recorded(sums: Sums) -> dict[str, float]:
    """Return what only some campaigns record: data reads that waited.

    Keys are the names in summaries; figures missing from the accepted slices are left out.
    `data_read_us_p50` is the median over slices of the slice's median.
    """
    latency_us = sums.first("data_read_latency_us")
    figures: dict[str, float | None] = {}
    if isinstance(latency_us, int):
        figures |= {
            "data_read_latency_us": latency_us,
            "data_reads_per_request": sums.over(["tap_data_reads"], "slice_requests"),
            "data_read_us_p50": sums.median("tap_data_read_us_p50"),
        }
    return {name: value for name, value in figures.items() if value is not None}
