"""The report of a study of shards: what nodes and a hash cost, and the log on each.

All cuts of a campaign take turns in the same rounds, so that two cuts are compared round by round,
as a log is with no log.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import itemgetter
from pathlib import Path
from typing import Any

from ...cell import Cell
from ...engines.shards import HASH, RANGE, Shards
from ...row import Row
from ..numerals import number
from ..report import Report
from ..results import CellResult, Panel, every_cell, panel_of, words
from ..results.sums import COMMITS
from ..series import Column, Plot, Series, View, plain
from ..stats import NOTHING, Interval
from . import cell_columns, sweeps

_LEGEND = "points: means with 95 % intervals"


@dataclass(frozen=True, eq=False)
class ShardPoint:
    """One cut of the store with one device and mode of its logs.

    Fractions of throughput lost: `hash` against the same nodes with equal ranges, and
    `against_one_node` against one node.
    """

    result: CellResult
    hash: Interval = NOTHING
    against_one_node: Interval = NOTHING

    @cached_property
    def cut(self) -> Shards:
        return Shards.of(self.result.shards)

    @property
    def throughput_per_node(self) -> float | None:
        """Total throughput divided by the number of nodes."""
        total = self.result.throughput
        return None if total is None else total / self.cut.nodes

    def of_nodes(self, name: str) -> list[float]:
        """Return a figure of each node, summed over all slices; empty if a slice lacks it."""
        slices = [row.get("nodes") for row in self.result.sums.slices]
        if not slices or not all(isinstance(nodes, list) for nodes in slices):
            return []
        counts = [[node.get(name) for node in nodes] for nodes in slices if nodes]
        if any(count is None for nodes in counts for count in nodes):
            return []
        return [float(sum(of)) for of in zip(*counts, strict=True)]

    @property
    def shares(self) -> list[float]:
        """Each node's share of all operations."""
        counts = self.of_nodes("operations")
        return [count / sum(counts) for count in counts] if sum(counts) else []

    @property
    def imbalance(self) -> float | None:
        """Operations of the busiest node over those of the mean one."""
        return max(self.shares) * len(self.shares) if self.shares else None

    def per_commit(self, name: str) -> float | None:
        """Return a column of all logs per commit of all clients; 1 sync means no group commit at
        all.

        A single node has no record of its own, so the engine counts its commits.
        """
        total = self.result.sums.total(name)
        commits = sum(self.of_nodes("commits")) or self.result.sums.total(*COMMITS)
        return total / commits if commits and total is not None else None


def shards(campaigns: Sequence[Path]) -> Report:
    """Report all cuts of these campaigns together; its files belong to the first campaign.

    Errors: UsageError if no campaign had a store that was cut; else as `load`.
    """
    return sweeps.report(
        "shards", campaigns, shard_sweeps,
        lacking="no cell with several nodes: see `waltax sweep nodes`", is_one_study=True,
        guide="reports.md", legend=_LEGEND, size=(5.5, 4.0), across=2,
    )  # fmt: skip


def shard_sweeps(rows: Sequence[Row]) -> list[Series[ShardPoint]]:
    """Return a series per engine, workload, profile and number of clients with a cut store."""
    cut = [row for row in rows if row.get("shards")]
    of = itemgetter("engine", "workload", "profile", "threads")
    return list(map(_sweep, sweeps.grouped(cut, of)))


def _sweep(rows: Sequence[Row]) -> Series[ShardPoint]:
    panel = panel_of(rows)
    results = {result.at: result for result in every_cell(rows)}
    known, left_out = sweeps.parted(results.values())
    points = sorted(
        (_point(panel, results, result) for result in known),
        key=lambda point: (
            point.cut.nodes,
            point.cut.owner == HASH,
            point.result.writes_wal,
            point.result.cell,
        ),
    )
    first = next(iter(results.values()))
    return Series(
        axis="shards",
        subject=f"{words.subject(first)}, {words.clients(first.threads)}",
        points=points,
        columns=_columns(first.throughput_unit),
        views=_VIEWS,
        sentences=list(_sentences(points)),
        left_out=left_out,
        at=lambda point: point.result.shards,
        line=cell_columns.line,
        plots=[
            Plot(first.throughput_unit, "throughput"),
            Plot("overhead of the log, %", "overhead", lambda point: point.result.writes_wal),
        ],
    )


def _point(panel: Panel, results: Mapping[Cell, CellResult], result: CellResult) -> ShardPoint:
    cut = Shards.of(result.shards)

    def against(**changes: Any) -> Interval:
        """Return the loss against the same cell of another cut; nothing if the cut is the same."""
        other = result.at.at(shards=replace(cut, **changes).word)
        if other == result.at or other not in results:
            return NOTHING
        return panel.ratio(result.at, other).complement()

    return ShardPoint(result, against(owner=RANGE), against(nodes=1))


def _sentences(points: Sequence[ShardPoint]) -> Iterator[str]:
    """Say what the log costs by number of nodes, and whether nodes had cores."""
    for point in points:
        if point.result.durability == "sync" and point.cut.owner == RANGE:
            place = f"{point.cut.words}, {words.label(point.result)}"
            cost, syncs = words.cost(point.result.interval), number(point.per_commit("wal_syncs"))
            yield f"{place}: the log costs {cost}; {syncs} syncs a commit"
    cores = next((point.result.work.cores for point in points if point.result.work.cores), None)
    nodes = max((point.cut.nodes for point in points), default=0)
    if cores is not None and cores <= nodes:
        yield f"{cores} cores cannot show how {nodes} nodes scale"


def _columns(unit: str) -> list[Column[ShardPoint]]:
    def of_nodes(name: str) -> Column[ShardPoint]:
        return Column(f"node_{name}", of=lambda point: point.of_nodes(name))

    def per_commit(name: str, heading: str, column: str) -> Column[ShardPoint]:
        return Column(f"{name}_per_commit", heading, of=lambda point: point.per_commit(column))

    return [
        Column("_cut", "shards, log", "text", lambda point: sweeps.name(point.result)),
        *plain("engine workload device durability threads cell shards"),
        Column("nodes", of="cut.nodes"),
        Column("throughput", unit),
        Column("throughput_unit"),
        Column("throughput_per_node", "a node"),
        cell_columns.OVERHEAD,
        Column("hash", "hash %", "% alone"),
        Column("against_one_node", "against one\nnode %", "% alone"),
        Column("imbalance", "imba-\nlance"),
        *map(of_nodes, ("operations", "wal_bytes", "wal_syncs")),
        per_commit("syncs", "syncs\na commit", "wal_syncs"),
        Column("_sync_us", "sync us", of="work.sync_us"),
        per_commit("wal_bytes", "log bytes\na commit", "wal_bytes"),
        Column("_shares", "shares of nodes %", text=_shares),
    ]


def _shares(point: ShardPoint) -> str:
    return " ".join(f"{100 * share:.0f}" for share in point.shares) or "-"


_VIEWS: tuple[View[ShardPoint], ...] = (
    View(
        "Throughput, and what the log costs",
        "_cut throughput throughput_per_node overhead against_one_node hash imbalance",
    ),
    View(
        "The logs",
        "_cut syncs_per_commit _sync_us wal_bytes_per_commit _shares",
        lambda point: point.result.writes_wal,
    ),
)
