"""What must be true of a slice before its row is accepted.

The label of a cell is a claim: this WAL, in this place, made durable this way. The engine
counts its own WAL bytes and syncs; the tap counts the system calls; the directories hold
what they hold. A slice in which they contradict the claim, or each other, fails its cell.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..cell import Cell
from .workloads import WORKLOADS


@dataclass(frozen=True)
class Observed:
    """What three witnesses saw of one slice, warm-up included."""

    engine_wal_bytes: int
    engine_wal_syncs: int
    engine_commit_groups: int  # rocksdb.write.self: a leader writes its group
    tap_wal_bytes: int
    tap_syncs: int
    tap_wal_files: int  # opened: every memtable switch begins a new one
    tap_attached: int  # processes in which the tap is at work, since the start
    tap_emulated: bool  # whether the tap makes the device
    tap_bypasses: int  # ways around the tap since the start: O_DIRECT, O_SYNC, mmap for writing
    stray_wal_files: tuple[Path, ...]  # WAL files with data anywhere but in the WAL directory


def contradictions(cell: Cell, emulated: bool, seen: Observed) -> list[str]:
    """Every sentence says what the label claims and what was found. Empty: accepted."""
    found = [
        f"a WAL file with data lies outside the WAL directory: {path}"
        for path in seen.stray_wal_files
    ]
    if seen.tap_attached != 1:
        found.append(f"the tap is at work in {seen.tap_attached} processes, want the driver's")
    if seen.tap_emulated != emulated:
        found.append(f"the device is {_kind(emulated)}, but the tap's is {_kind(not emulated)}")
    if seen.tap_bypasses:
        found.append(f"{seen.tap_bypasses} WAL accesses went around the tap")
    check = {"sync": _sync, "flush": _flush, "off": _off}[cell.durability]
    return found + check(seen, _closed_wal_syncs(cell, seen))


def _kind(emulated: bool) -> str:
    return "emulated" if emulated else "real"


def _off(seen: Observed, _closed: int) -> list[str]:
    found = []
    if seen.engine_wal_bytes:
        found.append(f"durability off, but the engine wrote {seen.engine_wal_bytes} WAL bytes")
    if seen.tap_wal_bytes:
        found.append(f"durability off, but {seen.tap_wal_bytes} bytes went to WAL files")
    return found


def _flush(seen: Observed, closed: int) -> list[str]:
    found = _bytes_arrived(seen)
    for who, syncs in (("the engine", seen.engine_wal_syncs), ("the tap", seen.tap_syncs)):
        if syncs > closed:
            found.append(
                f"durability flush, but {who} counted {syncs} WAL syncs, "
                f"more than {seen.tap_wal_files} new WAL files explain"
            )
    return found


def _sync(seen: Observed, closed: int) -> list[str]:
    found = _bytes_arrived(seen)
    missing = seen.engine_wal_syncs - seen.tap_syncs
    if not 0 <= missing <= closed:
        found.append(
            f"the engine counted {seen.engine_wal_syncs} WAL syncs and the tap {seen.tap_syncs}: "
            "something went around the tap"
        )
    if seen.tap_syncs < seen.engine_commit_groups:
        found.append(
            f"durability sync, but {seen.engine_commit_groups} commit groups "
            f"had only {seen.tap_syncs} syncs"
        )
    return found


def _closed_wal_syncs(cell: Cell, seen: Observed) -> int:
    """How many syncs may belong to no commit.

    Before a memtable is flushed, RocksDB syncs the WALs that were closed. From release 8 on
    it counts one even when they are durable already and it makes no system call
    (DBImpl::SyncWalImpl). A switch flushes at most every column family.
    """
    return WORKLOADS[cell.workload].column_families * seen.tap_wal_files


def _bytes_arrived(seen: Observed) -> list[str]:
    """The log adds headers to what the engine counts, and nothing is ever left out."""
    if seen.engine_wal_bytes == 0:
        return ["the engine wrote no WAL"]
    if seen.tap_wal_bytes < seen.engine_wal_bytes:
        return [
            f"the engine wrote {seen.engine_wal_bytes} WAL bytes, "
            f"but only {seen.tap_wal_bytes} reached the WAL directory"
        ]
    return []


def stray_wal_files(db_dir: Path, wal_dir: Path) -> tuple[Path, ...]:
    """WAL files with data in the database directory, where none belongs."""
    if db_dir == wal_dir:
        return ()
    return tuple(path for path in sorted(db_dir.glob("*.log")) if path.stat().st_size > 0)
