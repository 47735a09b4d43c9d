"""The report of a study of shards: what nodes, a hop and a hash cost, and the log on each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ...errors import UsageError
from ..figures import shards as figures
from ..report import Column, Lines, Part, Report, Table, numbers
from ..results import read, words
from ..sweep.shards import ShardPoint, ShardSweep, shard_sweeps
from ..sweep.value_sizes import beside
from . import cells, sweeps

_HOW_TO_READ = (
    "nodes and clients share the cores of this machine: with fewer cores than nodes no scaling can "
    "be seen, and what is lost with more nodes is CPU time as much as syncs",
    "against one node, hop, hash: what is lost against one node, against the same nodes asked "
    "directly, and against the same nodes that own equal ranges, within the same rounds",
    "imbalance: operations of the busiest node over the mean one; shares: of each node, in percent",
    "syncs a commit: 1 is no group commit at all; commits on several nodes share no sync",
    "forwarded: operations that a client's node asked another node for; of a local one it asks "
    "itself, by the same table; their times are medians over slices",
)


def shards(campaigns: Sequence[Path]) -> Report:
    """All cuts of these campaigns together; its files belong to the first of them.

    Errors: UsageError when no campaign had a store that was cut; else as `load`.
    """
    of = read(campaigns)
    every = shard_sweeps(of.rows)
    if not every:
        raise UsageError(
            f"{campaigns[0]}: found no cell with several nodes: see `waltax study-shards`"
        )
    content = [_content(one) for one in every]
    return Report(
        name="shards",
        parts=[part for one in every for part in _parts(one)] + beside_parts(of.rows),
        content=cells.content(of.origin, sweeps=content),
        lines=[line for one in content for line in map(_line, one["points"])],
        figures={"shards": lambda: figures.draw(every, of.origin)},
        warnings=of.warnings,
        folder=campaigns[0] if campaigns[0].is_dir() else None,
        source=of,
    )


def _parts(sweep: ShardSweep) -> list[Part]:
    results = [point.result for point in sweep.points]
    cores = next((one.work.cores for one in results if one.work.cores), None)
    nodes = max(point.cut.nodes for point in sweep.points)
    scaling = (
        []
        if cores is None or cores > nodes
        else [f"{cores} cores cannot show how {nodes} nodes scale"]
    )
    return [
        Lines([*sweep.sentences, *scaling], sweep.subject),
        _costs(sweep),
        _logs(sweep),
        *_hops(sweep),
        Lines(_HOW_TO_READ, "How to read it"),
        sweeps.notes(sweep.left_out, results),
        cells.evidence(results, lambda one: f"{one.shards}, {words.label(one)}", ()),
    ]


def _costs(sweep: ShardSweep) -> Table:
    columns = numbers(
        sweep.first.throughput_unit, "a node", "overhead % [95 %]", "against one\nnode %",
        "hash %", "imba-\nlance",
    )  # fmt: skip
    rows = [
        (
            *_name(point),
            words.number(point.result.throughput),
            words.number(point.per_node),
            cells.overhead(point.result),
            words.percent(point.nodes_cost.value),
            words.percent(point.hash_costs.value),
            words.number(point.imbalance),
        )
        for point in sweep.points
    ]
    return Table("Throughput, and what the log costs", [*_NAMES, *columns], rows)


def _logs(sweep: ShardSweep) -> Table:
    columns = numbers("syncs\na commit", "sync us", "log bytes\na commit", "shares of nodes %")
    rows = [
        (
            *_name(point),
            words.number(point.syncs_per_commit),
            words.number(point.result.work.sync_us),
            words.number(point.wal_bytes_per_commit),
            point.busiest or "-",
        )
        for point in sweep.logged
    ]
    return Table("The logs", [*_NAMES, *columns], rows)


def _hops(sweep: ShardSweep) -> list[Table]:
    """None where no client was tied to a node."""
    columns = numbers(
        "hop costs % [95 %]", "forwarded %", "p50 us\nlocal", "\nforwarded", "p99 us\nlocal",
        "\nforwarded",
    )  # fmt: skip
    rows = [
        (
            *_name(point),
            cells.interval(point.hop),
            words.percent(point.forwarded_share),
            *(
                words.number(point.latency_us(side, statistic))
                for statistic in ("p50", "p99")
                for side in ("local", "forwarded")
            ),
        )
        for point in sweep.points
        if point.cut.redirects
    ]
    title = "The price of the hop: clients tied to a node, against clients that ask the owner"
    return [Table(title, [*_NAMES, *columns], rows)] if rows else []


_NAMES = (Column("shards, log"),)


def _name(point: ShardPoint) -> tuple[str, ...]:
    return (f"{point.result.shards}, {words.label(point.result)}",)


def beside_parts(rows: Sequence[Mapping[str, Any]]) -> list[Part]:
    """Ours at each size of values beside the published ones; none of one size."""
    found = beside(rows)
    if not found:
        return []
    columns = [
        Column("value bytes, log"),
        *numbers("ops/s", "theirs", "update us", "theirs", "read us", "theirs"),
    ]
    table = [
        (
            f"{one.value_bytes:,}, {one.log}",
            *(
                words.number(value)
                for value in (
                    *(one.throughput, one.theirs.run_per_s),
                    *(one.update_us, one.theirs.update_us),
                    *(one.read_us, one.theirs.read_us),
                )
            ),
        )
        for one in found
    ]
    title = "Sizes of values, beside a published study (one server, 4 clients, logs not synced)"
    return [Table(title, columns, table)]


def _content(sweep: ShardSweep) -> dict[str, Any]:
    """A study for programs. Fractions, not percent; units are in the names."""
    return {
        "subject": sweep.subject,
        "sentences": sweep.sentences,
        "left_out": list(sweep.left_out),
        "points": [_point(point) for point in sweep.points],
    }


def _point(point: ShardPoint) -> dict[str, Any]:
    one = point.result
    return {
        **{"engine": one.engine, "workload": one.workload, "device": one.device},
        **{"durability": one.durability, "threads": one.threads, "cell": one.cell},
        "shards": one.shards,
        "nodes": point.cut.nodes,
        "throughput": one.throughput,
        "throughput_unit": one.throughput_unit,
        "throughput_per_node": point.per_node,
        "overhead": asdict(one.interval),
        "hop": asdict(point.hop),
        "hash": asdict(point.hash_costs),
        "against_one_node": asdict(point.nodes_cost),
        "imbalance": point.imbalance,
        "node_operations": point.of_nodes("operations"),
        "node_wal_bytes": point.of_nodes("wal_bytes"),
        "node_wal_syncs": point.of_nodes("wal_syncs"),
        "syncs_per_commit": point.syncs_per_commit,
        "wal_bytes_per_commit": point.wal_bytes_per_commit,
        "forwarded_share": point.forwarded_share,
        **{
            f"{side}_latency_us_{statistic}": point.latency_us(side, statistic)
            for side in ("local", "forwarded")
            for statistic in ("p50", "p99")
        },
    }


_INTERVALS = ("overhead", "hop", "hash", "against_one_node")


def _line(point: Mapping[str, Any]) -> dict[str, Any]:
    line: dict[str, Any] = {}
    for name, value in point.items():
        if name in _INTERVALS:
            line |= sweeps.spelled(name, value)
        elif not isinstance(value, list):
            line[name] = value
    return line
