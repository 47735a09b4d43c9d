"""Check a slice before its row is accepted, and whenever its row is read.

The label of a cell is a claim: this WAL, in this place, made durable this way. The engine counts
its own WAL bytes and syncs; the tap counts the system calls; the directories hold what they hold;
real devices count what reaches them. If these contradict the claim or each other in a slice, the
cell fails.

Of a user's own program only its log's system calls are known, so it is asked less.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..cell import ENCODE, SYNC_FREE, TAP_RUNGS
from ..device_names import WITH_DATA
from ..row import Row
from . import axes, block_devices, endpoint
from .slice import Slice

# RocksDB's log puts this many bytes before each record (db/log_format.h), and a group is a record.
_HEADER = 7
# Syncs for as much work, as a share of the synced mode's, that a program's weaker mode may have.
_WEAKER = 0.5

Rule = Callable[[Slice], Iterable[str]]
"""Yields sentences that say what the label claims and what was found; none: accepted."""


def contradictions(seen: Slice) -> list[str]:
    """Return what each rule for such a slice says. Empty: accepted."""
    rules = (rule for kinds, modes, rule in _RULES if _is_for(seen, kinds, modes))
    return [words for rule in rules for words in rule(seen)]


def _is_for(seen: Slice, kinds: str, modes: str) -> bool:
    """Return whether a rule is for a slice, by the words of the table."""
    if seen.kind not in kinds.split() or not modes:
        return seen.kind in kinds.split()
    if seen.workload.only_reads:
        return "reads" in modes.split()
    return modes == "writes" or (seen.commits is not None and seen.mode in modes.split())


def doubts(seen: Slice, before: Sequence[Row] = ()) -> list[str]:
    """Return what makes an accepted figure doubtful; `before` are the campaign's rows so far."""
    if seen.kind == "program":
        return list(_synced_all_the_same(seen, before))
    return list(endpoint.doubts(seen)) if seen.engine.elsewhere else []


def _synced_all_the_same(seen: Slice, before: Sequence[Row]) -> Iterator[str]:
    """Yield a doubt of a weaker mode of a program that syncs its log about as often as the program.

    How often is by what it did, since its load may end by the clock.
    """
    full = (row for row in before if (row["durability"], row["status"]) == ("sync", "ok"))
    synced = [*map(_syncs_per_unit, full)]
    if seen.mode == "sync" or seen.cell.is_baseline or not any(synced):
        return
    share = _syncs_per_unit(seen.row) / max(synced)
    if share > _WEAKER:
        yield (
            f"label not proven: {seen.mode} is to wait for no sync, but its command synced the "
            f"log {seen['tap_syncs']} times, {share:.0%} as often as COMMAND for as much work"
        )


def _syncs_per_unit(row: Mapping[str, Any]) -> float:
    """Return the syncs of a log for each unit of work that a program did."""
    return float(row["tap_syncs"] / (row["throughput"] * row["measure_s"]))


def _stray_files(seen: Slice) -> Iterator[str]:
    for path in seen["stray_wal_files"] or ():
        yield f"a WAL file with data lies outside the WAL directory: {path}"


def _its_log(seen: Slice) -> Iterator[str]:
    """Check that a program, in any of its processes, has a log and syncs it."""
    attached, syncs = seen.row.get("tap_attached", 1), seen.cell.durability == "sync"
    if not attached and (syncs or seen.cell.is_baseline):  # its own mode may have no log
        yield "no process of the command wrote or synced its log, as far as the tap sees"
    elif attached and syncs and not seen["tap_syncs"]:
        yield "the command is to sync its log, and did not"


def _one_tap(seen: Slice) -> Iterator[str]:
    attached = seen.row.get("tap_attached", 1)
    if attached != 1:
        whose = "the server's" if seen.engine.on_server else "the driver's"
        yield f"the tap is at work in {attached} processes, want {whose}"


