"""What must be true of a run of the command before its row is accepted.

The engine's own counters are compared with the tap's in a campaign of ours; here the command
may be anything, so only what holds for every command is asked.
"""

from __future__ import annotations

from ...cell import Cell
from ...devices.resolve import Placement
from ..engines import ENGINES
from ..served import Placed
from .rows import Seen


def contradictions(cell: Cell, placement: Placement, placed: Placed, seen: Seen) -> list[str]:
    """Every sentence says what the label claims and what was found. Empty: accepted."""
    found = _places(placement, placed, seen)
    engine, tap = seen.log[ENGINES[cell.engine].wal_bytes], seen.tap.write_bytes
    if cell.durability != "delayed" and tap < engine:  # whose last second is still to come
        found.append(
            f"the engine wrote {engine} WAL bytes, but only {tap} reached the WAL directory"
        )
    if cell.durability == "sync" and tap and not seen.tap.syncs:
        found.append(f"durability sync, but {tap} WAL bytes were written without any sync")
    return found


def _places(placement: Placement, placed: Placed, seen: Seen) -> list[str]:
    so_far, root = seen.tap_so_far, placement.wal_root
    found = [
        f"a log file with data lies outside the WAL directory: {path}"
        for path in seen.stray_log_files
    ]
    if so_far.attached != 1:
        found.append(f"the tap is at work in {so_far.attached} processes, want the server's")
    if bool(so_far.emulated) != placement.emulated:
        kinds = {True: "emulated", False: "real"}
        tap = kinds[bool(so_far.emulated)]
        found.append(f"the device is {kinds[placement.emulated]}, but the tap's is {tap}")
    if so_far.bypasses:
        found.append(f"{so_far.bypasses} WAL accesses went around the tap")
    if root is not None and not placed.wal_dir.is_relative_to(root):
        found.append(f"the WAL directory {placed.wal_dir} is not on the device at {root}")
    return found


def warnings(cell: Cell, seen: Seen) -> list[str]:
    """What makes a number doubtful that was accepted."""
    if cell.durability != "off" or not seen.tap.write_bytes:
        return []
    return [
        f"the log is off, but {seen.tap.write_bytes} bytes went to it: MyRocks logs what it knows "
        "of its tables all the same (CREATE, DROP, ALTER; statistics when memtables are flushed)"
    ]
