"""What the witnesses of a cell's nodes saw of a slice: their evidence, and columns of its row."""

from __future__ import annotations

from dataclasses import replace

from ..cell import Cell
from ..devices.tap_page import percentile
from ..engines import ENGINES
from ..evidence.observed import Observed
from ..evidence.rules import contradictions as of_one_store
from ..row import Row
from .cells.live import Event, Live, Measured

_LATENCIES = ("count", "mean", "p50", "p99")


def contradictions(live: Live, measured: Measured, together: Observed) -> list[str]:
    """What speaks against the label of each node, as of one store; the sentences name the node.

    Nothing of a cell that is one store. `together` is what was seen of all.
    """
    alone = live.cell.at(shards="")
    return [
        f"node {number}: {sentence}"
        for number, seen in enumerate(_seen(live.cell, measured, together))
        for sentence in of_one_store(alone, live.placement.emulated, seen)
    ]


def _seen(cell: Cell, measured: Measured, together: Observed) -> list[Observed]:
    """Of each node whose log has a tap of its own; nodes in the driver's process share one."""
    if len(measured.nodes) < 2:
        return []
    engine, event = ENGINES[cell.engine], measured.slice
    found = []
    for number, node in enumerate(measured.nodes):
        counters = event["node_engines"][number]["counters"]
        found.append(
            replace(
                together,
                engine_wal_bytes=counters[engine.wal_bytes],
                engine_wal_syncs=None if engine.wal_syncs is None else counters[engine.wal_syncs],
                engine_commit_groups=(
                    None if engine.commit_groups is None else counters[engine.commit_groups]
                ),
                commits=event["nodes"][number]["commits"],
                tap_wal_bytes=node.tap.write_bytes,
                tap_writes=node.tap.writes,
                tap_syncs=node.tap.syncs,
                tap_wal_files=node.tap.opens,
                tap_attached=node.tap_so_far.attached,
                tap_emulated=bool(node.tap_so_far.emulated),
                tap_bypasses=node.tap_so_far.bypasses,
                stray_wal_files=node.stray_wal_files,
                below=measured.machine.get("wal_below"),
                devices=tuple(measured.machine.get("wal_devices", ())),
                sync_us_p50=percentile(node.tap.sync_achieved, 50),
            )
        )
    return found


def columns(live: Live, measured: Measured) -> Row:
    """Columns of a row: its nodes, its clients, and what was forwarded; none of one store."""
    if not live.cell.shards:
        return {}
    event = measured.slice
    told: Row = {"client_operations": [thread["requests"] for thread in event["threads"]]}
    if "nodes" in event:
        told["nodes"] = _nodes(live, measured)
    if "forwarded" in event:
        told["forwarded"] = event["forwarded"]
        for side in ("local", "forwarded"):
            latency = event[f"latency_{side}_us"]
            told |= {f"{side}_latency_us_{name}": latency.get(name) for name in _LATENCIES}
    return told


def _nodes(live: Live, measured: Measured) -> list[Row]:
    event: Event = measured.slice
    engine, several = ENGINES[live.cell.engine], len(measured.nodes) > 1
    nodes = []
    for number, (asked, kept) in enumerate(zip(event["nodes"], event["node_engines"], strict=True)):
        counters = kept["counters"]
        node = {
            "node": number,
            **{name: asked[name] for name in ("operations", "reads", "writes", "commits")},
            "wal_bytes": counters[engine.wal_bytes],
            "wal_syncs": None if engine.wal_syncs is None else counters[engine.wal_syncs],
        }
        if several:
            its = measured.nodes[number]
            node |= {"wal_dir": str(its.wal_dir), "tap_syncs": its.tap.syncs}
            node["tap_write_bytes"] = its.tap.write_bytes
        else:
            node["wal_dir"] = str(live.wal_dir / f"node{number}")
        nodes.append(node)
    return nodes
