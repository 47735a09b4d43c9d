"""The reports of sweeps over clients, memory and shards, whose points are cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from operator import attrgetter, itemgetter

from ...engines.shards import HASH, RANGE, Shards
from ...row import Row
from .. import published
from ..results import CellResult, every_cell, words
from ..results.facts import COMMITS
from ..results.latency import ALL
from ..series import Column, Line, Plot, Series, View, plain
from . import cell_columns, sweeps

_MIB = 1 << 20
_DASHES = ("-", "--", ":", "-.")  # by number of clients, fewest first
_CLIENTS: Column[CellResult] = Column("threads", "clients", "count")
_OF_LOG = "overhead of the log, %"


def thread_sweeps(rows: list[Row]) -> list[Series[CellResult]]:
    """Return a series per engine, workload and profile measured with two numbers of clients.

    Each number has a baseline of its own.
    """
    every = sweeps.swept(rows, lambda result: result.threads)
    return [_of_clients([result for result in each if not result.is_baseline]) for each in every]


def _of_clients(points: Sequence[CellResult]) -> Series[CellResult]:
    first = points[0]
    return Series(
        axis="clients",
        subject=f"{words.subject(first)}, profile {first.profile}",
        points=points,
        columns=[
            cell_columns.NAME,
            _CLIENTS,
            *plain("cell"),
            cell_columns.OVERHEAD,
            Column("sync_us", "sync us"),
            Column("commits_per_group", "commits\na sync"),
            Column("cpu_share", "cores %", "%"),
        ],
        views=[View("By number of clients")],
        sentences=[
            sweeps.along(mine[0].device, mine, lambda of: f"with {words.clients(of.threads)}")
            for mine in sweeps.by_device(points)
        ],
        group=sweeps.group(first),
        at=lambda result: result.threads,
        line=cell_columns.line,
        plots=[Plot(f"overhead, % of the throughput of {first.reference}", "overhead")],
    )


threads = partial(
    sweeps.report,
    name="threads",
    series=thread_sweeps,
    lacking="one number of clients, or no overhead; a sweep over clients has two or more: see "
    "`waltax sweep threads`",
    legend="points: measured, with 95 % intervals",
    size=(9.0, 4.8),
)


def _memory_sweeps(rows: list[Row]) -> list[Series[CellResult]]:
    mine = [row for row in rows if row.get("memory_bound") or row["status"] == "failed"]
    known = [result for result in every_cell(mine) if not result.failed]
    return list(map(_of_memory, sweeps.grouped(known, attrgetter("engine", "workload"))))


def _of_memory(every: Sequence[CellResult]) -> Series[CellResult]:
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
        columns=[
            *plain("engine workload"),
            cell_columns.NAME,
            _CLIENTS,
            *plain("cell throughput_unit"),
            Column("ratio", "ratio", "count", _ratio),
            cell_columns.over(
                "data_over_memory", "data", "data_bytes_loaded", "memory_bound_bytes"
            ),
            Column("throughput", first.throughput_unit),
            cell_columns.OVERHEAD,
            Column("latency_us_p99", "p99 us", of=_p99),
            cell_columns.over(
                "read_bytes_per_op", "read KiB\nan op", "process_read_bytes", "slice_requests",
                "KiB",
            ),
            Column("block_cache_hit_share", "cache\nhits %", "%"),
            Column("iowait_share", "machine's\niowait %", "%", _iowait),
            published.column("iowait_share", "%"),
        ],
        views=[View("Over data / memory")],
        sentences=[*map(_from_least, (of for of in families if of[0].writes_wal)), _held(every)],
        at=_ratio,
        line=line,
        plots=[
            Plot(first.throughput_unit, "throughput"),
            Plot("p99 of all operations, us", "latency_us_p99", is_log=True),
            Plot(_OF_LOG, "overhead", lambda result: result.writes_wal),
            Plot("read from devices, KiB an operation", "read_bytes_per_op"),
        ],
    )  # fmt: skip


def _ratio(result: CellResult) -> float:
    """Return the planned ratio."""
    return float(result.facts["memory_ratio"] or 0.0)


def _p99(result: CellResult) -> float | None:
    latency = result.latency_of(ALL)
    return None if latency is None else latency.quantile(99.0).value


def _iowait(result: CellResult) -> float | None:
    """Return the share of all cores' time, over the whole machine."""
    share, cores = result.sums.over(["iowait_s"], "machine_elapsed_s"), result.facts["cores"]
    return share / int(cores) if share is not None and cores else None


