"""The report of a study of data over memory: what the log costs when reads miss."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from pathlib import Path

from ...row import Row
from ..report import Report
from ..results import CellResult, every_cell, words
from ..results.latency import ALL
from ..series import Column, Line, Plot, Series, View, plain
from . import cell_columns, sweeps

_MIB = 1 << 20
_DASHES = ("-", "--", ":", "-.")  # by number of clients, fewest first
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


def memory_sweeps(rows: Sequence[Row]) -> list[Series[CellResult]]:
    """Return a series per engine and workload whose memory was bounded."""
    mine = [row for row in rows if row.get("memory_bound") or row["status"] == "failed"]
    known = [result for result in every_cell(mine) if not result.failed]
    return list(map(_sweep, sweeps.grouped(known, attrgetter("engine", "workload"))))


def _sweep(every: Sequence[CellResult]) -> Series[CellResult]:
    by = attrgetter("threads", "writes_wal", "device")
    families = [sorted(mine, key=_ratio) for mine in sweeps.grouped(every, by)]
    clients = sorted({result.threads for result in every})
    first = every[0]

    def line(result: CellResult) -> Line:
        dashes = _DASHES[clients.index(result.threads) % len(_DASHES)]
        return Line(f"{result.device}, {words.clients(result.threads)}", result.device, dashes)

    return Series(
        axis="data / memory",
        subject=words.subject(first),  # without the clients, whose number varies
        points=[result for mine in families for result in mine],
        columns=[*_COLUMNS, Column("throughput", first.throughput_unit)],
        views=[_VIEW],
        sentences=[*map(_sentence, (of for of in families if of[0].writes_wal)), _held(every)],
        at=_ratio,
        line=line,
        plots=[
            Plot(first.throughput_unit, "throughput"),
            Plot("p99 of all operations, us", "latency_us_p99", is_log=True),
            Plot("overhead of the log, %", "overhead", lambda result: result.writes_wal),
            Plot("read from devices, KiB an operation", "read_bytes_per_op"),
        ],
        mark=1.0,
    )


def _ratio(result: CellResult) -> float:
    """Return the planned ratio."""
    return float(result.facts["memory_ratio"] or 0.0)


def _sentence(mine: Sequence[CellResult]) -> str:
    """Say what the log costs a number of clients with the least data and with the most."""
    ends = [(each.interval, f"with data {_ratio(each):g} times the memory") for each in mine]
    named = f"{mine[0].device}, {words.clients(mine[0].threads)}"
    return sweeps.along(named, *[ends[0], ends[-1]][: len(ends)])


def _held(every: Sequence[CellResult]) -> str:
    bounds = {result.rows[0].get("memory_bound_bytes") or 0 for result in every}
    mib = " and ".join(f"{bound / _MIB:,.0f} MiB" for bound in sorted(bounds))
    means = " and ".join(sorted({result.facts["memory_bound"] or "" for result in every}))
    most = max(result.facts["memory_used_share_max"] or 0.0 for result in every)
    return f"{mib} of memory each, held by {means}; at most {100 * most:.1f} % of it was used"


def _p99(result: CellResult) -> float | None:
    latency = result.latency_of(ALL)
    return None if latency is None else latency.quantile(99.0).value


def _iowait(result: CellResult) -> float | None:
    """Return the share of all cores' time, over the whole machine."""
    share, cores = result.sums.over(["iowait_s"], "machine_elapsed_s"), result.facts["cores"]
    return share / int(cores) if share is not None and cores else None


_COLUMNS: tuple[Column[CellResult], ...] = (
    *plain("engine workload"),
    cell_columns.NAME,
    Column("threads", "clients", "count"),
    *plain("cell throughput_unit"),
    Column("ratio", "ratio", "count", _ratio),
    cell_columns.over("data_over_memory", "data", "data_bytes_loaded", "memory_bound_bytes"),
    cell_columns.OVERHEAD,
    Column("latency_us_p99", "p99 us", of=_p99),
    cell_columns.over(
        "read_bytes_per_op", "read KiB\nan op", "process_read_bytes", "slice_requests", "KiB"
    ),
    Column("block_cache_hit_share", "cache\nhits %", "%", "facts.block_cache_hit_share"),
    Column("iowait_share", "machine's\niowait %", "%", _iowait),
)
_VIEW: View[CellResult] = View(
    "Over data / memory",
    "device threads ratio data_over_memory throughput overhead latency_us_p99 read_bytes_per_op "
    "block_cache_hit_share iowait_share",
)
