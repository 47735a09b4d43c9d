"""The report of a study of shards: what nodes and a hash cost, and the log on each node.

All cuts of a campaign take turns in the same rounds, so that two cuts are compared round by round,
as a log is with no log.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from pathlib import Path

from ...engines.shards import HASH, RANGE, Shards
from ...row import Row
from ..numerals import number
from ..report import Report
from ..results import CellResult, every_cell, words
from ..results.facts import COMMITS
from ..series import Column, Plot, Series, View, plain
from . import cell_columns, sweeps


@dataclass(frozen=True, eq=False)
class ShardPoint:
    """One cut of the store with one device and mode of its logs."""

    result: CellResult

    @cached_property
    def cut(self) -> Shards:
        return Shards.of(self.result.shards)

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
    results = every_cell(list(rows))
    points = [ShardPoint(result) for result in results if not result.failed]

    def order(point: ShardPoint) -> tuple[int, bool, bool, str]:
        cut, result = point.cut, point.result
        return cut.nodes, cut.owner == HASH, result.writes_wal, result.cell

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
    """Say what the log costs by number of nodes, and whether nodes had cores."""
    for point in points:
        if point.result.durability == "sync" and point.cut.owner == RANGE:
            place = f"{point.cut.words}, {words.label(point.result)}"
            cost, syncs = words.cost(point.result.interval), number(point.syncs_per_commit)
            yield f"{place}: the log costs {cost}; {syncs} syncs a commit"
    cores = points[0].result.facts["cores"] if points else None
    nodes = max((point.cut.nodes for point in points), default=0)
    if cores is not None and cores <= nodes:
        yield f"{cores} cores cannot show how {nodes} nodes scale"


_COLUMNS: tuple[Column[ShardPoint], ...] = (
    *plain("throughput_unit"),
    cell_columns.OVERHEAD,
    Column("imbalance", "imba-\nlance"),
    Column("syncs_per_commit", "syncs\na commit"),
    Column("_sync_us", "sync us", of="facts.sync_us"),
)
_VIEWS: tuple[View[ShardPoint], ...] = (
    View(
        "Throughput, and what the log costs",
        "_cut throughput overhead syncs_per_commit _sync_us imbalance",
    ),
)
