"""A store on one node, and dealt out to several: what nodes, hops and hashes do to it and its log.

All cuts of a campaign take turns in the same rounds, so that two of them are compared round by
round, as a log is with none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ...cell import Cell
from ...engines.shards import HASH, RANGE, Shards
from ...row import Row
from ..results import CellResult, Panel, every_cell, panel_of, words
from ..results.sums import Sums
from ..results.work import COMMITS
from ..stats import Interval

_NOTHING = Interval(None, None, None)


@dataclass(frozen=True, eq=False)
class ShardPoint:
    """One cut of the store with one device and mode of its logs.

    `hop` is what is lost against the same nodes asked directly, `hash_costs` against the same nodes
    that own equal ranges, and `nodes_cost` against one node; fractions.
    """

    result: CellResult
    hop: Interval = _NOTHING
    hash_costs: Interval = _NOTHING
    nodes_cost: Interval = _NOTHING

    @property
    def cut(self) -> Shards:
        return Shards.of(self.result.shards)

    @cached_property
    def _sums(self) -> Sums:
        return Sums([one for one in self.result.rows if one["status"] == "ok"])

    @property
    def per_node(self) -> float | None:
        """Throughput in total over the nodes."""
        total = self.result.throughput
        return None if total is None else total / self.cut.nodes

    def of_nodes(self, name: str) -> list[float]:
        """A figure of each node, summed over all slices; empty where a slice does not tell."""
        told = [one.get("nodes") for one in self._sums.slices]
        if not told or not all(isinstance(nodes, list) for nodes in told):
            return []
        counts = [[node.get(name) for node in nodes] for nodes in told if nodes]
        if any(count is None for nodes in counts for count in nodes):
            return []
        return [float(sum(of)) for of in zip(*counts, strict=True)]

    @property
    def imbalance(self) -> float | None:
        """Operations of the busiest node over those of the mean one."""
        counts = self.of_nodes("operations")
        return max(counts) * len(counts) / sum(counts) if sum(counts) else None

    @property
    def busiest(self) -> str:
        """The operations of each node, as shares of all."""
        counts = self.of_nodes("operations")
        every = sum(counts)
        return " ".join(f"{100 * one / every:.0f}" for one in counts) if every else ""

    @property
    def syncs_per_commit(self) -> float | None:
        """Syncs of all logs over the commits of all clients; 1 is no group commit at all."""
        return self._per_commit("wal_syncs")

    @property
    def wal_bytes_per_commit(self) -> float | None:
        return self._per_commit("wal_bytes")

    def _per_commit(self, name: str) -> float | None:
        """A node that is alone has no record of its own: the engine counts its commits."""
        total = self._sums.total(name)
        commits = sum(self.of_nodes("commits")) or self._sums.total(*COMMITS)
        return total / commits if commits and total is not None else None

    @property
    def forwarded_share(self) -> float | None:
        """Of the operations that a node was asked for, those that it asked another for."""
        forwarded = self._sums.total("forwarded")
        local = self._sums.total("local_latency_us_count")
        every = None if forwarded is None or local is None else forwarded + local
        return forwarded / every if every and forwarded is not None else None

    def latency_us(self, side: str, statistic: str) -> float | None:
        """Of operations that were `local` or `forwarded`: the median over slices of p50 or p99."""
        return self._sums.median(f"{side}_latency_us_{statistic}")

    @property
    def client_rates(self) -> list[float]:
        """Operations a second of each client in each slice."""
        return [
            count / one["measure_s"]
            for one in self._sums.slices
            if one["measure_s"]
            for count in one.get("client_operations") or ()
        ]


@dataclass(frozen=True)
class ShardSweep:
    """One engine and workload: every cut, few nodes first."""

    points: tuple[ShardPoint, ...]
    left_out: tuple[str, ...]

    @property
    def first(self) -> CellResult:
        return self.points[0].result

    @property
    def subject(self) -> str:
        return f"{words.subject(self.first)}, {words.clients(self.first.threads)}"

    @property
    def logged(self) -> list[ShardPoint]:
        return [one for one in self.points if one.result.writes_wal]

    @property
    def sentences(self) -> list[str]:
        """What the log costs on each number of nodes, and what a hop does."""
        said = [
            f"{one.cut.words}, {words.label(one.result)}: the log costs "
            f"{words.cost(one.result.interval)}; {words.number(one.syncs_per_commit)} syncs "
            "a commit"
            for one in self.logged
            if one.result.durability == "sync" and not one.cut.redirects and one.cut.owner == RANGE
        ]
        said += [
            f"{one.cut.words}, {words.label(one.result)}: redirection costs {words.cost(one.hop)} "
            "of what clients have who ask the owner themselves"
            for one in self.points
            if one.hop.value is not None and one.result.durability in ("sync", "off")
        ]
        return said


def shard_sweeps(rows: Sequence[Row]) -> list[ShardSweep]:
    """One for each engine, workload, profile and number of clients with a store that was cut."""
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for one in rows:
        if one.get("shards"):
            key = ("engine", "workload", "profile", "threads")
            groups.setdefault(tuple(one[name] for name in key), []).append(one)
    return [_sweep(groups[key]) for key in sorted(groups)]


def _sweep(rows: Sequence[Row]) -> ShardSweep:
    panel = panel_of(rows)
    results = {one.at: one for one in every_cell(rows)}
    known = [one for one in results.values() if not one.failed and one.throughput is not None]
    points = [_point(panel, results, one) for one in known]
    left_out = [f"{one.cell}: {words.FAILED}" for one in results.values() if one not in known]
    return ShardSweep(tuple(sorted(points, key=_order)), tuple(left_out))


def _order(point: ShardPoint) -> tuple[object, ...]:
    cut = point.cut
    return cut.nodes, cut.redirects, cut.owner == HASH, point.result.writes_wal, point.result.cell


def _point(panel: Panel, results: Mapping[Cell, CellResult], one: CellResult) -> ShardPoint:
    cut = Shards.of(one.shards)

    def against(**changes: Any) -> Interval:
        """What is lost against the same cell of another cut; nothing where that is no other."""
        other = one.at.at(shards=replace(cut, **changes).word)
        if other == one.at or other not in results:
            return _NOTHING
        return panel.ratio(one.at, other).complement()

    return ShardPoint(
        result=one,
        hop=against(route="direct"),
        hash_costs=against(owner=RANGE),
        nodes_cost=against(nodes=1),
    )
