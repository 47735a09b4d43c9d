"""A slice as four witnesses describe it: engine, tap, directories, and the devices below.

It says as well what a log may see beside commits: a server's own threads, closed files, data pages.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .. import row as rows
from ..cell import TAP_RUNGS, Cell
from ..engines import ENGINES
from ..engines.knobs import knob
from ..workloads import WORKLOADS

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


class Slice:
    """A slice, warm-up included: its cell's label, and the columns of its row.

    `slice[column]` is what was counted, 0 where that is not known. `commits` are operations that
    committed something, `engine_syncs` the engine's syncs of its log, and `groups` its writes, each
    by a leader for its group of commits; None: not counted. REQUIRES: engine, workload and
    durability are of this release.
    """

    def __init__(self, cell: Cell, row: Mapping[str, Any]) -> None:
        self.cell, self.row = cell, row
        self.engine, self.workload = ENGINES[cell.engine], WORKLOADS[cell.workload]
        self.knob = knob(cell.knob)
        self.seconds = rows.driven_s(dict(row))
        self.emulated = bool(row.get("emulated"))
        self.commits: int | None = row.get("commits")
        self.engine_syncs: int | None = row.get("wal_syncs") if self.engine.wal_syncs else None
        groups = self.engine.commit_groups
        self.groups: int | None = None if groups is None else row.get(groups.replace(".", "_"))
        self.has_binlog = bool(row.get("binlog_device")) and row.get("binlog_syncs") is not None

    def __getitem__(self, column: str) -> Any:
        return self.row.get(column) or 0

    @property
    def kind(self) -> str:
        """Who runs its engine: `elsewhere` its owner, `program` the user's command, or `ours`."""
        if self.engine.elsewhere:
            return "elsewhere"
        return "program" if self.engine.is_program else "ours"

    @property
    def rung(self) -> int:
        """What the label says that the tap leaves out: an index in `TAP_RUNGS` from 1; or 0."""
        return TAP_RUNGS.index(self.cell.tap_rung) + 1 if self.cell.tap_rung else 0

    @property
    def mode(self) -> str:
        """The durability that the witnesses see."""
        delayed = self.knob is not None and self.knob.is_delayed
        return "delayed" if delayed else self.cell.durability

    @property
    def half_the_commits(self) -> float:
        """Half of the bytes that as many of the workload's smallest commits take in a log."""
        return self.workload.smallest_commit_bytes / 2 * (self.commits or 0)

    @property
    def own_bytes(self) -> float:
        """How many bytes an engine may log by itself, whatever its clients do.

        A server logs the statistics of an index, after a flush: never more than the larger of one
        such record and half of what its clients' commits would log, since on a busy machine a slice
        may have fewer than ten commits. InnoDB without commits checkpoints and purges what the load
        left; it writes whole blocks, and no more often than its tidying thread wakes up.
        """
        engine, nodes = self.engine, self.cell.nodes
        if engine.writes_pages:
            return _TIDIED_BYTES * (engine.background_per_s * self.seconds + _BACKGROUND_EDGES)
        logged = max(_A_RECORD * nodes, self.half_the_commits)
        return min(_HOUSEKEEPING_BYTES_PER_S * nodes * self.seconds, logged) * engine.on_server

    @property
    def full_buffers(self) -> float:
        """How many writes empty a log's buffer whenever it, or the log's file, is full."""
        logged = max(self["wal_bytes"], self["tap_write_bytes"])
        return float(logged / _BUFFER_BYTES + 2 * self["tap_opens"])

    @property
    def waited_for_by_none(self) -> float:
        """The syncs that no commit waits for: closed WALs, data pages, the tidying thread."""
        engine, nodes = self.engine, self.cell.nodes
        allowed = float(self.closed_wal_syncs)
        if self.knob is not None and self.knob.sync_every_ms:
            allowed += 1000 * self.seconds / self.knob.sync_every_ms + _BACKGROUND_EDGES
        if engine.background_per_s:
            allowed += nodes * (engine.background_per_s * self.seconds + _BACKGROUND_EDGES)
        elif self.workload.column_families > 1:
            allowed += nodes * _FLUSHES_UNDER_WAY
        if not engine.writes_pages:
            return allowed
        # In a slice with few commits, allow half of what they would need if they waited.
        groups = (self.commits or 0) / self.cell.threads
        return allowed + min(_PAGES_PER_S * self.seconds + _PAGES_PER_GROUP * groups, groups / 2)

    @property
    def own_share(self) -> float:
        """By how much witnesses of a server may differ."""
        edges = _EDGES * self.cell.nodes
        return max(edges, _SHARE * self["tap_syncs"]) if self.engine.on_server else 0.0

    @property
    def closed_wal_syncs(self) -> int:
        """How many syncs may belong to closed WALs and to no commit.

        Before RocksDB flushes a memtable, it syncs the WALs that were closed. From release 8 on, so
        not in MyRocks, it counts a sync even if they are durable already and it makes no system
        call (DBImpl::SyncWalImpl). A switch flushes every column family at most; if there is only
        one, no log is synced then (DBImpl::FlushMemTableToOutputFile). Every switch begins a file.
        """
        families = self.workload.column_families
        return int(families * self["tap_opens"]) if families > 1 else 0
