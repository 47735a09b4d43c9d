"""Check the nodes of a row of shards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..base.errors import UsageError
from ..cell import Cell
from ..engines import ENGINES, Shards

# The driver counts the former for each node, and the tap of its server the latter; a row has sums.
_BY_DRIVER, _BY_TAPS = ("wal_bytes", "wal_syncs"), ("tap_syncs", "tap_write_bytes")


def unknown(cell: Cell) -> list[str]:
    """Say that nobody knows how the cell's store was cut; empty: it is known."""
    try:
        Shards.of(cell.shards)
    except UsageError as error:
        return [str(error)]
    return []


def contradictions(cell: Cell, row: Mapping[str, Any]) -> list[str]:
    """Return what in a row's nodes contradicts its label or its sums, a sentence each.

    One store has none. Sums are of what each node's own counters and tap saw.
    """
    if cell.nodes == 1:
        return []
    nodes = row.get("nodes")
    if not isinstance(nodes, list) or len(nodes) != cell.nodes:
        number = "none" if not isinstance(nodes, list) else len(nodes)
        return [f"shards are {cell.shards}, but the row tells of {number} nodes"]
    against = []
    for name in (*_BY_DRIVER, *(_BY_TAPS if ENGINES[cell.engine].on_server else ())):
        reported = [node.get(name) for node in nodes]
        counts = [count for count in reported if isinstance(count, int)]
        if len(counts) == len(reported) and sum(counts) != row.get(name):
            against.append(f"{name} is {row.get(name)}, but its nodes' are {sum(counts)} in all")
    if len({node.get("wal_dir") for node in nodes}) < len(nodes):
        against.append("two nodes have their logs in one directory")
    return against + _idle(cell, nodes)


def _idle(cell: Cell, nodes: list[dict[str, Any]]) -> list[str]:
    """Check that a node that committed has logged, unless no log is written."""
    if cell.durability == "off":
        return []
    return [
        f"node {node.get('node')} has {node['commits']} commits, and no byte in its log"
        for node in nodes
        if node.get("commits") and not node.get("wal_bytes")
    ]
