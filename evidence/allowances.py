"""List what a log may see beside commits: a server's own threads, closed files, data pages."""

from __future__ import annotations

from .. import workloads
from ..cell import Cell
from ..engines import ENGINES
from ..engines.knobs import knob
from .witnesses import Observed

# A thread that syncs once a second owes one sync when it is thawed, and one may be under way at
# each end of a slice.
_BACKGROUND_EDGES = 3
# A file begun in an earlier slice: the closed ones are synced when its flush goes on after the
# thaw. Seen once in some hundreds of slices of kv-fillseq, whose log is flushed and not synced.
_FLUSHES_UNDER_WAY = 1
_HOUSEKEEPING_BYTES_PER_S = 4096.0
_A_RECORD = 300.0  # bytes; a server's own records had 117 to 273, whatever clients did
_TIDIED_BYTES = 8192.0  # two blocks at a time; slices of half a second had 8 to 12 KiB
# A log's buffer is written when it is full. MyRocks' has 1 MiB, and less for the beginning of a
# file; InnoDB's is written when half of its 16 MiB is used, in two pieces at the log's end.
_BUFFER_BYTES = 512.0 * 1024
# The log must be durable before a data page is written: 22 such syncs a second were seen with pages
# that did not fit the buffer pool (TPC-C, at least 166 groups in 0.4 s), else 2 to 5 a slice.
_PAGES_PER_S = 10.0
_PAGES_PER_GROUP = 0.05
# Two witnesses that are read one after the other differ by what happened in between, and by one
# event at each end.
_SHARE = 0.01
_EDGES = 2.0


def half_the_commits(cell: Cell, commits: int) -> float:
    """Return half of the bytes that as many of the workload's smallest commits take in a log."""
    return workloads.of(cell.workload).smallest_commit_bytes / 2 * commits


def housekeeping_bytes(cell: Cell, commits: int, seconds: float) -> float:
    """Return how much a server may log by itself (the statistics of an index, after a flush).

    It is never more than the larger of one such record and half of what its clients' commits would
    log: on a busy machine a slice may have fewer than ten commits.
    """
    logged = max(_A_RECORD * cell.nodes, half_the_commits(cell, commits))
    return min(_HOUSEKEEPING_BYTES_PER_S * cell.nodes * seconds, logged)


def own_bytes(cell: Cell, seconds: float) -> float:
    """Return how many bytes an engine may log while its clients only read.

    MyRocks logs a record of its own. InnoDB checkpoints and purges what the load left; it writes
    whole blocks, and no more often than its tidying thread wakes up.
    """
    engine = ENGINES[cell.engine]
    if engine.writes_pages:
        return _TIDIED_BYTES * (engine.background_per_s * seconds + _BACKGROUND_EDGES)
    return housekeeping_bytes(cell, 0, seconds) if engine.on_server else 0.0


def full_buffers(seen: Observed) -> float:
    """Return how many writes empty a log's buffer whenever it, or the log's file, is full."""
    logged = max(seen.engine_wal_bytes, seen.tap_wal_bytes)
    return logged / _BUFFER_BYTES + 2 * seen.tap_wal_files


def waited_for_by_none(cell: Cell, seen: Observed, commits: int) -> float:
    """Return the syncs that no commit waits for: closed WALs, data pages, the tidying thread."""
    engine = ENGINES[cell.engine]
    allowed = float(closed_wal_syncs(cell, seen))
    setting = knob(cell.knob)
    if setting is not None and setting.sync_every_ms:
        allowed += 1000 * seen.seconds / setting.sync_every_ms + _BACKGROUND_EDGES
    if engine.background_per_s:
        allowed += cell.nodes * (engine.background_per_s * seen.seconds + _BACKGROUND_EDGES)
    elif workloads.of(cell.workload).column_families > 1:
        allowed += cell.nodes * _FLUSHES_UNDER_WAY
    if not engine.writes_pages:
        return allowed
    # In a slice with few commits, allow half of what they would need if they waited.
    groups = commits / cell.threads
    return allowed + min(_PAGES_PER_S * seen.seconds + _PAGES_PER_GROUP * groups, groups / 2)


def own_share(cell: Cell, seen: Observed) -> float:
    """Return by how much witnesses of a server may differ."""
    edges = _EDGES * cell.nodes
    return max(edges, _SHARE * seen.tap_syncs) if ENGINES[cell.engine].on_server else 0.0


def closed_wal_syncs(cell: Cell, seen: Observed) -> int:
    """Return how many syncs may belong to closed WALs and to no commit.

    Before RocksDB flushes a memtable, it syncs the WALs that were closed. From release 8 on, so not
    in MyRocks, it counts a sync even if they are durable already and it makes no system call
    (DBImpl::SyncWalImpl). A switch flushes every column family at most; if there is only one, no
    log is synced then (DBImpl::FlushMemTableToOutputFile).
    """
    families = workloads.of(cell.workload).column_families
    return families * seen.tap_wal_files if families > 1 else 0
