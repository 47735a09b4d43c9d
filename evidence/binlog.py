"""Check a server's second log, which is synced with each group of commits.

With a binlog a commit has two phases. The engine prepares it, and its log is made as durable as the
mode says. Then a leader writes its group to the binlog and syncs that, and the engine commits.
After a crash, what is in the binlog is committed, so the commit itself waits for no sync of the
engine's log. Whatever the mode of the WAL, every commit has waited for one sync of the binlog.
"""

from __future__ import annotations

from collections.abc import Iterator

from .slice import Slice

# The server's counters are read while its clients still work, and the tap's shortly after.
_SHARE = 0.01
_EDGES = 2.0


def contradictions(seen: Slice) -> Iterator[str]:
    """Yield what contradicts a binlog that was synced with each group, a sentence each.

    REQUIRES: it has one.
    """
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
        if said and arrived < least * (1 - _SHARE) - _EDGES:
            yield (
                f"the server counted {said} {what} of its binlog, and the tap {arrived} {unit}: "
                "something went around the tap"
            )
