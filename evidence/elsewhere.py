"""What must be true of a slice of a server that its owner runs, by what that server says.

No tap is in front of its log. What it says may be its settings and how much its log grew; what it
does not say is its owner's word.
"""

from __future__ import annotations

from ..cell import Cell
from ..workloads import WORKLOADS
from .allowances import half_the_commits
from .observed import Told

COUNTED, SET, WORD = "counters", "settings", "its owner's word"
"""What a label rests on, the best first."""


def rests_on(told: Told) -> str:
    """What a label rests on."""
    if told.mode is None:
        return WORD
    return SET if told.bytes is None else COUNTED


def contradictions(cell: Cell, commits: int | None, told: Told) -> list[str]:
    """Every sentence says what the label claims and what was found. Empty: accepted."""
    if told.changed:
        return ["its settings were changed while it was measured"]
    if told.mode is not None and told.mode != cell.durability:
        return [
            f"labelled {cell.durability}, but its server's settings mean {told.mode} (see "
            "log_settings, and docs/endpoints.md for which mean what)"
        ]
    if told.grown is None:
        return []
    if cell.durability == "off" or WORKLOADS[cell.workload].only_reads:
        what = "labelled off" if cell.durability == "off" else "the workload only reads"
        return [f"{what}, but its log grew by {told.grown} bytes"] if told.grown else []
    wanted = half_the_commits(cell, commits or 0)
    if commits and told.grown <= wanted:
        return [
            f"labelled {cell.durability}, but its log grew by {told.grown} bytes for {commits} "
            f"commits, want more than {wanted:.0f}"
        ]
    return []


def doubts(told: Told) -> list[str]:
    """What makes a figure doubtful that was accepted."""
    if told.rewrites:
        return ["the log was rewritten meanwhile, so that nobody knows how much it grew"]
    return {
        COUNTED: [],
        SET: ["its server counts no bytes of its log: the label rests on its settings"],
        WORD: ["its server says nothing of its log: the label is its owner's word"],
    }[rests_on(told)]
