"""Record a slice as a row, and what it is judged by beyond that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from hdrh.histogram import HdrHistogram

from .. import row
from ..cell import Cell
from ..devices.tap_page import TapCounters, percentile
from ..engines import ENGINES, Engine
from ..row import COLUMNS, Row
from ..workloads import WORKLOADS
from . import emulation
from .campaign import Campaign
from .cells import machine, programs
from .cells.live import Event, Live, Measured, Position
from .recipe import axes

_UNCOMPRESSED = "kNoCompression"
_LONGEST_NS = 2**37 - 1  # of driver/latency.h
# What a request costs its program over a store that does nothing; only our programs report it.
_GENERATOR = "generator_cpu_us_per_op"
_NODE = ("node", "operations", "commits", "wal_bytes", "wal_syncs", "wal_dir")
_TAP_OF_NODE = ("tap_syncs", "tap_write_bytes")  # of each node that has a tap of its own
_SO_FAR = ("attached", "emulated", "rung", "bypasses")
_OUR_CPU = ("cpu_user_s", "cpu_system_s", "cpu_server_user_s", "cpu_server_system_s")


def taken(campaign: Campaign, live: Live, at: Position, measured: Measured) -> Row:
    """Return the row of a slice, whose evidence is still to be judged."""
    event, build = measured.slice, campaign.builds.get(live.cell.build)
    known: Row = {**identity(campaign, live.cell, at), "status": "ok", "failure": None}
    said = COLUMNS.keys() - known.keys() - {"nodes"}  # an event has its own nodes and threads
    found: Row = {
        **known,
        **{name: value for name, value in event.items() if name in said},
        **event.get("columns", {}),
        **_operations(event),
        **_data(live),
        **_witnesses(live, measured),
        "wal_compressed": _compresses(campaign, live.cell),
        **measured.machine,
        **_cpu_shares(live, measured),
        **_origin(live),
        **({"build_revision": build.revision} if build is not None else {}),
    }
    return {**found, "warnings": _warnings(campaign, live, measured.tap, found)}


def stores(live: Live, measured: Measured, whole: Row) -> list[Row]:
    """Return what is judged of each node whose log has a tap of its own, as if it were one store:
    the row `whole` with the node's own figures. Nodes in the driver's process share a tap: none.
    """
    if len(measured.nodes) < 2:
        return []
    return [{**whole, **own} for own in _nodes(live, measured)]


def failed(campaign: Campaign, cell: Cell, at: Position, failure: str) -> Row:
    """Return the row of a slice that failed: what was known, and why."""
    return {
        **identity(campaign, cell, at),
        "status": "failed",
        "failure": failure,
        "throughput": None,
        "throughput_unit": WORKLOADS[cell.workload].unit.name,
        "warnings": [],
    }


def identity(campaign: Campaign, cell: Cell, at: Position) -> Row:
    """Return the columns that every row has: which slice of which cell it is."""
    placement, workload = campaign.placements[cell.id], WORKLOADS[cell.workload]
    spread = placement.device.spread if placement.emulated else None
    states = spread and {"device_fastest": spread.fastest, "device_slowest": spread.slowest}
    return {
        "schema": row.SCHEMA,
        "campaign": campaign.id,
        **({"host": campaign.host} if campaign.host else {}),
        "session": at.session,
        "round": at.round,
        "slice": at.slice,
        "cell": cell.id,
        **cell.columns,
        "emulated": placement.emulated,
        "device_kind": placement.device_kind,
        **(states or {}),
        "allowed_mismatch": placement.mismatch is not None,
        "placement_digest": placement.digest,
        "profile_digest": campaign.profile_of(cell).digest,
        **axes.columns(campaign, cell),
        **({"workload_digest": workload.digest} if workload.text else {}),
    }


def _compresses(campaign: Campaign, cell: Cell) -> bool:
    """Return whether the profile compresses the log: fewer bytes arrive than the engine counts."""
    engine = ENGINES[cell.engine]
    if engine.elsewhere or engine.is_program or engine.on_server:
        return False
    compression = campaign.profile_of(cell).embedded.db.get("wal_compression", _UNCOMPRESSED)
    return compression != _UNCOMPRESSED


def _operations(event: Event) -> Row:
    """Return the columns of operations; none for a program that does not report them."""
    columns: Row = {}
    everything = {"": event.get("all_operations", {})}
    operations = {f"op_{name}_": figures for name, figures in event.get("operations", {}).items()}
    for prefix, figures in (everything | operations).items():
        for name, value in figures.items():
            if name.endswith("_us"):
                statistic = name.removesuffix("_us")
                columns[f"{prefix}latency_us_{statistic}"] = value
            elif name == "counts_ns":
                columns[f"{prefix}latency_hdr"] = encoded(value)
            elif prefix:
                columns[f"{prefix}{name}"] = value
    return columns


def encoded(counts_ns: Sequence[Sequence[int]]) -> str:
    """Return a histogram as the text of an HdrHistogram: latencies, and how often each was."""
    histogram = HdrHistogram(1, _LONGEST_NS, 3)
    for value, count in counts_ns:
        histogram.record_value(value, count)
    return str(histogram.encode().decode())


def _data(live: Live) -> Row:
    """Return what the workload's driver said of its data when it opened them."""
    if "workload" not in live.ready:
        return {}
    described, record = live.ready["workload"], WORKLOADS[live.cell.workload]
    says = {name: described[name] for name in record.says if name in described}
    return {**says, "data_bytes_loaded": live.ready["data_bytes"]}