def _device(seen: Slice) -> Iterator[str]:
    if not seen.row.get("tap_attached", 1) and seen.kind == "program":
        return
    emulated = bool(seen.row.get("tap_emulated", seen.emulated))
    if emulated != seen.emulated:
        kinds = ("real", "emulated")
        yield f"the device is {kinds[seen.emulated]}, but the tap's is {kinds[emulated]}"
    apart = seen.kind == "ours" and seen.row.get("wal_with_data") is False
    if seen.cell.device == WITH_DATA and apart:
        yield "the WAL is to be with the data, but is on another file system"
    if seen["tap_bypasses"]:
        what = "syncs of the log" if seen.kind == "program" else "WAL accesses"
        yield f"{seen['tap_bypasses']} {what} went around the tap"


def _rung(seen: Slice) -> Iterator[str]:
    """Check that the tap left out what the label says, and did so with every call."""
    if not seen.row.get("tap_attached", 1) and seen.kind == "program":
        return
    names, rung = ("no rung", *TAP_RUNGS), seen.row.get("tap_rung", seen.rung)
    if rung != seen.rung:
        yield f"the label says {names[seen.rung]}, but the tap was at {names[rung]}"
        return
    written, syncs = seen["tap_write_bytes"], seen["tap_syncs"]
    kept_nothing = written if seen.cell.rung == ENCODE else 0
    at_once = syncs if seen.cell.tap_rung in (ENCODE, SYNC_FREE) else 0
    if seen["tap_bytes_not_kept"] != kept_nothing:
        yield (
            f"the tap took {written} WAL bytes and kept nothing of {seen['tap_bytes_not_kept']}, "
            f"want {kept_nothing}"
        )
    if seen["tap_syncs_at_once"] != at_once:
        yield (
            f"of {syncs} syncs {seen['tap_syncs_at_once']} were answered at once, want {at_once}"
        )


def _no_log(seen: Slice) -> Iterator[str]:
    """Check that no log was written; a server may write a little by itself."""
    allowed = seen.own_bytes
    what = "the workload only reads" if seen.workload.only_reads else "durability off"
    own = f", more than the {allowed:.0f} of a server's own" if allowed else ""
    for who, column in (("the engine wrote", "wal_bytes"), ("the tap saw", "tap_write_bytes")):
        if seen[column] > allowed:
            yield f"{what}, but {who} {seen[column]} WAL bytes{own}"


def _bytes_arrived(seen: Slice) -> Iterator[str]:
    """Check that the log has what the engine counts, and headers: nothing is ever left out.

    The engine counts bytes before it compresses them. With a knob a buffer may hold headers back.
    """
    written, arrived = seen["wal_bytes"], seen["tap_write_bytes"]
    shrinks = seen["wal_compressed"] or (seen.knob is not None and seen.knob.shrinks)
    counts_no_header = seen.engine.on_server or seen.groups is None or seen.knob is not None
    headers = 0 if counts_no_header else _HEADER * (seen.groups or 0)
    if not written:
        yield "the engine wrote no WAL"
    elif arrived < (1 if shrinks else written + headers):
        before = f" and {headers} of headers" if headers else ""
        yield (
            f"the engine wrote {written} WAL bytes{before}, but only {arrived} reached the WAL "
            "directory"
        )


def _a_record_for_each(seen: Slice) -> Iterator[str]:
    """Check the bytes: a log of only a part of the commits has too few for all of them."""
    if seen.commits and seen["wal_bytes"] <= seen.half_the_commits:
        yield (
            f"durability {seen.cell.durability}, but the engine wrote {seen['wal_bytes']} WAL "
            f"bytes for {seen.commits} commits"
        )


