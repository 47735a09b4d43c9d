"""The report of a study of data over memory: what the log costs when reads miss, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from ...row import Row
from ..report import Report
from ..results import CellResult, every_cell, words
from ..results.latency import ALL
from ..series import Column, Line, Plot, Series, View, plain
from . import cell_columns, memory_beside, sweeps

_MIB = 1 << 20
_CPU = ("cpu_engine_s", "cpu_driver_s")
_DASHES = ("-", "--", ":", "-.")  # by number of clients, fewest first
_LEGEND = (
    "lines: solid with the fewest clients; bars: 95 % intervals; at 1 data is as large as memory"
)


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
        sums, work = self.result.sums, self.result.work
        throughput, log_us = self.result.throughput, 0.0
        if self.result.writes_wal:
            syncs = work.sync_us, work.commits_per_request
            log_us = None if None in syncs else syncs[0] * syncs[1]  # type: ignore[assignment,operator]
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


def memory(campaigns: Sequence[Path]) -> Report:
    """Report all ratios of these campaigns together; its files belong to the first campaign.

    Errors: UsageError if no campaign had its memory bounded; else as `load`.
    """
    return sweeps.report(
        "memory", campaigns, memory_sweeps,
        lacking="no cell whose memory was bounded: see `waltax sweep memory`", is_one_study=True,
        guide="method.md", tables=lambda sweep: memory_beside.tables(sweep.points), legend=_LEGEND,
        size=(5.0, 3.6), across=2,
    )  # fmt: skip


def memory_sweeps(rows: Sequence[Row]) -> list[Series[MemoryPoint]]:
    """Return a series per engine and workload whose memory was bounded."""
    mine = [row for row in rows if row.get("memory_bound") or row["status"] == "failed"]
    groups: dict[tuple[str, str], list[CellResult]] = {}
    for result in every_cell(mine):
        groups.setdefault((result.engine, result.workload), []).append(result)
    series = []
    for key in sorted(groups):
        known = [
            result for result in groups[key] if not result.failed and result.throughput is not None
        ]
        left_out = [
            f"{result.cell}: {words.FAILED}" for result in groups[key] if result not in known
        ]
        if known:
            series.append(_sweep([MemoryPoint(result) for result in known], left_out))
    return series


def _sweep(found: Sequence[MemoryPoint], left_out: Sequence[str]) -> Series[MemoryPoint]:
    families: dict[tuple[int, str], list[MemoryPoint]] = {}
    for point in sorted(found, key=lambda point: (point.result.writes_wal, point.ratio)):
        families.setdefault((point.result.threads, point.result.device), []).append(point)
    ordered = [families[key] for key in sorted(families, key=lambda key: key[0])]
    points = [replace(point, least=mine[0]) for mine in ordered for point in mine]
    clients = sorted({threads for threads, _ in families})
    first = points[0].result

    def line(point: MemoryPoint) -> Line:
        device, threads = point.result.device, point.result.threads
        dashes = _DASHES[clients.index(threads) % len(_DASHES)]
        return Line(f"{device}, {words.clients(threads)}", device, dashes)

    return Series(
        axis="data / memory",
        subject=words.subject(first),  # without the clients, whose number varies
        points=points,
        columns=[
            *plain("engine workload"),
            cell_columns.NAME,
            Column("threads", "clients", "count"),
            Column("cell"),
            Column("ratio", "ratio", "count"),
            cell_columns.over(
                "data_over_memory", "data", "data_bytes_loaded", "memory_bound_bytes"
            ),
            *plain("memory_bound memory_used_share_max"),
            Column("throughput", first.throughput_unit),
            *_COLUMNS,
        ],
        views=_VIEWS,
        sentences=[*_sentences(ordered), _held(points)],
        left_out=left_out,
        own={"published": memory_beside.content(points)},
        at=lambda point: point.ratio,
        line=line,
        plots=[
            Plot(first.throughput_unit, "throughput"),
            Plot("p99 of all operations, us", "latency_us_p99", is_log=True),
            Plot("overhead of the log, %", "overhead", lambda point: point.result.writes_wal),
            Plot("read from devices, KiB an operation", "read_bytes_per_op"),
        ],
        mark=1.0,
    )


def _sentences(families: Sequence[Sequence[MemoryPoint]]) -> list[str]:
    """Return sentences per device and number of clients, from the least data to the most."""
    ends = [(mine[0], mine[-1]) for mine in families if len(mine) > 1]
    return [
        sweeps.along(
            f"{first.result.device}, {words.clients(first.result.threads)}",
            (first.result.interval, f"with data {first.ratio:g} times the memory"),
            (last.result.interval, f"with {last.ratio:g} times"),
        )
        for first, last in ends
        if first.result.writes_wal
    ]


def _held(points: Sequence[MemoryPoint]) -> str:
    bounds = {point.result.rows[0].get("memory_bound_bytes") or 0 for point in points}
    mib = " and ".join(f"{bound / _MIB:,.0f} MiB" for bound in sorted(bounds))
    means = " and ".join(sorted({point.memory_bound for point in points}))
    most = max((point.memory_used_share_max or 0.0 for point in points), default=0.0)
    return f"{mib} of memory each, held by {means}; at most {100 * most:.1f} % of it was used"


_COLUMNS: tuple[Column[MemoryPoint], ...] = (
    Column("throughput_unit"),
    cell_columns.OVERHEAD,
    Column("latency_us_p99", "p99 us"),
    cell_columns.over(
        "read_bytes_per_op", "read KiB\nan op", "process_read_bytes", "slice_requests", "KiB"
    ),
    Column("block_cache_hit_share", "cache\nhits %", "%"),
    Column("client_us_per_op", "us an op", of="waits.client"),
    *(
        Column(f"{name}_us_per_op", f"disk {name}s\nus an op", of=f"waits.{name}")
        for name in ("cpu", "queue", "read", "log")
    ),
    Column("added_us_per_op", "added", of="added.client"),
    *(
        Column(f"added_{name}_us_per_op", heading, of=f"added.{name}")
        for name, heading in (
            *(("cpu", "CPU"), ("queue", "run\nqueue"), ("read", "disk\nreads")),
            *(("log", "log\nsyncs"), ("remainder", "re-\nmainder")),
        )
    ),
    # Shares of the time in which the cell's own programs waited.
    *(
        cell_columns.over(
            f"psi_{name}_share", heading, f"cell_psi_{name}_s", "machine_elapsed_s", "%"
        )
        for name, heading in (
            *(("io_some", "PSI io\nsome"), ("io_full", "PSI io\nfull")),
            *(("cpu_some", "PSI CPU\nsome"), ("memory_some", "PSI memory\nsome")),
        )
    ),
    Column("iowait_share", "machine's\niowait", "%"),
)
_VIEWS: tuple[View[MemoryPoint], ...] = (
    View(
        "Throughput, tails and reads over data / memory",
        "device threads ratio data_over_memory throughput overhead latency_us_p99 "
        "read_bytes_per_op block_cache_hit_share",
    ),
    View(
        "Where the time goes that is added to an operation with more data, us",
        "device threads ratio client_us_per_op added_us_per_op added_cpu_us_per_op "
        "added_queue_us_per_op added_read_us_per_op added_log_us_per_op "
        "added_remainder_us_per_op psi_io_some_share",
        lambda point: point.least is not None and point.least.result is not point.result,
    ),
    View(
        "What the cell's own programs waited for, % of the time",
        "device threads ratio psi_io_some_share psi_io_full_share psi_cpu_some_share "
        "psi_memory_some_share iowait_share read_us_per_op",
    ),
)
