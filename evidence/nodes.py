"""What must be true of the nodes that a row of shards tells of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..base.errors import UsageError
from ..cell import Cell
from ..engines import ENGINES, Shards

# Counted for each node by the driver, and by the tap of its server; for all in columns of a row.
_BY_DRIVER, _BY_TAPS = ("wal_bytes", "wal_syncs"), ("tap_syncs", "tap_write_bytes")


def unknown(cell: Cell) -> list[str]:
    """That nobody knows how the cell's store was cut; empty: it is known."""
    try:
        Shards.of(cell.shards)
    except UsageError as error:
        return [str(error)]
    return []


def contradictions(cell: Cell, one: Mapping[str, Any]) -> list[str]:
    """What in a row's nodes contradicts its label or its sums, a sentence each; none of one store.

    Sums are of what each node's own counters and tap saw.
    """
    if cell.nodes == 1:
        return []
    nodes = one.get("nodes")
    if not isinstance(nodes, list) or len(nodes) != cell.nodes:
        found = "none" if not isinstance(nodes, list) else len(nodes)
        return [f"shards are {cell.shards}, but the row tells of {found} nodes"]
    against = []
    for name in (*_BY_DRIVER, *(_BY_TAPS if ENGINES[cell.engine].on_server else ())):
        told = [node.get(name) for node in nodes]
        counts = [count for count in told if isinstance(count, int)]
        if len(counts) == len(told) and sum(counts) != one.get(name):
            against.append(f"{name} is {one.get(name)}, but its nodes' are {sum(counts)} in all")
    if len({node.get("wal_dir") for node in nodes}) < len(nodes):
        against.append("two nodes have their logs in one directory")
    return against + _idle(cell, nodes)


def _idle(cell: Cell, nodes: list[dict[str, Any]]) -> list[str]:
    """A node that committed has logged, unless no log is written."""
    if cell.durability == "off":
        return []
    return [
        f"node {node.get('node')} has {node['commits']} commits, and no byte in its log"
        for node in nodes
        if node.get("commits") and not node.get("wal_bytes")
    ]