def _enough(what: str) -> Rule:
    """Return the check that the log had a write or sync for each group of all clients' records.

    A client has at most one record under way.
    """

    def check(seen: Slice) -> Iterator[str]:
        records, commits, threads = seen.workload.records_a_commit, seen.commits, seen.cell.threads
        count = seen[f"tap_{what}s"]
        if count < records * (commits or 0) / threads:
            each = f", each of {records} records," if records > 1 else ""
            to = " to the WAL" if what == "write" else ""
            yield (
                f"durability {seen.cell.durability}, but {commits} commits of {threads} "
                f"clients{each} had only {count} {what}s{to}"
            )

    return check


def _few_syncs(seen: Slice) -> Iterator[str]:
    allowed = seen.waited_for_by_none
    for who, syncs in (("the engine", seen.engine_syncs), ("the tap", seen["tap_syncs"])):
        if syncs is not None and syncs > allowed:
            yield (
                f"durability {seen.cell.durability}, but {who} counted {syncs} WAL syncs in "
                f"{seen.seconds:.1f} s, more than {allowed:.0f} that commits need not wait for"
            )


def _few_writes(seen: Slice) -> Iterator[str]:
    allowed = seen.waited_for_by_none + seen.full_buffers
    if seen["tap_writes"] > allowed:
        yield (
            f"durability delayed, but the tap counted {seen['tap_writes']} writes to the WAL in "
            f"{seen.seconds:.1f} s, more than {allowed:.0f} that commits need not wait for"
        )


def _witnesses_agree(seen: Slice) -> Iterator[str]:
    """Compare engine and tap; each may have seen some syncs that the other has not."""
    if seen.engine.on_server:
        # The counters are read while its own threads go on. MyRocks' release syncs a closed WAL
        # before it flushes a memtable, and does not count that: one a file was seen.
        own = seen.own_share
        engine_alone, tap_alone = own, own + seen["tap_opens"]
    else:
        engine_alone, tap_alone = seen.closed_wal_syncs, 0.0
    counted, tapped = seen.engine_syncs, seen["tap_syncs"]
    if counted is not None and not -tap_alone <= counted - tapped <= engine_alone:
        yield (
            f"the engine counted {counted} WAL syncs and the tap {tapped}: "
            "something went around the tap"
        )


def _synced_groups(seen: Slice) -> Iterator[str]:
    own = seen.own_share  # a server's own writes wait for no sync
    # With a binlog the engine writes a commit twice, and syncs when it prepares it.
    groups = None if seen.has_binlog else seen.groups
    if groups is not None and seen["tap_syncs"] < groups - own:
        yield f"durability sync, but {groups} commit groups had only {seen['tap_syncs']} syncs"


def _devices_below(seen: Slice) -> Iterable[str]:
    """Ask the devices below a log that a commit waits for, unless the tap left something out."""
    left_out = seen.emulated or seen.row.get("tap_rung", seen.rung)
    waits = seen.cell.durability == "sync" and not left_out
    return block_devices.contradictions(seen) if waits else ()


_RULES: tuple[tuple[str, str, Rule], ...] = (
    ("elsewhere", "", endpoint.contradictions),
    ("ours program", "", _stray_files),
    ("program", "", _its_log),
    ("ours", "", _one_tap),
    ("ours program", "", _device),
    ("ours program", "", _rung),
    ("ours", "", axes.memory_bound),
    ("ours", "", axes.nodes),
    ("ours", "reads off", _no_log),
    ("ours", "sync flush", _bytes_arrived),
    ("ours", "flush", _enough("write")),
    ("ours", "sync flush delayed", _a_record_for_each),
    ("ours", "flush delayed", _few_syncs),
    ("ours", "delayed", _few_writes),
    ("ours", "sync", _witnesses_agree),
    ("ours", "sync", _synced_groups),
    ("ours", "sync", _enough("sync")),
    ("ours", "writes", axes.binlog),
    ("ours", "writes", _devices_below),
)
"""Each rule, behind the kinds of engines that it is for, and the modes, if commits were counted.

`reads` is for a workload that only reads, `writes` for any other, and no mode for both.
"""
