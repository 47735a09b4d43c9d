"""The report of a study of shards: what the log on each node costs, by the cut of the store.

All cuts of a campaign take turns in the same rounds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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


def shards(campaigns: Sequence[Path]) -> Report:
    """Report all cuts of these campaigns together; its files belong to the first campaign.

    Errors: UsageError if no campaign had a store that was cut; else as `load`.
    """
    return sweeps.report(
        "shards", campaigns, shard_sweeps,
        lacking="no cell with several nodes: see `waltax sweep nodes`", is_one_study=True,
        guide="reports.md", legend="points: means with 95 % intervals",
    )  # fmt: skip


def shard_sweeps(rows: Sequence[Row]) -> list[Series[CellResult]]:
    """Return a series per engine, workload, profile and number of clients with a cut store."""
    cut = [row for row in rows if row.get("shards")]
    of = itemgetter("engine", "workload", "profile", "threads")
    return list(map(_sweep, sweeps.grouped(cut, of)))


def _sweep(rows: Sequence[Row]) -> Series[CellResult]:
    results = every_cell(list(rows))
    points = sorted((result for result in results if not result.failed), key=_order)
    first = results[0]
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
            Column("imbalance", "imba-\nlance", of=_imbalance),
            Column("syncs_per_commit", "syncs\na commit", of=_syncs_per_commit),
            Column("_sync_us", "sync us", of="facts.sync_us"),
        ],
        views=[
            View(
                "Throughput, and what the log costs",
                "_cut throughput overhead syncs_per_commit _sync_us imbalance",
            )
        ],
        sentences=list(_sentences(points)),
        at=lambda result: result.shards,
        line=cell_columns.line,
        plots=[
            Plot(first.throughput_unit, "throughput"),
            Plot("overhead of the log, %", "overhead", lambda result: result.writes_wal),
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


def _sentences(points: Sequence[CellResult]) -> Iterator[str]:
    """Say what the log costs by number of nodes, and whether nodes had cores."""
    for result in points:
        if result.durability == "sync" and _cut(result).owner == RANGE:
            place = f"{_cut(result).words}, {words.label(result)}"
            cost, syncs = words.cost(result.interval), number(_syncs_per_commit(result))
            yield f"{place}: the log costs {cost}; {syncs} syncs a commit"
    cores = points[0].facts["cores"] if points else None
    nodes = max((_cut(result).nodes for result in points), default=0)
    if cores is not None and cores <= nodes:
        yield f"{cores} cores cannot show how {nodes} nodes scale"
