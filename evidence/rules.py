"""Check a slice before its row is accepted, and whenever its row is read.

The label of a cell is a claim: this WAL, in this place, made durable this way. The engine counts
its own WAL bytes and syncs; the tap counts the system calls; the directories hold what they hold;
real devices count what reaches them. If these contradict the claim or each other in a slice, the
cell fails.

Of a user's own program only its log's system calls are known, so it is asked less.
"""

from __future__ import annotations

from ..cell import ENCODE, SYNC_FREE, TAP_RUNGS, WITH_DATA, Cell
from ..engines import ENGINES
from ..engines.knobs import knob
from ..workloads import WORKLOADS
from . import allowances, binlog, block_devices, endpoint, memory_bound, reads
from .witnesses import Observed

# RocksDB's log puts this many bytes before each record (db/log_format.h), and a group is a record.
_HEADER = 7


def contradictions(cell: Cell, emulated: bool, seen: Observed) -> list[str]:
    """Return sentences that say what the label claims and what was found. Empty: accepted."""
    if ENGINES[cell.engine].elsewhere:
        return endpoint.contradictions(cell, seen.commits, seen.row)
    against = [
        f"a WAL file with data lies outside the WAL directory: {path}"
        for path in seen.stray_wal_files
    ]
    if ENGINES[cell.engine].is_program:
        return against + _program(cell, emulated, seen)
    if seen.tap_attached != 1:
        whose = "the server's" if ENGINES[cell.engine].on_server else "the driver's"
        against.append(f"the tap is at work in {seen.tap_attached} processes, want {whose}")
    if seen.tap_emulated != emulated:
        against.append(f"the device is {_kind(emulated)}, but the tap's is {_kind(not emulated)}")
    if cell.device == WITH_DATA and seen.with_data is False:
        against.append("the WAL is to be with the data, but is on another file system")
    if seen.tap_bypasses:
        against.append(f"{seen.tap_bypasses} WAL accesses went around the tap")
    against += memory_bound.contradictions(emulated, seen.row)
    against += _rung(cell, seen) + reads.contradictions(seen.row)
    if WORKLOADS[cell.workload].only_reads:
        return against + _read_only(cell, seen)
    setting = knob(cell.knob)
    mode = "delayed" if setting is not None and setting.is_delayed else cell.durability
    check = {"sync": _sync, "flush": _flush, "delayed": _delayed, "off": _off}[mode]
    if seen.commits is not None:
        against += check(cell, seen, seen.commits)
    if binlog.is_there(seen.row):
        against += binlog.contradictions(cell, seen)
    if cell.durability == "sync" and not emulated and not seen.tap_rung:
        against += block_devices.contradictions(cell, seen)
    return against


def _program(cell: Cell, emulated: bool, seen: Observed) -> list[str]:
    """Check a program of which only its log's system calls are known, in any of its processes."""
    if not seen.tap_attached:
        if cell.durability != "sync" and not cell.is_baseline:  # its own mode may have no log
            return []
        return ["no process of the command wrote or synced its log, as far as the tap sees"]
    against = _rung(cell, seen)
    if seen.tap_emulated != emulated:
        against.append(f"the device is {_kind(emulated)}, but the tap's is {_kind(not emulated)}")
    if seen.tap_bypasses:
        against.append(f"{seen.tap_bypasses} syncs of the log went around the tap")
    if cell.durability == "sync" and not seen.tap_syncs:
        against.append("the command is to sync its log, and did not")
    return against


