"""What a log may see that is no commit's: a server's own threads, closed files, data pages."""

from __future__ import annotations

from .. import workloads
from ..cell import Cell
from ..engines import ENGINES
from .observed import Observed

# A thread that syncs once a second has a second's debt when it is thawed, and one may be
# under way at each end of a slice.
_BACKGROUND_EDGES = 3
# The file that a slice before began, whose closed ones are synced when its flush goes on after the
# thaw: seen once in some hundreds of slices of kv-fillseq, whose log is flushed and not synced.
_FLUSHES_UNDER_WAY = 1
_HOUSEKEEPING_BYTES_PER_S = 4096.0
_A_RECORD = 300.0  # bytes; of a server's own 117 to 273 were seen, whatever clients do
_TIDIED_BYTES = 8192.0  # two blocks a time; 8 to 12 KiB of a slice of half a second were seen
# A log's buffer is written when it is full: MyRocks' has 1 MiB, and a file's first ones are
# smaller; InnoDB's is written when half of its 16 MiB is used, in two pieces at the log's end.
_BUFFER_BYTES = 512.0 * 1024
# The log must be durable before a data page is written: 22 such syncs a second were seen with
# pages that do not fit the buffer pool (TPC-C, 166 groups or more in 0.4 s), else 2 to 5 a slice.
_PAGES_PER_S = 10.0
_PAGES_PER_GROUP = 0.05
# Two witnesses who read one after the other differ by what happened in between, and by one event
# at each end.
_SHARE = 0.01
_EDGES = 2.0
# Where commits are not known, pages are: written many at a time, far fewer syncs are for them.
_PAGE_SYNCS_PER_S = 25.0
# CREATE and DROP take 2 syncs, in any mode; ALTER can be several of both.
_SYNCS_A_DEFINITION = 10
# MyRocks flushes at most every column family when it begins a new log file, and counts a sync of
# the closed files for each; a command's tables may have as many.
_FAMILIES_AT_MOST = 16


def half_the_commits(cell: Cell, commits: int) -> float:
    """Half of the bytes that so many of the workload's smallest commits take in a log."""
    return workloads.of(cell.workload).smallest_commit_bytes / 2 * commits


def housekeeping_bytes(cell: Cell, commits: int, seconds: float) -> float:
    """What a server may log of its own (the statistics of an index, after a flush).

    Never more than half of what its clients' commits would have, or than one such record: on a
    busy machine a slice may have less than ten commits.
    """
    logged = max(_A_RECORD * cell.nodes, half_the_commits(cell, commits))
    return min(_HOUSEKEEPING_BYTES_PER_S * cell.nodes * seconds, logged)


def own_bytes(cell: Cell, seconds: float) -> float:
    """What the log sees of an engine while its clients only read.

    MyRocks logs a record of its own. InnoDB checkpoints and purges what the load left; it writes
    whole blocks, and no oftener than its thread that tidies comes round.
    """
    engine = ENGINES[cell.engine]
    if engine.writes_pages:
        return _TIDIED_BYTES * (engine.background_per_s * seconds + _BACKGROUND_EDGES)
    return housekeeping_bytes(cell, 0, seconds) if engine.on_server else 0.0


def full_buffers(seen: Observed) -> float:
    """How many writes it takes to empty a log's buffer whenever it is full, or its file is."""
    logged = max(seen.engine_wal_bytes, seen.tap_wal_bytes)
    return logged / _BUFFER_BYTES + 2 * seen.tap_wal_files


def waited_for_by_none(cell: Cell, seen: Observed) -> float:
    """Syncs that are no commit's: of closed WALs, for data pages, by the thread that tidies."""
    engine = ENGINES[cell.engine]
    allowed = float(closed_wal_syncs(cell, seen)) + _SYNCS_A_DEFINITION * seen.definitions
    if engine.background_per_s:
        allowed += cell.nodes * (engine.background_per_s * seen.seconds + _BACKGROUND_EDGES)
    elif workloads.of(cell.workload).column_families > 1:
        allowed += cell.nodes * _FLUSHES_UNDER_WAY
    return allowed + (_for_pages(cell, seen) if engine.writes_pages else 0.0)


def _for_pages(cell: Cell, seen: Observed) -> float:
    if seen.commits is None:
        return min(seen.pages or 0, _PAGE_SYNCS_PER_S * (1 + seen.seconds))
    # Of a slice with few commits at most half of what they would need, were they to wait.
    groups = seen.commits / cell.threads
    return min(_PAGES_PER_S * seen.seconds + _PAGES_PER_GROUP * groups, groups / 2)


def own_share(cell: Cell, seen: Observed) -> float:
    """By how much witnesses of a server may differ."""
    edges = _EDGES * cell.nodes
    return max(edges, _SHARE * seen.tap_syncs) if ENGINES[cell.engine].on_server else 0.0


def closed_wal_syncs(cell: Cell, seen: Observed) -> int:
    """How many syncs may belong to closed WALs and to no commit.

    Before a memtable is flushed, RocksDB syncs the WALs that were closed. From release 8 on, so
    not MyRocks', it counts one even when they are durable already and it makes no system call
    (DBImpl::SyncWalImpl). A switch flushes at most every column family; of a single one no log is
    synced then (DBImpl::FlushMemTableToOutputFile).
    """
    families = workloads.of(cell.workload).column_families
    if seen.commits is None:
        families = 0 if ENGINES[cell.engine].writes_pages else _FAMILIES_AT_MOST
    return families * seen.tap_wal_files if families > 1 else 0