def _from_least(mine: Sequence[CellResult]) -> str:
    """Say what the log costs a number of clients with the least data and with the most."""
    named = f"{mine[0].device}, {words.clients(mine[0].threads)}"
    return sweeps.along(named, mine, lambda of: f"with data {_ratio(of):g} times the memory")


def _held(every: Sequence[CellResult]) -> str:
    bounds = {result.rows[0].get("memory_bound_bytes") or 0 for result in every}
    mib = " and ".join(f"{bound / _MIB:,.0f} MiB" for bound in sorted(bounds))
    means = " and ".join(sorted({result.facts["memory_bound"] or "" for result in every}))
    most = max(result.facts["memory_used_share_max"] or 0.0 for result in every)
    return f"{mib} of memory each, held by {means}; at most {100 * most:.1f} % of it was used"


memory = partial(
    sweeps.report,
    name="memory",
    series=_memory_sweeps,
    lacking="no cell whose memory was bounded: see `waltax sweep memory`",
    is_one_study=True,
    legend="lines: solid with the fewest clients; bars: 95 % intervals",
    size=(5.0, 3.6),
)


def shard_sweeps(rows: Sequence[Row]) -> list[Series[CellResult]]:
    """Return a series per engine, workload, profile and number of clients with a cut store."""
    cut = [row for row in rows if row.get("shards")]
    of = itemgetter("engine", "workload", "profile", "threads")
    return [_of_shards(every_cell(mine)) for mine in sweeps.grouped(cut, of)]


def _of_shards(results: Sequence[CellResult]) -> Series[CellResult]:
    points = sorted((result for result in results if not result.failed), key=_order)
    first = results[0]
    synced = [of for of in points if of.durability == "sync" and _cut(of).owner == RANGE]
    return Series(
        axis="shards",
        subject=f"{words.subject(first)}, {words.clients(first.threads)}",
        points=points,
        columns=[
            Column("_cut", "shards, log", "text", lambda of: f"{of.shards}, {words.label(of)}"),
            *plain("engine workload device durability threads cell shards throughput_unit"),
            Column("nodes", of=lambda result: _cut(result).nodes),
            Column("throughput", first.throughput_unit),
            cell_columns.OVERHEAD,
            Column("syncs_per_commit", "syncs\na commit", of=_syncs_per_commit),
            Column("sync_us", "sync us"),
            Column("imbalance", "imba-\nlance", of=_imbalance),
        ],
        views=[View("Throughput, and what the log costs")],
        sentences=[
            *(
                sweeps.along(words.label(mine[0]), mine, lambda of: f"with {_cut(of).words}")
                for mine in sweeps.grouped(synced, attrgetter("device"))
            ),
            *_cores(points),
        ],
        at=lambda result: result.shards,
        line=cell_columns.line,
        plots=[
            Plot(first.throughput_unit, "throughput"),
            Plot(_OF_LOG, "overhead", lambda result: result.writes_wal),
        ],
    )


def _cut(result: CellResult) -> Shards:
    return Shards.of(result.shards)


def _order(result: CellResult) -> tuple[int, bool, bool, str]:
    return _cut(result).nodes, _cut(result).owner == HASH, result.writes_wal, result.cell


def _of_nodes(result: CellResult, name: str) -> list[float]:
    """Return a figure of each node, summed over all slices; empty if a slice lacks it."""
    slices = [row.get("nodes") or () for row in result.sums.slices]
    return [sum(node.get(name) or 0.0 for node in of) for of in zip(*slices, strict=False)]


def _imbalance(result: CellResult) -> float | None:
    """Return the operations of the busiest node over those of the mean one."""
    counts = _of_nodes(result, "operations")
    return max(counts) * len(counts) / sum(counts) if sum(counts) else None


def _syncs_per_commit(result: CellResult) -> float | None:
    """Return the syncs of all logs per commit of all clients; 1 means no group commit at all.

    A single node has no record of its own, so the engine counts its commits.
    """
    total = result.sums.total("wal_syncs")
    commits = sum(_of_nodes(result, "commits")) or result.sums.total(*COMMITS)
    return total / commits if commits and total is not None else None


def _cores(points: Sequence[CellResult]) -> Iterator[str]:
    """Say whether nodes had too few cores to show how a store scales."""
    cores = points[0].facts["cores"] if points else None
    nodes = max((_cut(result).nodes for result in points), default=0)
    if cores is not None and cores <= nodes:
        yield f"{cores} cores cannot show how {nodes} nodes scale"


shards = partial(
    sweeps.report,
    name="shards",
    series=shard_sweeps,
    lacking="no cell with several nodes: see `waltax sweep nodes`",
    is_one_study=True,
    legend="points: means with 95 % intervals",
)