def _rung(cell: Cell, seen: Observed) -> list[str]:
    """Check that the tap left out what the label says, and did so with every call."""
    wanted = TAP_RUNGS.index(cell.tap_rung) + 1 if cell.tap_rung else 0
    if seen.tap_rung != wanted:
        names = ("no rung", *TAP_RUNGS)
        return [f"the label says {names[wanted]}, but the tap was at {names[seen.tap_rung]}"]
    kept_nothing = seen.tap_wal_bytes if cell.rung == ENCODE else 0
    at_once = seen.tap_syncs if cell.tap_rung in (ENCODE, SYNC_FREE) else 0
    against = []
    if seen.tap_bytes_not_kept != kept_nothing:
        against.append(
            f"the tap took {seen.tap_wal_bytes} WAL bytes and kept nothing of "
            f"{seen.tap_bytes_not_kept}, want {kept_nothing}"
        )
    if seen.tap_syncs_at_once != at_once:
        against.append(
            f"of {seen.tap_syncs} syncs {seen.tap_syncs_at_once} were answered at once, want "
            f"{at_once}"
        )
    return against


def _kind(emulated: bool) -> str:
    return "emulated" if emulated else "real"


def _read_only(cell: Cell, seen: Observed) -> list[str]:
    """Check that a workload that only reads wrote no log; a server may write a little by itself."""
    allowed = allowances.own_bytes(cell, seen.seconds)
    own = f", more than the {allowed:.0f} of a server's own" if allowed else ""
    return [
        f"the workload only reads, but {who} {count} WAL bytes{own}"
        for who, count in (
            ("the engine wrote", seen.engine_wal_bytes),
            ("the tap saw", seen.tap_wal_bytes),
        )
        if count > allowed
    ]


def doubts(cell: Cell, seen: Observed) -> list[str]:
    """Return what makes an accepted figure doubtful."""
    judge = endpoint.doubts if ENGINES[cell.engine].elsewhere else reads.doubts
    return judge(seen.row)


def _off(cell: Cell, seen: Observed, commits: int) -> list[str]:
    allowed = 0.0
    if ENGINES[cell.engine].on_server:
        allowed = allowances.housekeeping_bytes(cell, commits, seen.seconds)
    against = []
    if seen.engine_wal_bytes > allowed:
        against.append(f"durability off, but the engine wrote {seen.engine_wal_bytes} WAL bytes")
    if seen.tap_wal_bytes > allowed:
        against.append(f"durability off, but {seen.tap_wal_bytes} bytes went to WAL files")
    return against


def _flush(cell: Cell, seen: Observed, commits: int) -> list[str]:
    against, few = _bytes_arrived(cell, seen), _few_writes(cell, seen, commits)
    # How many bytes a buffer still holds is luck, so the writes say better what is wrong.
    against = few + against if seen.engine_wal_bytes else against + few
    against += _few_syncs(cell, seen, commits)
    return against + _a_record_for_each(cell, seen, commits)


def _few_writes(cell: Cell, seen: Observed, commits: int) -> list[str]:
    if seen.tap_writes >= _fewest_groups(cell, commits):
        return []
    return [
        f"durability flush, but {_of_clients(cell, commits)} had only "
        f"{seen.tap_writes} writes to the WAL"
    ]


def _fewest_groups(cell: Cell, commits: int) -> float:
    """Return it for groups of all clients: a client has at most one record under way."""
    return WORKLOADS[cell.workload].records_a_commit * commits / cell.threads


def _of_clients(cell: Cell, commits: int) -> str:
    records = WORKLOADS[cell.workload].records_a_commit
    each = f", each of {records} records," if records > 1 else ""
    return f"{commits} commits of {cell.threads} clients{each}"


def _delayed(cell: Cell, seen: Observed, commits: int) -> list[str]:
    against = _few_syncs(cell, seen, commits) + _a_record_for_each(cell, seen, commits)
    allowed = allowances.waited_for_by_none(cell, seen, commits) + allowances.full_buffers(seen)
    if seen.tap_writes > allowed:
        against.append(
            f"durability delayed, but the tap counted {seen.tap_writes} writes to the WAL in "
            f"{seen.seconds:.1f} s, more than {allowed:.0f} that commits need not wait for"
        )
    return against


