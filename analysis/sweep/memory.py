"""The log's overhead, throughput, tails and waits over the size of the data beside the memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ...row import Row
from ..results import CellResult, every_cell, words
from ..results.latency import ALL
from ..results.sums import Sums
from ..stats import Interval

_CPU = ("cpu_engine_s", "cpu_driver_s")
_PRESSURES = ("io_some", "io_full", "cpu_some", "memory_some")


@dataclass(frozen=True)
class Waits:
    """Where the time of an operation went, in us, its warm-up included; None: not known.

    `client_us` is what a client had for each operation: clients over throughput. The others are
    sums over all threads that did something for it, background ones too. `log_us` is what a client
    waits for a sync, whoever made it, and `read_us` what requests for the data's disk took; the
    disk counts those of others, too.
    """

    client_us: float | None
    cpu_us: float | None
    queue_us: float | None
    read_us: float | None
    log_us: float | None

    @property
    def known(self) -> Mapping[str, float | None]:
        """The parts, by their names."""
        return {
            "cpu_us": self.cpu_us,
            "queue_us": self.queue_us,
            "read_us": self.read_us,
            "log_us": self.log_us,
        }

    def minus(self, other: Waits) -> Waits:
        """What was added since `other`."""
        ends = zip(vars(self).items(), vars(other).values(), strict=True)
        return Waits(**{name: _less(mine, its) for (name, mine), its in ends})

    @property
    def remainder_us(self) -> float | None:
        """What no part explains; below 0 where what was done in the background is among them."""
        parts = list(self.known.values())
        if self.client_us is None or None in parts:
            return None
        return self.client_us - sum(one for one in parts if one is not None)


@dataclass(frozen=True)
class MemoryPoint:
    """One device and number of clients at one size of the data."""

    result: CellResult

    @cached_property
    def _sums(self) -> Sums:
        return Sums([one for one in self.result.rows if one["status"] == "ok"])

    @property
    def ratio(self) -> float:
        """As it was planned."""
        return float(str(self._sums.first("memory_ratio") or 0.0))

    @property
    def found_ratio(self) -> float | None:
        """Of the loaded files to the bound, as the slices have it."""
        return self._sums.over(["data_bytes_loaded"], "memory_bound_bytes")

    @property
    def overhead(self) -> Interval:
        return self.result.interval

    @property
    def p99_us(self) -> float | None:
        latency = self.result.latency_of(ALL)
        found = None if latency is None else latency.quantile(99.0)
        return None if found is None else found.us

    @property
    def read_bytes(self) -> float | None:
        """From devices, for driver and server, an operation."""
        return self._sums.over(["process_read_bytes"], "slice_requests")

    @property
    def cache_hits(self) -> float | None:
        """Share of the blocks that RocksDB's own cache had; the page cache may have the others."""
        hits = self._sums.total("rocksdb_block_cache_hit")
        misses = self._sums.total("rocksdb_block_cache_miss")
        return None if not hits or misses is None else hits / (hits + misses)

    @property
    def used(self) -> float | None:
        """The most that was used in any slice, of the limit."""
        shares = [
            one["memory_used_bytes_max"] / one["memory_limit_bytes"]
            for one in self._sums.slices
            if one.get("memory_limit_bytes") and one.get("memory_used_bytes_max") is not None
        ]
        return max(shares, default=None)

    @property
    def held_by(self) -> str:
        return str(self._sums.first("memory_bound") or "")

    def pressure(self, name: str) -> float | None:
        """Share of the time in which the cell's own programs waited: io_some, cpu_some, ..."""
        return self._sums.over([f"cell_psi_{name}_s"], "machine_elapsed_s")

    @property
    def pressures(self) -> dict[str, float | None]:
        return {name: self.pressure(name) for name in _PRESSURES}

    @property
    def iowait(self) -> float | None:
        """Share of all cores' time, of the whole machine."""
        share = self._sums.over(["iowait_s"], "machine_elapsed_s")
        cores = self._sums.first("cores")
        return share / cores if share is not None and isinstance(cores, int) else None

    @cached_property
    def waits(self) -> Waits:
        sums, work = self._sums, self.result.work
        throughput, log_us = self.result.throughput, 0.0
        if self.result.writes_wal:
            syncs = work.sync_us, work.commits_per_request
            log_us = None if None in syncs else syncs[0] * syncs[1]  # type: ignore[assignment,operator]
        return Waits(
            client_us=1e6 * self.result.threads / throughput if throughput else None,
            cpu_us=sums.over(_CPU, "slice_requests", 1e6),
            queue_us=sums.over(["sched_wait_s"], "slice_requests", 1e6),
            read_us=sums.over(["diskstats_data_read_ms"], "slice_requests", 1e3),
            log_us=log_us,
        )


@dataclass(frozen=True)
class MemorySweep:
    """One engine and workload: points of each device and number of clients, least data first."""

    series: Mapping[tuple[str, int], tuple[MemoryPoint, ...]]
    left_out: tuple[str, ...]

    @property
    def first(self) -> CellResult:
        return next(iter(self.series.values()))[0].result

    @property
    def subject(self) -> str:
        """Without the clients, of whom there are several numbers."""
        return words.subject(self.first)

    @property
    def points(self) -> list[MemoryPoint]:
        return [one for points in self.series.values() for one in points]

    @property
    def sentences(self) -> list[str]:
        """Per device and number of clients, from the least data to the most."""
        return [
            _sentence(device, threads, points)
            for (device, threads), points in self.series.items()
            if points[0].result.writes_wal and len(points) > 1
        ]


def memory_sweeps(rows: Sequence[Row]) -> list[MemorySweep]:
    """One per engine and workload whose memory was bounded."""
    groups: dict[tuple[str, str], list[MemoryPoint]] = {}
    failed: dict[tuple[str, str], list[str]] = {}
    for result in every_cell([one for one in rows if one.get("memory_bound") or _failed(one)]):
        key = (result.engine, result.workload)
        if result.failed or result.throughput is None:
            failed.setdefault(key, []).append(f"{result.cell}: {words.FAILED}")
        else:
            groups.setdefault(key, []).append(MemoryPoint(result))
    return [_sweep(groups[key], failed.get(key, [])) for key in sorted(groups)]


def _failed(one: Row) -> bool:
    return bool(one["status"] == "failed")


def _sweep(points: Sequence[MemoryPoint], left_out: Sequence[str]) -> MemorySweep:
    series: dict[tuple[str, int], list[MemoryPoint]] = {}
    for point in sorted(points, key=lambda one: (one.result.writes_wal, one.ratio)):
        series.setdefault((point.result.device, point.result.threads), []).append(point)
    ordered = sorted(series.items(), key=lambda pair: pair[0][1])
    return MemorySweep({key: tuple(found) for key, found in ordered}, tuple(left_out))


def _sentence(device: str, threads: int, points: Sequence[MemoryPoint]) -> str:
    first, last = points[0], points[-1]
    return (
        f"{device}, {words.clients(threads)}: the log costs {words.cost(first.overhead)} with data "
        f"{first.ratio:g} times the memory and {words.cost(last.overhead)} with "
        f"{last.ratio:g} times, {_change(first.overhead, last.overhead)}"
    )


def _change(a: Interval, b: Interval) -> str:
    """By intervals that do not overlap: those of two sizes share no rounds."""
    if a.low is None or a.high is None or b.low is None or b.high is None:
        return "without intervals"
    if b.high < a.low:
        return "less"
    return "more" if b.low > a.high else "which cannot be told apart"


def _less(mine: float | None, its: float | None) -> float | None:
    return None if mine is None or its is None else mine - its
