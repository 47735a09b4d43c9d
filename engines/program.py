"""A program of the user's own, whose log is the files that its patterns name."""

from __future__ import annotations

from .engine import Engine

ENGINE = Engine(
    name="program",
    title="a log of its own",
    modes=("sync", "flush", "off"),
    why_not={"delayed": "its own command says when it syncs: see --flush and --off"},
    # Nobody but the tap counts its log.
    wal_bytes="wal_bytes",
    is_program=True,
    # The baseline runs the same command, and its syncs return at once.
    reference="sync-free",
)