def _witnesses(live: Live, measured: Measured) -> Row:
    counters, engine = measured.slice["counters"], ENGINES[live.cell.engine]
    if engine.elsewhere:
        return {**counters, **measured.slice["told"]}
    columns = {
        "wal_dir": str(live.wal_dir),
        "wal_files": [
            str(node.wal_dir / file.name)
            for node in measured.nodes
            for file in node.tap.files
            if file.writes
        ],
        **_counted(engine, counters),
        **_tap_columns(measured.tap, measured.tap_so_far, measured.stray_wal_files),
    }
    columns["tap_attached"] -= max(0, len(measured.nodes) - 1)
    if live.cell.shards and "nodes" in measured.slice:
        names = _NODE + _TAP_OF_NODE * (len(measured.nodes) > 1)
        nodes = _nodes(live, measured)
        columns["nodes"] = [{name: node[name] for name in names} for node in nodes]
    return columns


def _counted(engine: Engine, counters: Mapping[str, int]) -> Row:
    """Return what an engine counted: its log's columns, and all counters by its own names."""
    return {
        "wal_bytes": counters[engine.wal_bytes],
        "wal_syncs": None if engine.wal_syncs is None else counters[engine.wal_syncs],
        **{name.replace(".", "_"): value for name, value in counters.items()},
    }


def _nodes(live: Live, measured: Measured) -> list[Row]:
    """Return, of each node of a sharded store, what it was asked, and what its engine and, if it
    is a process of its own, its tap counted.
    """
    event, engine, nodes = measured.slice, ENGINES[live.cell.engine], list[Row]()
    for number, (sent, kept) in enumerate(zip(event["nodes"], event["node_engines"], strict=True)):
        node = {"node": number, **sent, **_counted(engine, kept["counters"])}
        if len(measured.nodes) > 1:
            own = measured.nodes[number]
            seen = own.tap, own.tap_so_far, own.stray_wal_files
            node |= {"wal_dir": str(own.wal_dir), **_tap_columns(*seen)}
        else:
            node["wal_dir"] = str(live.wal_dir / f"node{number}")
        nodes.append(node)
    return nodes


def _tap_columns(seen: TapCounters, so_far: TapCounters, strays: Sequence[Path]) -> Row:
    """Return the columns of the tap, which are the same for everything measured.

    `so_far` is since its start, and `strays` are logs that it is not in front of.
    """
    columns: Row = {f"tap_{name}": value for name, value in seen.in_rows().items()}
    columns |= {f"tap_{name}": getattr(so_far, name) for name in _SO_FAR}
    columns |= {"stray_wal_files": [str(path) for path in strays]} if strays else {}
    for name, histogram in (("sync", seen.sync_achieved), ("wanted_sync", seen.sync_wanted)):
        for q in (50, 99):
            value = percentile(histogram, q)
            if value is not None:
                columns[f"tap_{name}_us_p{q}"] = value
    return columns


def _cpu_shares(live: Live, measured: Measured) -> Row:
    """Split the CPU time of a slice among driver, server, engine and other programs.

    The driver's own CPU time is its cost per request over a store that does nothing. A program
    without such a store, such as a user's command, is not split.
    """
    event, columns = measured.slice, Row()
    ours_s = event["cpu_user_s"] + event["cpu_system_s"] + sum(measured.server_cpu_s or ())
    if measured.server_cpu_s is not None:
        user_s, system_s = measured.server_cpu_s
        columns = {"cpu_server_user_s": round(user_s, 6), "cpu_server_system_s": round(system_s, 6)}
    if _GENERATOR in live.ready:
        driver_s = (live.ready[_GENERATOR] or 0.0) * event.get("slice_requests", 0) / 1e6
        columns["cpu_driver_s"] = round(driver_s, 6)
        columns["cpu_engine_s"] = round(ours_s - driver_s, 6)
    foreign_s = max(0.0, measured.machine["machine_busy_cpu_s"] - ours_s)
    return {**columns, "cpu_foreign_s": round(foreign_s, 3)}


def _origin(live: Live) -> Row:
    facts = dict(machine.provenance())
    versions = {"waltax": facts.pop("waltax_version"), **_versions(live)}
    columns: Row = {**facts, "versions": versions, **programs.digests(live), "seed": live.seed}
    columns |= programs.engine_columns(live)
    for name in ("compiler", "compiler_flags"):
        if name in live.ready:
            columns[f"driver_{name}"] = live.ready[name]
    if _GENERATOR in live.ready:
        columns |= {"flags": live.argv[1:], _GENERATOR: live.ready[_GENERATOR]}
    return columns


def _versions(live: Live) -> dict[str, str]:
    """Return the versions, by name, of the engine and of the server that it is in."""
    described, engine = live.ready["engine"], ENGINES[live.cell.engine]
    if engine.is_program:
        return {}
    if engine.elsewhere:
        return {described["name"]: described["server_version"]}
    if live.server is None:
        return {"rocksdb": described["rocksdb_version"]}
    versions = {"mariadb": described["server_version"].partition("-")[0]}
    if engine.served.version_in is not None:
        versions["rocksdb"] = live.server.engine_version()
    return versions


def _warnings(campaign: Campaign, live: Live, seen: TapCounters, found: Row) -> list[str]:
    words = [*live.placement.warnings, *live.ready["warnings"], *machine.warnings()]
    if live.cell.id in campaign.binlogs:
        words += [f"binlog: {text}" for text in campaign.binlogs[live.cell.id].warnings]
    if found["cpu_foreign_s"] > 0.2 * found["machine_busy_cpu_s"]:
        words.append("other programs used more than a fifth of the CPU time in use")
    model = live.placement.model
    if model is not None and live.cell.threads >= machine.cores():
        words += emulation.spun(model, seen, sum(found.get(name, 0.0) for name in _OUR_CPU))
    return words
