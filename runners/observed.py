"""What the witnesses saw of one slice: engine, tap, directories, and the devices below."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from ..cell import ENCODE
from ..devices.tap_page import TapFile, percentile
from ..engines import ENGINES
from ..evidence import memory
from ..evidence.observed import Observed, SeenBinlog, Told, commits
from ..harness.live import Live, Measured
from ..row import driven_s


def observed(
    live: Live,
    measured: Measured,
    *,
    compressed: bool = False,
    read_latency_us: int = 0,
    binlog_emulated: bool = False,
) -> Observed:
    """The figures that the evidence is judged by.

    `compressed` is whether the engine compresses its log, `read_latency_us` what a read of data is
    to take, `binlog_emulated` whether a second log's device is a model; all are the campaign's.
    """
    event, tap = measured.slice, measured.tap
    if "told" in event:
        return Observed.elsewhere(
            Told.of(event["told"]),
            commits(live.cell.workload, event),
            driven_s(event),
            measured.machine["machine_elapsed_s"],
        )
    engine, counters = ENGINES[live.cell.engine], measured.slice["counters"]
    return Observed(
        engine_wal_bytes=counters[engine.wal_bytes],
        engine_wal_syncs=counter(counters, engine.wal_syncs),
        engine_commit_groups=counter(counters, engine.commit_groups),
        commits=commits(live.cell.workload, event),
        definitions=event.get("definitions", 0),
        pages=event.get("pages"),
        seconds=driven_s(event),
        tap_wal_bytes=tap.write_bytes,
        tap_writes=tap.writes,
        tap_syncs=tap.syncs,
        tap_wal_files=tap.opens,
        # Each node has one.
        tap_attached=measured.tap_so_far.attached - max(0, len(measured.nodes) - 1),
        tap_emulated=bool(measured.tap_so_far.emulated),
        tap_bypasses=measured.tap_so_far.bypasses,
        stray_wal_files=measured.stray_wal_files,
        tap_rung=measured.tap_so_far.rung,
        tap_bytes_not_kept=tap.bytes_not_kept,
        tap_syncs_at_once=tap.syncs_at_once,
        wal_blocks=_blocks(measured) if live.cell.rung == ENCODE else 0,
        # Logs of several processes may share a flush: nodes are judged one by one.
        below=None if len(measured.nodes) > 1 else measured.machine.get("wal_below"),
        devices=tuple(measured.machine.get("wal_devices", ())),
        sync_us_p50=percentile(tap.sync_achieved, 50),
        syncs_apart=tap.syncs_apart,
        syncs_unwaited=tap.syncs_unwaited,
        compressed=compressed,
        short_files=_short_files(live, measured) if live.cell.rung != ENCODE else (),
        with_data=measured.machine.get("wal_with_data"),
        binlog=_binlog(measured, planned_emulated=binlog_emulated),
        data_read_latency_us=read_latency_us,
        tap_read_latency_us=measured.tap_so_far.data_read_latency_ns / 1e3,
        tap_data_reads=tap.data_reads,
        tap_data_read_ns=tap.data_read_ns,
        tap_data_read_bytes=tap.data_read_bytes,
        tap_data_reads_unasked=tap.data_reads_unasked,
        disk_read_bytes=measured.machine.get("disk_read_bytes"),
        elapsed_s=measured.machine["machine_elapsed_s"],
        memory={name: measured.machine.get(name) for name in memory.NAMES},
    )


def _binlog(measured: Measured, *, planned_emulated: bool) -> SeenBinlog | None:
    if measured.binlog is None:
        return None
    tap, so_far = measured.binlog.tap, measured.binlog.tap_so_far
    counters = measured.slice["counters"]
    return SeenBinlog(
        bytes=tap.write_bytes,
        writes=tap.writes,
        syncs=tap.syncs,
        bypasses=so_far.bypasses,
        emulated=bool(so_far.emulated),
        planned_emulated=planned_emulated,
        attached=so_far.attached,
        told_bytes=counters.get("binlog_bytes_written"),
        told_groups=counters.get("binlog_group_commits"),
    )


def _blocks(measured: Measured) -> int:
    """What the log's files that were written to take of the disk; a clone brings others along."""
    blocks = 0
    for path, file in files(measured):
        with suppress(FileNotFoundError):  # it may be removed meanwhile
            blocks += path.stat().st_blocks if file.writes else 0
    return blocks


def _short_files(live: Live, measured: Measured) -> tuple[str, ...]:
    """Log files that are there, and hold less than the tap saw written to them.

    Not with a knob: a recycled file changes its name.
    """
    short: list[str] = []
    if live.cell.knob:
        return ()
    for path, file in files(measured):
        with suppress(FileNotFoundError):
            if not file.unlinked and path.stat().st_size < file.length:
                short.append(file.name)
    return tuple(short)


def files(measured: Measured) -> list[tuple[Path, TapFile]]:
    """The log's files that the tap saw since the start, with their paths."""
    return [
        (node.wal_dir / file.name, file)
        for node in measured.nodes
        for file in node.tap_so_far.files
    ]


def counter(counters: dict[str, int], name: str | None) -> int | None:
    """What an engine counted; None of what it counts nothing of."""
    return None if name is None else counters[name]
