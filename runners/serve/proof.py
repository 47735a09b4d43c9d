"""What must be true of a run of the command before its row is accepted.

In a campaign of ours the operations that committed are known, and how many clients there were.
Here the command may be anything, so only what holds for every command is asked: the server's own
counters and the tap must agree with each other and with the mode.
"""

from __future__ import annotations

from ...cell import Cell
from ...devices.resolve import Placement
from ..engines import ENGINES
from ..served import Placed
from .rows import Seen

# Two witnesses who are read one after the other differ by what happened in between.
_SHARE = 0.01
_EDGES = 2.0
# A thread that syncs once a second has a second's debt when its server wakes, and one sync may be
# under way at each end of a run.
_BACKGROUND_EDGES = 3.0
# CREATE and DROP take 2 syncs, in any mode; ALTER can be several of both.
_SYNCS_A_DEFINITION = 10
# MyRocks flushes at most every column family when it begins a new log file, and counts a sync of
# the closed files for each.
_SYNCS_A_FILE = 16
# Pages are written many at a time, so that far fewer syncs than pages are for them.
_PAGE_SYNCS_PER_S = 25.0
# A sync may be of the writes of as many clients.
_WRITES_A_SYNC = 64.0


def contradictions(cell: Cell, placement: Placement, placed: Placed, seen: Seen) -> list[str]:
    """Every sentence says what the label claims and what was found. Empty: accepted."""
    found = _places(placement, placed, seen)
    engine, tap = seen.counted.log[ENGINES[cell.engine].wal_bytes], seen.tap.write_bytes
    if cell.durability != "delayed" and tap < engine:  # whose last second is still to come
        found.append(
            f"the engine wrote {engine} WAL bytes, but only {tap} reached the WAL directory"
        )
    check = {"sync": _synced, "flush": _few_syncs, "delayed": _few_syncs}.get(cell.durability)
    return found + (check(cell, seen) if check else [])


def _synced(cell: Cell, seen: Seen) -> list[str]:
    """Commits wait for syncs, and all of these are of files that the tap sees."""
    engine, tap = ENGINES[cell.engine], seen.tap
    found, margin = [], max(_EDGES, _SHARE * tap.syncs)
    if engine.wal_syncs is not None:
        counted = seen.counted.log[engine.wal_syncs]
        if not -margin <= counted - tap.syncs <= max(margin, _SYNCS_A_FILE * tap.opens):
            found.append(
                f"the engine counted {counted} WAL syncs and the tap {tap.syncs}: "
                "something went around the tap"
            )
    if tap.syncs > _without_commits(cell, seen):
        return found
    if engine.commit_groups is None:
        # InnoDB does not count them; but it writes for each.
        least, what = (tap.writes - margin) / _WRITES_A_SYNC, f"{tap.writes} writes"
    else:
        groups = seen.counted.log[engine.commit_groups]
        least, what = groups - margin, f"{groups} commit groups"
    if tap.syncs < least:
        found.append(f"durability sync, but {what} had only {tap.syncs} syncs")
    return found


def _few_syncs(cell: Cell, seen: Seen) -> list[str]:
    """No commit waits for a sync."""
    name, allowed = ENGINES[cell.engine].wal_syncs, _without_commits(cell, seen)
    witnesses = {"the tap": seen.tap.syncs}
    if name is not None:
        witnesses["the engine"] = seen.counted.log[name]
    return [
        f"durability {cell.durability}, but {who} counted {syncs} WAL syncs in "
        f"{seen.command.seconds:.1f} s, more than {allowed:.0f} that commits need not wait for"
        for who, syncs in witnesses.items()
        if syncs > allowed
    ]


def _without_commits(cell: Cell, seen: Seen) -> float:
    """The most syncs there can be although no commit waits for one."""
    engine = ENGINES[cell.engine]
    allowed = engine.background_per_s * seen.command.seconds + _BACKGROUND_EDGES
    allowed += _SYNCS_A_DEFINITION * seen.counted.definitions
    if not engine.writes_pages:
        return allowed + _SYNCS_A_FILE * seen.tap.opens
    return allowed + min(seen.counted.pages, _PAGE_SYNCS_PER_S * (1 + seen.command.seconds))


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
    if cell.durability != "off":
        silent = not seen.tap.write_bytes and not seen.counted.log[ENGINES[cell.engine].wal_bytes]
        return ["the command wrote nothing to the log, which so cost it nothing"] if silent else []
    if not seen.tap.write_bytes:
        return []
    return [
        f"the log is off, but {seen.tap.write_bytes} bytes went to it: MyRocks logs what it knows "
        "of its tables all the same (CREATE, DROP, ALTER; statistics when memtables are flushed)"
    ]
