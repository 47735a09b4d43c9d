"""Check a slice of a server that its owner runs, by what that server says.

No tap is in front of its log. The server may report its settings and how much its log grew; for the
rest we have its owner's word.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..cell import Cell
from ..workloads import WORKLOADS
from .allowances import half_the_commits

Row = Mapping[str, Any]

COUNTED, SET, WORD = "counters", "settings", "its owner's word"
"""What a label may rest on, the best first."""


def rests_on(row: Row) -> str:
    """Return what a label rests on, given what the server said."""
    if row.get("log_mode") is None:
        return WORD
    return SET if row.get("wal_bytes") is None else COUNTED


def contradictions(cell: Cell, commits: int | None, row: Row) -> list[str]:
    """Return sentences that say what the label claims and what was found. Empty: accepted."""
    mode, grown = row.get("log_mode"), row.get("wal_bytes")
    if row.get("log_changes"):
        return ["its settings were changed while it was measured"]
    if mode is not None and mode != cell.durability:
        return [
            f"labelled {cell.durability}, but its server's settings mean {mode} (see "
            "log_settings, and docs/method.md for which mean what)"
        ]
    if grown is None or row.get("log_rewrites"):  # a rewrite makes its growth too small
        return []
    if cell.durability == "off" or WORKLOADS[cell.workload].only_reads:
        what = "labelled off" if cell.durability == "off" else "the workload only reads"
        return [f"{what}, but its log grew by {grown} bytes"] if grown else []
    wanted = half_the_commits(cell, commits or 0)
    if commits and grown <= wanted:
        return [
            f"labelled {cell.durability}, but its log grew by {grown} bytes for {commits} "
            f"commits, want more than {wanted:.0f}"
        ]
    return []


def doubts(row: Row) -> list[str]:
    """Return what makes an accepted figure doubtful."""
    if row.get("log_rewrites"):
        return ["the log was rewritten meanwhile, so that nobody knows how much it grew"]
    return {
        COUNTED: [],
        SET: ["its server counts no bytes of its log: the label rests on its settings"],
        WORD: ["its server says nothing of its log: the label is its owner's word"],
    }[rests_on(row)]
