"""Record a slice as a row, and what it is judged by beyond that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hdrh.histogram import HdrHistogram

from .. import row
from ..cell import Cell
from ..devices.resolve import Placement
from ..devices.tap_page import TapCounters, percentile
from ..engines import ENGINES, Engine
from ..evidence.endpoint import rests_on
from ..row import Row
from ..workloads import WORKLOADS
from . import emulation, lives
from .campaign import Campaign
from .cells import machine, programs
from .cells.live import Event, Live, Measured, Position
from .recipe import axes

_UNCOMPRESSED = "kNoCompression"
_LONGEST_NS = 2**37 - 1  # of driver/latency.h
_LATENCIES = ("count", "mean", "p50", "p99")
# What a request costs its program over a store that does nothing; only our programs report it.
_GENERATOR = "generator_cpu_us_per_op"


def taken(campaign: Campaign, live: Live, at: Position, measured: Measured) -> Row:
    """Return the row of a slice, whose evidence is still to be judged."""
    event, build = measured.slice, campaign.builds.get(live.cell.build)
    return {
        **identity(campaign, live.cell, at),
        "status": "ok",
        "failure": None,
        "throughput": event["throughput"],
        "throughput_unit": event["throughput_unit"],
        **_load(event),
        **_operations(event),
        **_workload(live, event),
        **_witnesses(live, measured),
        "wal_compressed": compresses(campaign, live.cell),
        **measured.machine,
        **_cpu_shares(live, measured),
        **_origin(live),
        **({"build_revision": build.revision} if build is not None else {}),
        "warnings": _warnings(campaign, live, measured),
    }


def moment(measured: Measured) -> Row:
    """Return what a slice is judged by beyond the columns that its row keeps.

    The tap's figures are since its start; those of directories are what they hold now.
    """
    event, so_far = measured.slice, measured.tap_so_far
    if "told" in event:  # somebody else's server
        return {}
    return {
        **_tap_so_far(so_far, others=max(0, len(measured.nodes) - 1)),
        "tap_rung": so_far.rung,
        "stray_wal_files": measured.stray_wal_files,
        # Processes' logs may share a flush, so nodes are judged one by one.
        "shares_flushes": len(measured.nodes) > 1,
        **measured.moment,
    }


def stores(live: Live, measured: Measured, whole: Row) -> list[Row]:
    """Return what is judged of each node whose log has a tap of its own, as if it were one store:
    the row `whole` with the node's own figures. Nodes in the driver's process share a tap: none.
    """
    engine, event, rows = ENGINES[live.cell.engine], measured.slice, list[Row]()
    for number, node in enumerate(measured.nodes if len(measured.nodes) > 1 else ()):
        own = counted(engine, event["node_engines"][number]["counters"])
        own |= tap_columns(node.tap) | _tap_so_far(node.tap_so_far)
        own |= {"commits": event["nodes"][number]["commits"], "shares_flushes": False}
        rows.append({**whole, **own, "stray_wal_files": node.stray_wal_files})
    return rows


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
    placement = campaign.placements[cell.id]
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
        **_spread(placement),
        "allowed_mismatch": placement.mismatch is not None,
        "placement_digest": placement.digest,
        "profile_digest": campaign.profile_of(cell).digest,
        **axes.columns(campaign, cell),
        **({"workload_digest": record.digest} if (record := WORKLOADS[cell.workload]).text else {}),
    }


def _spread(placement: Placement) -> Row:
    """Return how the drive's other states differ from the one that is replayed, if known."""
    spread = placement.device.spread if placement.emulated else None
    if spread is None:
        return {}
    return {"device_fastest": spread.fastest, "device_slowest": spread.slowest}


def compresses(campaign: Campaign, cell: Cell) -> bool:
    """Return whether the profile compresses the log: fewer bytes arrive than the engine counts."""
    if cell.engine in lives.LIVES or ENGINES[cell.engine].on_server:
        return False
    compression = campaign.profile_of(cell).embedded.db.get("wal_compression", _UNCOMPRESSED)
    return compression != _UNCOMPRESSED


def _load(event: Event) -> Row:
    names = (
        "start_unix_s",
        "warmup_s",
        "measure_s",
        *("driven_s", "overtime_s"),
        *("requests", "slice_requests", "age_requests", "unmeasured_s"),
        *("commits", "errors", "retries"),
        *("rate", "unserved", "unserved_oldest_s"),
        "cpu_user_s",
        "cpu_system_s",
        "context_switches_voluntary",
        "context_switches_involuntary",
    )
    return {name: event[name] for name in names if name in event}  # not every program counts all


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


def _workload(live: Live, event: Event) -> Row:
    """Return what the workload says of itself, and what it counts."""
    if "workload" not in live.ready:
        return {}
    described, record = live.ready["workload"], WORKLOADS[live.cell.workload]
    return {
        **{name: described[name] for name in record.says if name in described},
        "data_bytes_loaded": live.ready["data_bytes"],
        "data_bytes": event["data_bytes"],
        "inputs": event["inputs"],
        **event.get("columns", {}),
    }


def _witnesses(live: Live, measured: Measured) -> Row:
    counters, engine = measured.slice["counters"], ENGINES[live.cell.engine]
    seen = measured.tap
    if engine.elsewhere:
        reported = measured.slice["told"]
        return {**counters, **reported, "log_evidence": rests_on(reported)}
    return {
        "wal_dir": str(live.wal_dir),
        "wal_files": [
            str(node.wal_dir / file.name)
            for node in measured.nodes
            for file in node.tap.files
            if file.writes
        ],
        **counted(engine, counters),
        **tap_columns(seen),
        **(_nodes(live, measured) if live.cell.shards and "nodes" in measured.slice else {}),
    }


