"""Hold what the witnesses saw of a slice: engine, tap, directories, and the devices below."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any


def _column(name: str, default: Any = None) -> Any:
    """Return a field that is a column of a row, or `default` where the row does not have it."""
    return field(default=default, metadata={"column": name})


@dataclass(frozen=True)
class Observed:
    """What four witnesses saw of one slice, warm-up included.

    What only a single rule reads stays in `row`: the devices below, a second log, reads of data, a
    bound on memory, and the reports of a server that we do not run, whose log the tap cannot see.
    """

    # None: not counted, as InnoDB's syncs are not; a leader writes its group of commits.
    engine_wal_bytes: int = _column("wal_bytes", 0)
    engine_wal_syncs: int | None = _column("wal_syncs")
    engine_commit_groups: int | None = None
    # Operations that committed something; None: unknown, as of a user's own program.
    commits: int | None = _column("commits")
    seconds: float = 0.0
    tap_wal_bytes: int = _column("tap_write_bytes", 0)
    tap_writes: int = _column("tap_writes", 0)
    tap_syncs: int = _column("tap_syncs", 0)
    tap_wal_files: int = _column("tap_opens", 0)  # every memtable switch begins a new one
    tap_attached: int = _column("tap_attached", 1)  # processes with the tap, since the start
    tap_emulated: bool = False  # whether the tap emulates the device
    # Ways around the tap since the start: O_DIRECT, mmap for writing.
    tap_bypasses: int = _column("tap_bypasses", 0)
    # WAL files with data anywhere but in the WAL directory.
    stray_wal_files: tuple[Path, ...] = _column("stray_wal_files", ())
    tap_rung: int = 0  # what the tap leaves out: an index in `TAP_RUNGS` from 1; 0: nothing
    tap_bytes_not_kept: int = _column("tap_bytes_not_kept", 0)
    tap_syncs_at_once: int = _column("tap_syncs_at_once", 0)  # answered without a sync
    # Whether the profile makes the engine compress its log.
    compressed: bool = _column("wal_compressed", False)
    # Whether the WAL is on the data's file system; None: not seen.
    with_data: bool | None = _column("wal_with_data")
    row: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, row: Mapping[str, Any], **others: Any) -> Observed:
        """Return what the columns of a row say, with `others`, each of which is made of several."""
        columns = {item.name: item.metadata["column"] for item in fields(cls) if item.metadata}
        there = {
            name: row[column] for name, column in columns.items() if row.get(column) is not None
        }
        return cls(**{**there, **others}, row=row)
