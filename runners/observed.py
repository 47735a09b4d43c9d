"""What three witnesses saw of one slice: the engine, the tap, and what lies in the directories."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ..cell import ENCODE
from ..devices.tap_page import TapCounters
from ..engines import ENGINES
from ..harness.live import Event, Live, Measured
from ..workloads import WORKLOADS


@dataclass(frozen=True)
class Observed:
    """What three witnesses saw of one slice, warm-up included."""

    engine_wal_bytes: int
    engine_wal_syncs: int | None  # None: the engine counts none (InnoDB), the tap is alone
    engine_commit_groups: int | None  # a leader writes its group; None: it does not count them
    # Operations that committed something, at least (see `commits`); None: it is not known.
    commits: int | None
    seconds: float
    tap_wal_bytes: int
    tap_writes: int
    tap_syncs: int
    tap_wal_files: int  # opened: every memtable switch begins a new one
    tap_attached: int  # processes in which the tap is at work, since the start
    tap_emulated: bool  # whether the tap makes the device
    tap_bypasses: int  # ways around the tap since the start: O_DIRECT, O_SYNC, mmap for writing
    stray_wal_files: tuple[Path, ...]  # WAL files with data anywhere but in the WAL directory
    definitions: int = 0  # statements such as CREATE TABLE, whose log is synced in every mode
    pages: int | None = None  # data pages that the server wrote; None: it did not tell
    tap_rung: int = 0  # what the tap leaves out: a place in `TAP_RUNGS`, from 1; 0 is nothing
    tap_bytes_not_kept: int = 0
    tap_syncs_at_once: int = 0  # answered without any
    wal_blocks: int = 0  # of 512 bytes, that the files in the WAL directory take


def observed(live: Live, measured: Measured) -> Observed:
    """The figures that the evidence is judged by."""
    event, tap = measured.slice, measured.tap
    engine, counters = ENGINES[live.cell.engine], measured.slice["counters"]
    return Observed(
        engine_wal_bytes=counters[engine.wal_bytes],
        engine_wal_syncs=counter(counters, engine.wal_syncs),
        engine_commit_groups=counter(counters, engine.commit_groups),
        commits=commits(live.cell.workload, event),
        definitions=event.get("definitions", 0),
        pages=event.get("pages"),
        seconds=event["warmup_s"] + event["measure_s"],
        tap_wal_bytes=tap.write_bytes,
        tap_writes=tap.writes,
        tap_syncs=tap.syncs,
        tap_wal_files=tap.opens,
        tap_attached=measured.tap_so_far.attached,
        tap_emulated=bool(measured.tap_so_far.emulated),
        tap_bypasses=measured.tap_so_far.bypasses,
        stray_wal_files=measured.stray_wal_files,
        tap_rung=measured.tap_so_far.rung,
        tap_bytes_not_kept=tap.bytes_not_kept,
        tap_syncs_at_once=tap.syncs_at_once,
        wal_blocks=_blocks(live, measured.tap_so_far) if live.cell.rung == ENCODE else 0,
    )


def _blocks(live: Live, seen: TapCounters) -> int:
    """What the log's files that were written to take of the disk; a clone brings others along."""
    blocks = 0
    for file in seen.files:
        with suppress(FileNotFoundError):  # it may be removed meanwhile
            blocks += (live.wal_dir / file.name).stat().st_blocks if file.writes else 0
    return blocks


def counter(counters: dict[str, int], name: str | None) -> int | None:
    """What an engine counted; None of what it counts nothing of."""
    return None if name is None else counters[name]


def commits(workload: str, event: Event) -> int | None:
    """How many commits a slice had at least, its warm-up included as in all that is compared.

    None where nothing is known of what was done. Those of the measured part are counted. The
    warm-up's are estimated, since only its requests are: as large a share of them, less six
    standard deviations of that number, which are those of what the warm-up drew and of the
    measured share. With one client each commit is a sync, so that nothing else is between the two;
    a campaign compares thousands of slices.
    """
    record = WORKLOADS[workload]
    if record.writes is None:
        return None
    measured: int = sum(
        figures["count"] - figures["not_found"] * (name in record.empty_handed)
        for name, figures in event["operations"].items()
        if name in record.writes
    )
    if not event["requests"]:
        return 0
    share = (event["slice_requests"] - event["requests"]) / event["requests"]
    before = measured * share
    return measured + max(0, int(before - 6 * math.sqrt(before * (1 + share))))
