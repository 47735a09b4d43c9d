"""The report of a study of data over memory: what the log costs when reads miss, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter
from pathlib import Path

from ...row import Row
from ..report import Report
from ..results import every_cell, words
from ..series import Column, Line, Plot, Series, View, plain
from ..sweep.memory import MemoryPoint
from . import cell_columns, sweeps

_MIB = 1 << 20
_DASHES = ("-", "--", ":", "-.")  # by number of clients, fewest first
_WAITS = {"cpu": "CPU", "queue": "run\nqueue", "read": "disk\nreads", "log": "log\nsyncs"}
_LEGEND = (
    "lines: solid with the fewest clients; bars: 95 % intervals; at 1 data is as large as memory"
)


def memory(campaigns: Sequence[Path]) -> Report:
    """Report all ratios of these campaigns together; its files belong to the first campaign.

    Errors: UsageError if no campaign had its memory bounded; else as `load`.
    """
    return sweeps.report(
        "memory", campaigns, memory_sweeps,
        lacking="no cell whose memory was bounded: see `waltax sweep memory`", is_one_study=True,
        guide="method.md", legend=_LEGEND, size=(5.0, 3.6),
    )  # fmt: skip


def memory_sweeps(rows: Sequence[Row]) -> list[Series[MemoryPoint]]:
    """Return a series per engine and workload whose memory was bounded."""
    mine = [row for row in rows if row.get("memory_bound") or row["status"] == "failed"]
    known = [MemoryPoint(result) for result in every_cell(mine) if not result.failed]
    return list(map(_sweep, sweeps.grouped(known, attrgetter("result.engine", "result.workload"))))


def _sweep(found: Sequence[MemoryPoint]) -> Series[MemoryPoint]:
    by = attrgetter("result.threads", "result.writes_wal", "result.device")
    families = [sorted(mine, key=attrgetter("ratio")) for mine in sweeps.grouped(found, by)]
    points = [replace(point, least=mine[0]) for mine in families for point in mine]
    clients = sorted({point.result.threads for point in points})
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
            Column("memory_bound", of="facts.memory_bound"),
            Column("memory_used_share_max", of="facts.memory_used_share_max"),
            Column("throughput", first.throughput_unit),
            *_COLUMNS,
        ],
        views=_VIEWS,
        sentences=[*_sentences(families), _held(points)],
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
    means = " and ".join(sorted({point.result.facts["memory_bound"] or "" for point in points}))
    most = max(point.result.facts["memory_used_share_max"] or 0.0 for point in points)
    return f"{mib} of memory each, held by {means}; at most {100 * most:.1f} % of it was used"


_COLUMNS: tuple[Column[MemoryPoint], ...] = (
    Column("throughput_unit"),
    cell_columns.OVERHEAD,
    Column("latency_us_p99", "p99 us"),
    cell_columns.over(
        "read_bytes_per_op", "read KiB\nan op", "process_read_bytes", "slice_requests", "KiB"
    ),
    Column("block_cache_hit_share", "cache\nhits %", "%", "facts.block_cache_hit_share"),
    Column("client_us_per_op", "us an op", of="waits.client"),
    *(Column(f"{name}_us_per_op", of=f"waits.{name}") for name in _WAITS),
    Column("added_us_per_op", "added", of="added.client"),
    *(
        Column(f"added_{name}_us_per_op", heading, of=f"added.{name}")
        for name, heading in (_WAITS | {"remainder": "re-\nmainder"}).items()
    ),
    # Shares of the time in which some of the cell's own programs waited.
    *(
        cell_columns.over(
            f"psi_{of}_some_share", f"PSI {of}\nsome", f"cell_psi_{of}_some_s",
            "machine_elapsed_s", "%",
        )
        for of in ("io", "cpu", "memory")
    ),
    Column("iowait_share", "machine's\niowait", "%"),
)  # fmt: skip
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
        "added_remainder_us_per_op",
        lambda point: point.least is not None and point.least.result is not point.result,
    ),
    View(
        "What the cell's own programs waited for, % of the time",
        "device threads ratio psi_io_some_share psi_cpu_some_share psi_memory_some_share "
        "iowait_share",
    ),
)
