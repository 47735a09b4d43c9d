"""What must be true of a server's second log, which is synced with each group of commits.

With a binlog a commit has two phases. The engine prepares it, and its log is made as durable as
the mode says. Then a leader writes its group to the binlog and syncs that, and the engine commits.
What is found after a crash in the binlog is committed then, so that the commit itself waits for no
sync of the engine's log. Whatever the mode of the WAL, every commit has waited for one sync of the
binlog.
"""

from __future__ import annotations

from ..cell import Cell
from .observed import Observed, SeenBinlog

# The server's counters are read while its clients still work, and the tap's a moment later.
_SHARE = 0.01
_EDGES = 2.0


def contradictions(cell: Cell, seen: Observed, binlog: SeenBinlog) -> list[str]:
    """What speaks against a binlog that was synced with each group, a sentence each."""
    against = []
    if binlog.attached != 1:
        whose = "processes, want the server's"
        against.append(f"the tap is at the binlog of {binlog.attached} {whose}")
    if binlog.emulated != binlog.planned_emulated:
        wanted = "emulated, and is not" if binlog.planned_emulated else "real, and is emulated"
        against.append(f"the binlog's device is to be {wanted}")
    if binlog.bypasses:
        against.append(f"{binlog.bypasses} binlog accesses went around the tap")
    if seen.commits:
        if not binlog.bytes:
            against.append(f"{seen.commits} commits, but no byte of them went to the binlog")
        elif binlog.syncs < _wanted(binlog, seen.commits / cell.threads):
            against.append(
                f"{seen.commits} commits of {cell.threads} clients had only {binlog.syncs} syncs "
                "of the binlog"
            )
    return against + _server_differs(binlog)


def _wanted(binlog: SeenBinlog, groups: float) -> float:
    """The fewest syncs of so many groups of commits."""
    if binlog.sync_every == 1:
        return groups
    return groups / binlog.sync_every - _EDGES if binlog.sync_every else 0.0


def _server_differs(binlog: SeenBinlog) -> list[str]:
    """The server counts what it hands over, and the tap what arrived."""
    against = []
    groups = binlog.told_groups
    for what, told, least, seen in (
        ("bytes", binlog.told_bytes, binlog.told_bytes or 0, binlog.bytes),
        ("groups", groups, _wanted(binlog, groups or 0), binlog.syncs),
    ):
        if told is not None and seen < least * (1 - _SHARE) - _EDGES:
            found = "bytes" if what == "bytes" else "syncs"
            against.append(
                f"the server counted {told} {what} of its binlog, and the tap {seen} {found}: "
                "something went around the tap"
            )
    return against
