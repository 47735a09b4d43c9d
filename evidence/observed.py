"""What the witnesses saw of one slice: engine, tap, directories, and the devices below."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..workload import Event
from ..workloads import WORKLOADS


@dataclass(frozen=True)
class SeenBinlog:
    """A server's second log, by the tap; `told_*` by the server's own counters, where they are."""

    bytes: int
    writes: int
    syncs: int
    bypasses: int
    emulated: bool
    planned_emulated: bool
    attached: int = 1
    sync_every: int = 1  # groups of commits; 0: the server never syncs it
    told_bytes: int | None = None
    told_groups: int | None = None  # each a leader wrote and synced for its group


@dataclass(frozen=True)
class Told:
    """What a server of somebody else's said after a slice of what happened in it."""

    mode: str | None  # the durability that its settings mean; None: it does not say
    bytes: int | None  # that its log grew by; None: it does not count them
    rewrites: int  # of its log, over which that growth is too small
    changed: int  # times that a setting was another than when the cell was brought up

    @classmethod
    def of(cls, columns: Mapping[str, Any]) -> Told:
        """As the columns of a row have it."""
        rewrites, changed = (columns.get(name) or 0 for name in ("log_rewrites", "log_changes"))
        return cls(columns.get("log_mode"), columns.get("wal_bytes"), rewrites, changed)

    @property
    def grown(self) -> int | None:
        """The bytes, where they are all."""
        return None if self.rewrites else self.bytes


@dataclass(frozen=True)
class Observed:
    """What four witnesses saw of one slice, warm-up included."""

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
    # Whether `definitions` and `pages` were counted; rows have neither. Without them it is not
    # known how many syncs are a server's own.
    own_syncs_known: bool = True
    # Of the witness below the file system: what is there, and what each device counted; of a row
    # of an older release None. See devices/witness.py.
    below: str | None = None
    devices: tuple[Mapping[str, Any], ...] = ()
    sync_us_p50: float | None = None  # as their callers waited, by the tap
    # Of `tap_syncs`: the most of which no two overlap, and those that were faster than any device.
    syncs_apart: int | None = None
    syncs_unwaited: int = 0
    synced_writes: int = 0  # and those that were writes by O_DSYNC
    compressed: bool = False  # the engine compresses what it logs, by its profile
    short_files: tuple[str, ...] = ()  # of the log, that hold less than was written to them
    with_data: bool | None = None  # whether the WAL is on the data's file system; None: not seen
    binlog: SeenBinlog | None = None
    # Of reads of data: what was asked for, and what the tap has; None: that is not known.
    data_read_latency_us: int = 0
    tap_read_latency_us: float | None = None
    tap_data_reads: int = 0  # that were delayed
    tap_data_read_ns: int = 0  # what they took
    tap_data_read_bytes: int = 0
    tap_data_reads_unasked: int = 0  # of which it is not known whether they were cached
    disk_read_bytes: float | None = None  # that the processes had fetched; None: not told
    elapsed_s: float | None = None  # by our own clock, from before the slice to after it
    # Columns of a row that tell of a bound on the cell's memory; none without one.
    memory: Mapping[str, Any] = field(default_factory=dict)
    # By a server of somebody else's, of which the tap saw nothing; None: the engine is ours.
    told: Told | None = None

    @classmethod
    def elsewhere(
        cls, told: Told, commits: int | None, seconds: float, elapsed_s: float | None
    ) -> Observed:
        """All that is seen of such a server."""
        return cls(
            engine_wal_bytes=told.bytes or 0,
            engine_wal_syncs=None,
            engine_commit_groups=None,
            commits=commits,
            seconds=seconds,
            tap_wal_bytes=0,
            tap_writes=0,
            tap_syncs=0,
            tap_wal_files=0,
            tap_attached=0,
            tap_emulated=False,
            tap_bypasses=0,
            stray_wal_files=(),
            elapsed_s=elapsed_s,
            told=told,
        )


def commits(workload: str, event: Event) -> int | None:
    """How many commits a slice had at least, its warm-up included as in all that is compared.

    None where nothing is known of what was done. Our drivers count them. Of rows of older releases
    those of the measured part are known, and the warm-up's are estimated, since only its requests
    are: as large a share of them, less six standard deviations of that number, which are those of
    what the warm-up drew and of the measured share. With one client each commit is a sync, so that
    nothing else is between the two; a campaign compares thousands of slices.
    """
    record = WORKLOADS[workload]
    if record.writes is None:
        return None
    counted: int | None = event.get("commits")
    if counted is not None:
        return counted
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
