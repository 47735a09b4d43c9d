"""Check a slice of a server that its owner runs, by what that server says.

No tap is in front of its log. The server may report its settings and how much its log grew; for the
rest we have its owner's word.
"""

from __future__ import annotations

from collections.abc import Iterator

from .slice import Slice


def contradictions(seen: Slice) -> Iterator[str]:
    """Yield sentences that say what the label claims and what was found. None: accepted."""
    mode, grown, label = seen.row.get("log_mode"), seen.row.get("wal_bytes"), seen.cell.durability
    wanted = seen.half_the_commits
    if seen["log_changes"]:
        yield "its settings were changed while it was measured"
    elif mode is not None and mode != label:
        yield (
            f"labelled {label}, but its server's settings mean {mode} (see log_settings, and "
            "docs/method.md for which mean what)"
        )
    elif grown is None or seen["log_rewrites"]:  # a rewrite makes its growth too small
        return
    elif label == "off" or seen.workload.only_reads:
        what = "labelled off" if label == "off" else "the workload only reads"
        if grown:
            yield f"{what}, but its log grew by {grown} bytes"
    elif seen.commits and grown <= wanted:
        yield (
            f"labelled {label}, but its log grew by {grown} bytes for {seen.commits} commits, want "
            f"more than {wanted:.0f}"
        )


def doubts(seen: Slice) -> Iterator[str]:
    """Yield what makes an accepted figure doubtful."""
    if seen["log_rewrites"]:
        yield "the log was rewritten meanwhile, so that nobody knows how much it grew"
    elif seen.row.get("log_mode") is None:
        yield "its server says nothing of its log: the label is its owner's word"
    elif seen.row.get("wal_bytes") is None:
        yield "its server counts no bytes of its log: the label rests on its settings"
