"""The report of a study of shards: what nodes and a hop cost, and the log on each node.

All cuts of a campaign take turns in the same rounds, so that two cuts are compared round by round,
as a log is with no log.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import itemgetter
from pathlib import Path

from ...engines.shards import HASH, RANGE, Shards
from ...row import Row
from ..numerals import number
from ..report import Report
from ..results import CellResult, Panel, every_cell, panel_of, words
from ..results.facts import COMMITS
from ..series import Column, Plot, Series, View, plain
from ..stats import NOTHING, Interval
from . import cell_columns, sweeps


@dataclass(frozen=True, eq=False)
class ShardPoint:
    """One cut of the store with one device and mode of its logs; `grid` has the other cuts."""

    result: CellResult
    grid: Panel

    @cached_property
    def cut(self) -> Shards:
        return Shards.of(self.result.shards)

    @cached_property
    def hop(self) -> Interval:
        """The fraction of throughput lost against clients that ask the same nodes directly."""
        direct = self.result.at.at(shards=replace(self.cut, route="direct").word)
        if direct == self.result.at or direct not in self.grid.rows:
            return NOTHING
        return self.grid.ratio(self.result.at, direct).complement()

    def of_nodes(self, name: str) -> list[float]:
        """Return a figure of each node, summed over all slices; empty if a slice lacks it."""
        slices = [row.get("nodes") or () for row in self.result.sums.slices]
        return [sum(node.get(name) or 0.0 for node in of) for of in zip(*slices, strict=False)]

    @property
    def imbalance(self) -> float | None:
        """Operations of the busiest node over those of the mean one."""
        counts = self.of_nodes("operations")
        return max(counts) * len(counts) / sum(counts) if sum(counts) else None

    @property
    def syncs_per_commit(self) -> float | None:
        """The syncs of all logs per commit of all clients; 1 means no group commit at all.

        A single node has no record of its own, so the engine counts its commits.
        """
        total = self.result.sums.total("wal_syncs")
        commits = sum(self.of_nodes("commits")) or self.result.sums.total(*COMMITS)
        return total / commits if commits and total is not None else None

    @property
    def forwarded_share(self) -> float | None:
        """The share of operations that a node forwarded to another node."""
        total = self.result.sums.total
        forwarded, every = total("forwarded"), total("forwarded", "local_latency_us_count")
        return forwarded / every if forwarded is not None and every else None


def shards(campaigns: Sequence[Path]) -> Report:
    """Report all cuts of these campaigns together; its files belong to the first campaign.

    Errors: UsageError if no campaign had a store that was cut; else as `load`.
    """
    return sweeps.report(
        "shards", campaigns, shard_sweeps,
        lacking="no cell with several nodes: see `waltax sweep nodes`", is_one_study=True,
        guide="reports.md", legend="points: means with 95 % intervals", size=(5.5, 4.0),
    )  # fmt: skip


def shard_sweeps(rows: Sequence[Row]) -> list[Series[ShardPoint]]:
    """Return a series per engine, workload, profile and number of clients with a cut store."""
    cut = [row for row in rows if row.get("shards")]
    of = itemgetter("engine", "workload", "profile", "threads")
    return list(map(_sweep, sweeps.grouped(cut, of)))


def _sweep(rows: Sequence[Row]) -> Series[ShardPoint]:
    grid, results = panel_of(rows), every_cell(list(rows))
    points = [ShardPoint(result, grid) for result in results if not result.failed]

    def order(point: ShardPoint) -> tuple[int, bool, bool, bool, str]:
        cut, result = point.cut, point.result
        return cut.nodes, cut.redirects, cut.owner == HASH, result.writes_wal, result.cell

    points.sort(key=order)
    first = results[0]
    return Series(
        axis="shards",
        subject=f"{words.subject(first)}, {words.clients(first.threads)}",
        points=points,
        columns=[
            Column("_cut", "shards, log", "text", _name),
            *plain("engine workload device durability threads cell shards"),
            Column("nodes", of="cut.nodes"),
            Column("throughput", first.throughput_unit),
            *_COLUMNS,
        ],
        views=_VIEWS,
        sentences=list(_sentences(points)),
        at=lambda point: point.result.shards,
        line=cell_columns.line,
        plots=[
            Plot(first.throughput_unit, "throughput"),
            Plot("overhead of the log, %", "overhead", lambda point: point.result.writes_wal),
        ],
    )


def _name(point: ShardPoint) -> str:
    return f"{point.result.shards}, {words.label(point.result)}"


def _sentences(points: Sequence[ShardPoint]) -> Iterator[str]:
    """Say what the log costs by number of nodes, what a hop costs, and whether nodes had cores."""
    for point in points:
        place = f"{point.cut.words}, {words.label(point.result)}"
        is_plain = not point.cut.redirects and point.cut.owner == RANGE
        if point.result.durability == "sync" and is_plain:
            cost, syncs = words.cost(point.result.interval), number(point.syncs_per_commit)
            yield f"{place}: the log costs {cost}; {syncs} syncs a commit"
        if point.hop.value is not None and point.result.durability in ("sync", "off"):
            yield f"{place}: redirection costs {words.cost(point.hop)}"
    cores = points[0].result.facts["cores"] if points else None
    nodes = max((point.cut.nodes for point in points), default=0)
    if cores is not None and cores <= nodes:
        yield f"{cores} cores cannot show how {nodes} nodes scale"


def _latency(side: str) -> Column[ShardPoint]:
    """Return a column of the median over slices of p50, for operations that stay on a side."""
    name = f"{side}_latency_us_p50"
    return Column(name, f"p50 us\n{side}", of=lambda point: point.result.sums.median(name))


_COLUMNS: tuple[Column[ShardPoint], ...] = (
    *plain("throughput_unit"),
    cell_columns.OVERHEAD,
    Column("imbalance", "imba-\nlance"),
    Column("syncs_per_commit", "syncs\na commit"),
    Column("_sync_us", "sync us", of="facts.sync_us"),
    Column("hop", "hop costs % [95 %]", "%"),
    Column("forwarded_share", "forwarded %", "%"),
    _latency("local"),
    _latency("forwarded"),
)
_VIEWS: tuple[View[ShardPoint], ...] = (
    View(
        "Throughput, and what the log costs",
        "_cut throughput overhead syncs_per_commit _sync_us imbalance",
    ),
    View(
        "The price of the hop: clients tied to a node, against clients that ask the owner",
        "_cut hop forwarded_share local_latency_us_p50 forwarded_latency_us_p50",
        lambda point: point.cut.redirects,
    ),
)
