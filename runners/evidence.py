"""What must be true of a slice before its row is accepted.

The label of a cell is a claim: this WAL, in this place, made durable this way. The engine
counts its own WAL bytes and syncs; the tap counts the system calls; the directories hold
what they hold. A slice in which they contradict the claim, or each other, fails its cell.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..cell import Cell
from .engines import ENGINES
from .workloads import WORKLOADS

# A thread that syncs once a second has a second's debt when it is thawed, and one may be
# under way at each end of a slice.
_BACKGROUND_EDGES = 3
_HOUSEKEEPING_BYTES_PER_S = 4096.0
_LESS_THAN_A_COMMIT = 16.0  # bytes; the smallest takes 50
# Two witnesses who read one after the other differ by what happened in between.
_SHARE = 0.01


@dataclass(frozen=True)
class Observed:
    """What three witnesses saw of one slice, warm-up included."""

    engine_wal_bytes: int
    engine_wal_syncs: int | None  # None: the engine counts none (InnoDB), the tap is alone
    engine_commit_groups: int | None  # a leader writes its group; None: it does not count them
    commits: int  # operations that committed something, at least
    seconds: float
    tap_wal_bytes: int
    tap_writes: int
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
        whose = "the server's" if ENGINES[cell.engine].on_server else "the driver's"
        found.append(f"the tap is at work in {seen.tap_attached} processes, want {whose}")
    if seen.tap_emulated != emulated:
        found.append(f"the device is {_kind(emulated)}, but the tap's is {_kind(not emulated)}")
    if seen.tap_bypasses:
        found.append(f"{seen.tap_bypasses} WAL accesses went around the tap")
    check = {"sync": _sync, "flush": _flush, "delayed": _delayed, "off": _off}[cell.durability]
    return found + check(cell, seen)


def _kind(emulated: bool) -> str:
    return "emulated" if emulated else "real"


def _off(cell: Cell, seen: Observed) -> list[str]:
    allowed = _housekeeping_bytes(seen) if ENGINES[cell.engine].on_server else 0.0
    found = []
    if seen.engine_wal_bytes > allowed:
        found.append(f"durability off, but the engine wrote {seen.engine_wal_bytes} WAL bytes")
    if seen.tap_wal_bytes > 2 * allowed:  # headers and the rest of a block included
        found.append(f"durability off, but {seen.tap_wal_bytes} bytes went to WAL files")
    return found


def _housekeeping_bytes(seen: Observed) -> float:
    """What a server may log of its own (the statistics of an index, after a flush).

    Always far less than its clients' commits would have.
    """
    return min(_HOUSEKEEPING_BYTES_PER_S * seen.seconds, 1024 + _LESS_THAN_A_COMMIT * seen.commits)


def _flush(cell: Cell, seen: Observed) -> list[str]:
    found = _bytes_arrived(seen) + _few_syncs(cell, seen)
    if seen.tap_writes < _groups_at_least(cell, seen):
        found.append(
            f"durability flush, but {seen.commits} commits of {cell.threads} clients had only "
            f"{seen.tap_writes} writes to the WAL"
        )
    return found


def _delayed(cell: Cell, seen: Observed) -> list[str]:
    found = _few_syncs(cell, seen)
    if seen.engine_wal_bytes == 0:
        found.append("the engine wrote no WAL")
    return found


def _few_syncs(cell: Cell, seen: Observed) -> list[str]:
    """Nothing waits for a sync but what must: closed WALs, data pages, the thread that tidies."""
    engine = ENGINES[cell.engine]
    allowed = float(_closed_wal_syncs(cell, seen))
    if engine.background_syncs_per_s:
        allowed += engine.background_syncs_per_s * seen.seconds + _BACKGROUND_EDGES
    if engine.writes_pages:
        # Far from what commits would need, were they to wait.
        allowed = max(allowed, _groups_at_least(cell, seen) / 2)
    return [
        f"durability {cell.durability}, but {who} counted {syncs} WAL syncs in "
        f"{seen.seconds:.1f} s, more than {allowed:.0f} that commits need not wait for"
        for who, syncs in (("the engine", seen.engine_wal_syncs), ("the tap", seen.tap_syncs))
        if syncs is not None and syncs > allowed
    ]


def _sync(cell: Cell, seen: Observed) -> list[str]:
    found = _bytes_arrived(seen)
    if seen.engine_wal_syncs is not None:
        found += _witnesses_differ(cell, seen, seen.engine_wal_syncs)
    own = _own_share(cell, seen)  # a server's own writes wait for no sync
    groups = seen.engine_commit_groups
    if groups is not None and seen.tap_syncs < groups - own:
        found.append(f"durability sync, but {groups} commit groups had only {seen.tap_syncs} syncs")
    if seen.tap_syncs < _groups_at_least(cell, seen):
        found.append(
            f"durability sync, but {seen.commits} commits of {cell.threads} clients "
            f"had only {seen.tap_syncs} syncs"
        )
    return found


def _groups_at_least(cell: Cell, seen: Observed) -> float:
    """A client has one commit under way at most, so that no group has more than all clients."""
    return seen.commits / cell.threads


def _witnesses_differ(cell: Cell, seen: Observed, engine_syncs: int) -> list[str]:
    """On a server, the counters are read while its own threads go on."""
    missing, closed = engine_syncs - seen.tap_syncs, _closed_wal_syncs(cell, seen)
    share = _own_share(cell, seen)
    if -share <= missing <= max(closed, share):
        return []
    return [
        f"the engine counted {engine_syncs} WAL syncs and the tap {seen.tap_syncs}: "
        "something went around the tap"
    ]


def _own_share(cell: Cell, seen: Observed) -> float:
    """By how much witnesses of a server may differ; at least by one event at each end."""
    return max(2.0, _SHARE * seen.tap_syncs) if ENGINES[cell.engine].on_server else 0.0


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
