"""List what a log may see beside commits: a server's own threads, closed files, data pages."""

from __future__ import annotations

from .slice import Slice

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


def half_the_commits(seen: Slice) -> float:
    """Return half of the bytes that as many of the workload's smallest commits take in a log."""
    return seen.workload.smallest_commit_bytes / 2 * (seen.commits or 0)


def own_bytes(seen: Slice) -> float:
    """Return how many bytes an engine may log by itself, whatever its clients do.

    A server logs the statistics of an index, after a flush: never more than the larger of one such
    record and half of what its clients' commits would log, since on a busy machine a slice may have
    fewer than ten commits. InnoDB without commits checkpoints and purges what the load left; it
    writes whole blocks, and no more often than its tidying thread wakes up.
    """
    engine, nodes = seen.engine, seen.cell.nodes
    if engine.writes_pages:
        return _TIDIED_BYTES * (engine.background_per_s * seen.seconds + _BACKGROUND_EDGES)
    logged = max(_A_RECORD * nodes, half_the_commits(seen))
    return min(_HOUSEKEEPING_BYTES_PER_S * nodes * seen.seconds, logged) * engine.on_server


def full_buffers(seen: Slice) -> float:
    """Return how many writes empty a log's buffer whenever it, or the log's file, is full."""
    logged = max(seen["wal_bytes"], seen["tap_write_bytes"])
    return float(logged / _BUFFER_BYTES + 2 * seen["tap_opens"])


def waited_for_by_none(seen: Slice) -> float:
    """Return the syncs that no commit waits for: closed WALs, data pages, the tidying thread."""
    engine, nodes = seen.engine, seen.cell.nodes
    allowed = float(closed_wal_syncs(seen))
    if seen.knob is not None and seen.knob.sync_every_ms:
        allowed += 1000 * seen.seconds / seen.knob.sync_every_ms + _BACKGROUND_EDGES
    if engine.background_per_s:
        allowed += nodes * (engine.background_per_s * seen.seconds + _BACKGROUND_EDGES)
    elif seen.workload.column_families > 1:
        allowed += nodes * _FLUSHES_UNDER_WAY
    if not engine.writes_pages:
        return allowed
    # In a slice with few commits, allow half of what they would need if they waited.
    groups = (seen.commits or 0) / seen.cell.threads
    return allowed + min(_PAGES_PER_S * seen.seconds + _PAGES_PER_GROUP * groups, groups / 2)


def own_share(seen: Slice) -> float:
    """Return by how much witnesses of a server may differ."""
    edges = _EDGES * seen.cell.nodes
    return max(edges, _SHARE * seen["tap_syncs"]) if seen.engine.on_server else 0.0


def closed_wal_syncs(seen: Slice) -> int:
    """Return how many syncs may belong to closed WALs and to no commit.

    Before RocksDB flushes a memtable, it syncs the WALs that were closed. From release 8 on, so not
    in MyRocks, it counts a sync even if they are durable already and it makes no system call
    (DBImpl::SyncWalImpl). A switch flushes every column family at most; if there is only one, no
    log is synced then (DBImpl::FlushMemTableToOutputFile). Every switch begins a new file.
    """
    families = seen.workload.column_families
    return int(families * seen["tap_opens"]) if families > 1 else 0
