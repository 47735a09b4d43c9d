"""Check what axes promise of a slice: nodes, a bound on memory, a second log."""

from __future__ import annotations

from collections.abc import Iterator

from .slice import Slice

# The driver counts the former for each node, and the tap of its server the latter; a row has sums.
_BY_DRIVER, _BY_TAPS = ("wal_bytes", "wal_syncs"), ("tap_syncs", "tap_write_bytes")
_MIB = 1 << 20
# The server's counters are read while its clients still work, and the tap's shortly after.
_SEEN_LATER, _EDGES = 0.01, 2.0


def nodes(seen: Slice) -> Iterator[str]:
    """Yield what in a row's nodes contradicts its label or its sums, a sentence each.

    One store has none. Sums are of what each node's own counters and tap saw.
    """
    cell, parts = seen.cell, seen["nodes"] or ()
    if cell.nodes == 1:
        return
    if len(parts) != cell.nodes:
        yield f"shards are {cell.shards}, but the row tells of {len(parts) or 'no'} nodes"
        return
    for name in (*_BY_DRIVER, *(_BY_TAPS if seen.engine.on_server else ())):
        counts = [node[name] for node in parts if node.get(name) is not None]
        if len(counts) == len(parts) and sum(counts) != seen.row.get(name):
            yield f"{name} is {seen.row.get(name)}, but its nodes' are {sum(counts)} in all"
    if len({node.get("wal_dir") for node in parts}) < len(parts):
        yield "two nodes have their logs in one directory"
    for node in parts if cell.durability != "off" else ():
        if node.get("commits") and not node.get("wal_bytes"):
            yield f"node {node.get('node')} has {node['commits']} commits, and no byte in its log"


def memory_bound(seen: Slice) -> Iterator[str]:
    """Yield what contradicts the bound that a row claims, a sentence each; none without one."""
    means = seen["memory_bound"]
    if not means:
        return
    limit, most = seen["memory_limit_bytes"], seen["memory_used_bytes_max"]
    if not limit or not most:
        yield f"memory is bounded by {means}, but nothing says what was used of it"
    elif most > limit:
        yield (
            f"memory is bounded by {means} at {limit / _MIB:,.1f} MiB, but {most / _MIB:,.1f} MiB "
            "were used"
        )


def binlog(seen: Slice) -> Iterator[str]:
    """Yield what contradicts a binlog that was synced with each group, if it has one.

    With a binlog a commit has two phases. The engine prepares it, and its log is made as durable
    as the mode says. Then a leader writes its group to the binlog and syncs that, and the engine
    commits. After a crash, what is in the binlog is committed, so the commit itself waits for no
    sync of the engine's log. Whatever the mode of the WAL, every commit has waited for one sync of
    the binlog.
    """
    if not seen.has_binlog:
        return
    row, syncs = seen.row, seen["binlog_syncs"]
    attached, emulated = row.get("binlog_attached", 1), bool(seen["binlog_emulated"])
    if attached != 1:
        yield f"the tap is at the binlog of {attached} processes, want the server's"
    if row.get("binlog_tap_emulated", emulated) != emulated:
        wanted = "emulated, and is not" if emulated else "real, and is emulated"
        yield f"the binlog's device is to be {wanted}"
    if seen["binlog_bypasses"]:
        yield f"{seen['binlog_bypasses']} binlog accesses went around the tap"
    free = syncs if seen.cell.binlog_rung else 0
    if row.get("binlog_syncs_at_once", free) != free:
        yield (
            f"of {syncs} syncs of the binlog {row['binlog_syncs_at_once']} were answered at once, "
            f"want {free}"
        )
    threads = seen.cell.threads
    if seen.commits and not seen["binlog_bytes"]:
        yield f"{seen.commits} commits, but no byte of them went to the binlog"
    elif seen.commits and syncs < _fewest_syncs(seen, seen.commits / threads):
        yield f"{seen.commits} commits of {threads} clients had only {syncs} syncs of the binlog"
    yield from _server_differs(seen)


def _fewest_syncs(seen: Slice, groups: float) -> float:
    """Return the fewest syncs that these groups of commits need."""
    every = seen.row.get("binlog_sync_every", 1)  # 0: the server never syncs it
    if every == 1:
        return groups
    return groups / every - _EDGES if every else 0.0


def _server_differs(seen: Slice) -> Iterator[str]:
    """Compare what the server says it handed over with what arrived at the tap.

    A group is one that a leader wrote and synced.
    """
    said_bytes, groups = seen["binlog_bytes_written"], seen["binlog_group_commits"]
    for what, said, least, arrived, unit in (
        ("bytes", said_bytes, said_bytes, seen["binlog_bytes"], "bytes"),
        ("groups", groups, _fewest_syncs(seen, groups), seen["binlog_syncs"], "syncs"),
    ):
        if said and arrived < least * (1 - _SEEN_LATER) - _EDGES:
            yield (
                f"the server counted {said} {what} of its binlog, and the tap {arrived} {unit}: "
                "something went around the tap"
            )
