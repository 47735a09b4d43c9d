"""Check the nodes of a row of shards."""

from __future__ import annotations

from collections.abc import Iterator

from .slice import Slice

# The driver counts the former for each node, and the tap of its server the latter; a row has sums.
_BY_DRIVER, _BY_TAPS = ("wal_bytes", "wal_syncs"), ("tap_syncs", "tap_write_bytes")


def contradictions(seen: Slice) -> Iterator[str]:
    """Yield what in a row's nodes contradicts its label or its sums, a sentence each.

    One store has none. Sums are of what each node's own counters and tap saw.
    """
    cell, nodes = seen.cell, seen.row.get("nodes")
    if cell.nodes == 1:
        return
    if not isinstance(nodes, list) or len(nodes) != cell.nodes:
        number = "none" if not isinstance(nodes, list) else len(nodes)
        yield f"shards are {cell.shards}, but the row tells of {number} nodes"
        return
    for name in (*_BY_DRIVER, *(_BY_TAPS if seen.engine.on_server else ())):
        reported = [node.get(name) for node in nodes]
        counts = [count for count in reported if isinstance(count, int)]
        if len(counts) == len(reported) and sum(counts) != seen.row.get(name):
            yield f"{name} is {seen.row.get(name)}, but its nodes' are {sum(counts)} in all"
    if len({node.get("wal_dir") for node in nodes}) < len(nodes):
        yield "two nodes have their logs in one directory"
    for node in nodes if cell.durability != "off" else ():
        if node.get("commits") and not node.get("wal_bytes"):
            yield f"node {node.get('node')} has {node['commits']} commits, and no byte in its log"
