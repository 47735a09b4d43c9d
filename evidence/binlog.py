"""Check a server's second log, which is synced with each group of commits.

With a binlog a commit has two phases. The engine prepares it, and its log is made as durable as the
mode says. Then a leader writes its group to the binlog and syncs that, and the engine commits.
After a crash, what is in the binlog is committed, so the commit itself waits for no sync of the
engine's log. Whatever the mode of the WAL, every commit has waited for one sync of the binlog.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..cell import Cell
from .witnesses import Observed

Row = Mapping[str, Any]

# The server's counters are read while its clients still work, and the tap's shortly after.
_SHARE = 0.01
_EDGES = 2.0


def is_there(row: Row) -> bool:
    """Return whether a row has a binlog; without its counts, nothing is known of it."""
    return bool(row.get("binlog_device")) and row.get("binlog_syncs") is not None


def contradictions(cell: Cell, seen: Observed) -> list[str]:
    """Return what contradicts a binlog that was synced with each group, a sentence each.

    REQUIRES: `is_there`.
    """
    row, against = seen.row, []
    attached, emulated = row.get("binlog_attached", 1), bool(row.get("binlog_emulated"))
    if attached != 1:
        against.append(f"the tap is at the binlog of {attached} processes, want the server's")
    if row.get("binlog_tap_emulated", emulated) != emulated:
        wanted = "emulated, and is not" if emulated else "real, and is emulated"
        against.append(f"the binlog's device is to be {wanted}")
    if row.get("binlog_bypasses"):
        against.append(f"{row['binlog_bypasses']} binlog accesses went around the tap")
    free = row["binlog_syncs"] if cell.binlog_rung else 0
    if row.get("binlog_syncs_at_once", free) != free:
        against.append(
            f"of {row['binlog_syncs']} syncs of the binlog {row['binlog_syncs_at_once']} were "
            f"answered at once, want {free}"
        )
    if seen.commits:
        if not row.get("binlog_bytes"):
            against.append(f"{seen.commits} commits, but no byte of them went to the binlog")
        elif row["binlog_syncs"] < _wanted(row, seen.commits / cell.threads):
            against.append(
                f"{seen.commits} commits of {cell.threads} clients had only {row['binlog_syncs']} "
                "syncs of the binlog"
            )
    return against + _server_differs(row)


def _wanted(row: Row, groups: float) -> float:
    """Return the fewest syncs that these groups of commits need."""
    every = row.get("binlog_sync_every", 1)  # 0: the server never syncs it
    if every == 1:
        return groups
    return groups / every - _EDGES if every else 0.0


def _server_differs(row: Row) -> list[str]:
    """Compare what the server says it handed over with what arrived at the tap.

    A group is one that a leader wrote and synced.
    """
    said_bytes, groups = row.get("binlog_bytes_written"), row.get("binlog_group_commits")
    return [
        f"the server counted {said} {what} of its binlog, and the tap {seen} {arrived}: something "
        "went around the tap"
        for what, said, least, seen, arrived in (
            ("bytes", said_bytes, said_bytes or 0, row.get("binlog_bytes") or 0, "bytes"),
            ("groups", groups, _wanted(row, groups or 0), row["binlog_syncs"], "syncs"),
        )
        if said is not None and seen < least * (1 - _SHARE) - _EDGES
    ]