def _a_record_for_each(cell: Cell, seen: Observed, commits: int) -> list[str]:
    """Check the bytes: a log of only a part of the commits has too few for all of them."""
    if not commits or seen.engine_wal_bytes > allowances.half_the_commits(cell, commits):
        return []
    return [
        f"durability {cell.durability}, but the engine wrote {seen.engine_wal_bytes} WAL bytes for "
        f"{commits} commits"
    ]


def _few_syncs(cell: Cell, seen: Observed, commits: int) -> list[str]:
    allowed = allowances.waited_for_by_none(cell, seen, commits)
    return [
        f"durability {cell.durability}, but {who} counted {syncs} WAL syncs in "
        f"{seen.seconds:.1f} s, more than {allowed:.0f} that commits need not wait for"
        for who, syncs in (("the engine", seen.engine_wal_syncs), ("the tap", seen.tap_syncs))
        if syncs is not None and syncs > allowed
    ]


def _sync(cell: Cell, seen: Observed, commits: int) -> list[str]:
    against = _bytes_arrived(cell, seen) + _a_record_for_each(cell, seen, commits)
    if seen.engine_wal_syncs is not None:
        against += _witnesses_differ(cell, seen, seen.engine_wal_syncs)
    against += _unsynced_groups(cell, seen)
    if seen.tap_syncs < _fewest_groups(cell, commits):
        what = _of_clients(cell, commits)
        against.append(f"durability sync, but {what} had only {seen.tap_syncs} syncs")
    return against


def _unsynced_groups(cell: Cell, seen: Observed) -> list[str]:
    own = allowances.own_share(cell, seen)  # a server's own writes wait for no sync
    # With a binlog the engine writes a commit twice, and syncs when it prepares it.
    groups = None if binlog.is_there(seen.row) else seen.engine_commit_groups
    if groups is None or seen.tap_syncs >= groups - own:
        return []
    return [f"durability sync, but {groups} commit groups had only {seen.tap_syncs} syncs"]


def _witnesses_differ(cell: Cell, seen: Observed, engine_syncs: int) -> list[str]:
    """Compare the two; each may have seen some syncs that the other has not."""
    if ENGINES[cell.engine].on_server:
        # The counters are read while its own threads go on. MyRocks' release syncs a closed WAL
        # before it flushes a memtable, and does not count that: one a file was seen.
        own = allowances.own_share(cell, seen)
        engine_alone, tap_alone = own, own + seen.tap_wal_files
    else:
        engine_alone, tap_alone = float(allowances.closed_wal_syncs(cell, seen)), 0.0
    if -tap_alone <= engine_syncs - seen.tap_syncs <= engine_alone:
        return []
    return [
        f"the engine counted {engine_syncs} WAL syncs and the tap {seen.tap_syncs}: "
        "something went around the tap"
    ]


def _bytes_arrived(cell: Cell, seen: Observed) -> list[str]:
    """Check that the log has what the engine counts, and headers: nothing is ever left out.

    The engine counts bytes before it compresses them.
    """
    if seen.engine_wal_bytes == 0:
        return ["the engine wrote no WAL"]
    setting = knob(cell.knob)
    shrinks = seen.compressed or (setting is not None and setting.shrinks)
    headers = _headers(cell, seen)
    if seen.tap_wal_bytes < (1 if shrinks else seen.engine_wal_bytes + headers):
        before = f" and {headers} of headers" if headers else ""
        return [
            f"the engine wrote {seen.engine_wal_bytes} WAL bytes{before}, "
            f"but only {seen.tap_wal_bytes} reached the WAL directory"
        ]
    return []


def _headers(cell: Cell, seen: Observed) -> int:
    """Return the bytes that the log adds at least; with a knob a buffer may hold some back."""
    groups = seen.engine_commit_groups
    if ENGINES[cell.engine].on_server or groups is None or cell.knob:
        return 0
    return _HEADER * groups
