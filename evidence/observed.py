"""What the witnesses saw of one slice: engine, tap, directories, and the devices below."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from ..workload import Event
from ..workloads import WORKLOADS


def _column(name: str, default: Any = None) -> Any:
    """A field that is a column of a row, or `default` where the row does not have it."""
    return field(default=default, metadata={"column": name})


@dataclass(frozen=True)
class Observed:
    """What four witnesses saw of one slice, warm-up included.

    What one rule alone reads stands in `row`: of the devices below, a second log, reads of data, a
    bound on memory, and of a server of somebody else's, of which the tap saw nothing.
    """

    # None: it is not counted, of syncs by InnoDB; a leader writes its group of commits.
    engine_wal_bytes: int = _column("wal_bytes", 0)
    engine_wal_syncs: int | None = _column("wal_syncs")
    engine_commit_groups: int | None = None
    # Operations that committed something, at least (see `commits`); None: it is not known.
    commits: int | None = None
    seconds: float = 0.0
    tap_wal_bytes: int = _column("tap_write_bytes", 0)
    tap_writes: int = _column("tap_writes", 0)
    tap_syncs: int = _column("tap_syncs", 0)
    tap_wal_files: int = _column("tap_opens", 0)  # every memtable switch begins a new one
    tap_attached: int = _column("tap_attached", 1)  # processes with the tap, since the start
    tap_emulated: bool = False  # whether the tap makes the device
    # Ways around the tap since the start: O_DIRECT, mmap for writing.
    tap_bypasses: int = _column("tap_bypasses", 0)
    # WAL files with data anywhere but in the WAL directory.
    stray_wal_files: tuple[Path, ...] = _column("stray_wal_files", ())
    # Statements such as CREATE TABLE, whose log is synced in every mode.
    definitions: int = _column("definitions", 0)
    pages: int | None = _column("pages")  # data pages that the server wrote; None: it did not tell
    tap_rung: int = 0  # what the tap leaves out: a place in `TAP_RUNGS`, from 1; 0 is nothing
    tap_bytes_not_kept: int = _column("tap_bytes_not_kept", 0)
    tap_syncs_at_once: int = _column("tap_syncs_at_once", 0)  # answered without any
    wal_blocks: int = _column("wal_blocks", 0)  # of 512 bytes, in the WAL directory
    # Whether `definitions` and `pages` were counted; rows have neither. Without them it is not
    # known how many syncs are a server's own.
    own_syncs_known: bool = True
    # The engine compresses what it logs, by its profile.
    compressed: bool = _column("wal_compressed", False)
    # Of the log, that hold less than was written to them.
    short_files: Sequence[str] = _column("short_wal_files", ())
    # Whether the WAL is on the data's file system; None: not seen.
    with_data: bool | None = _column("wal_with_data")
    # By our own clock, from before the slice to after it.
    elapsed_s: float | None = _column("machine_elapsed_s")
    row: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, row: Mapping[str, Any], **others: Any) -> Observed:
        """What the columns of a row say, and `others`, which are made of several."""
        columns = {one.name: one.metadata["column"] for one in fields(cls) if one.metadata}
        there = {
            name: row[column] for name, column in columns.items() if row.get(column) is not None
        }
        return cls(**{**there, **others}, row=row)


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