def counted(engine: Engine, counters: Mapping[str, int]) -> Row:
    """Return what an engine counted: its log's columns, and all counters by its own names."""
    return {
        "wal_bytes": counters[engine.wal_bytes],
        "wal_syncs": None if engine.wal_syncs is None else counters[engine.wal_syncs],
        **{name.replace(".", "_"): value for name, value in counters.items()},
    }


def _nodes(live: Live, measured: Measured) -> Row:
    """Return, of each node of a sharded store, what it was asked, and what its engine and its own
    tap counted.
    """
    event, several = measured.slice, len(measured.nodes) > 1
    nodes = []
    for number, (sent, kept) in enumerate(zip(event["nodes"], event["node_engines"], strict=True)):
        engine = counted(ENGINES[live.cell.engine], kept["counters"])
        node = {
            "node": number,
            **{name: sent[name] for name in ("operations", "commits")},
            **{name: engine[name] for name in ("wal_bytes", "wal_syncs")},
            "wal_dir": str(live.wal_dirs[number] if several else live.wal_dir / f"node{number}"),
        }
        if several:
            seen = measured.nodes[number].tap
            node |= {"tap_syncs": seen.syncs, "tap_write_bytes": seen.write_bytes}
        nodes.append(node)
    return {"nodes": nodes}


def tap_columns(seen: TapCounters) -> Row:
    """Return the columns of the tap, which are the same for everything measured."""
    columns: Row = {f"tap_{name}": value for name, value in seen.in_rows().items()}
    for name, histogram in (("sync", seen.sync_achieved), ("wanted_sync", seen.sync_wanted)):
        for q in (50, 99):
            value = percentile(histogram, q)
            if value is not None:
                columns[f"tap_{name}_us_p{q}"] = value
    return columns


def _tap_so_far(so_far: TapCounters, others: int = 0) -> Row:
    """Return what pages of taps say since their start; `others` of them are nodes'."""
    return {
        "tap_attached": so_far.attached - others,
        "tap_emulated": bool(so_far.emulated),
        "tap_bypasses": so_far.bypasses,
    }


def _cpu_shares(live: Live, measured: Measured) -> Row:
    """Split the CPU time of a slice among driver, server, engine and other programs.

    The driver's own CPU time is its cost per request over a store that does nothing. db_bench has
    no such store: all of it is the engine's. A command's is unknown.
    """
    event, columns = measured.slice, Row()
    if measured.server_cpu_s is not None:
        user_s, system_s = measured.server_cpu_s
        columns = {"cpu_server_user_s": round(user_s, 6), "cpu_server_system_s": round(system_s, 6)}
    if _GENERATOR in live.ready:
        driver_s = (live.ready[_GENERATOR] or 0.0) * event.get("slice_requests", 0) / 1e6
        columns["cpu_driver_s"] = round(driver_s, 6)
        columns["cpu_engine_s"] = round(_our_cpu_s(measured) - driver_s, 6)
    return {**columns, "cpu_foreign_s": _foreign_cpu_s(measured)}


def _our_cpu_s(measured: Measured) -> float:
    """Return the CPU time of the driver's process, and of the server's if the engine is in one."""
    event = measured.slice
    return float(event["cpu_user_s"] + event["cpu_system_s"] + sum(measured.server_cpu_s or ()))


def _foreign_cpu_s(measured: Measured) -> float:
    """Return the CPU time that neither our processes nor idling used: other people's load."""
    busy_s: float = measured.machine["machine_busy_cpu_s"]
    return round(max(0.0, busy_s - _our_cpu_s(measured)), 3)


def _origin(live: Live) -> Row:
    facts = dict(machine.provenance())
    waltax = {"waltax": facts.pop("waltax_version")}
    versions = waltax | _versions(live)
    columns: Row = {**facts, "versions": versions, **programs.digests(live), "seed": live.seed}
    columns |= programs.engine_columns(live)
    said = {f"driver_{name}": live.ready.get(name) for name in ("compiler", "compiler_flags")}
    columns |= {name: value for name, value in said.items() if value is not None}
    if _GENERATOR in live.ready:
        columns |= {"flags": live.argv[1:], _GENERATOR: live.ready[_GENERATOR]}
    return columns


def _versions(live: Live) -> dict[str, str]:
    """Return the versions, by name, of the engine and of the server that it is in."""
    described = live.ready["engine"]
    if ENGINES[live.cell.engine].is_program:
        return {}
    if ENGINES[live.cell.engine].elsewhere:
        return {described["name"]: described["server_version"]}
    if live.server is None:
        return {"rocksdb": described["rocksdb_version"]}
    versions = {"mariadb": described["server_version"].partition("-")[0]}
    if ENGINES[live.cell.engine].served.version_in is not None:
        versions["rocksdb"] = live.server.engine_version()
    return versions


def _warnings(campaign: Campaign, live: Live, measured: Measured) -> list[str]:
    words = [*live.placement.warnings, *live.ready["warnings"], *machine.warnings()]
    if live.cell.id in campaign.binlogs:
        words += [f"binlog: {text}" for text in campaign.binlogs[live.cell.id].warnings]
    if _foreign_cpu_s(measured) > 0.2 * measured.machine["machine_busy_cpu_s"]:
        words.append("other programs used more than a fifth of the CPU time in use")
    seen, model = measured.tap, live.placement.model
    if model is not None and live.cell.threads >= machine.cores():
        words += emulation.spun(model, seen, _our_cpu_s(measured))
    return words
