"""The evidence of a cell in words: what was written, what was synced, by whose count."""

from __future__ import annotations

from . import words
from .evidence import CellEvidence


def engine(proofs: list[CellEvidence]) -> list[str]:
    """Of a server, which one it was: its RocksDB is not the one that waltax embeds."""
    versions = [name for proof in proofs for name in proof.versions]
    if not any(proof.served for proof in proofs):
        return []
    return [f"server: {', '.join(dict.fromkeys(versions)) or 'its version was not recorded'}"]


def wal(proof: CellEvidence) -> str:
    if not proof.wal_bytes:
        return "no WAL byte"
    files = "" if proof.wal_files is None else f" in {proof.wal_files:,} files"
    return f"{proof.wal_bytes:,} WAL bytes{files}"


def syncs(proof: CellEvidence) -> str:
    if not proof.commits_sync:
        return f"no sync per commit; {_not_by_commits(proof)}"
    if proof.tap_agrees is None:
        return _by_one_witness(proof)
    if proof.wal_syncs == proof.tap_syncs:
        return f"{proof.wal_syncs:,} syncs, tap == engine"
    if proof.tap_agrees and not proof.served:
        return (
            f"{proof.wal_syncs:,} syncs, {proof.tap_syncs:,} by the tap: with this knob they may "
            "differ by one a log file"
        )
    if proof.tap_agrees:  # its background thread syncs while the one or the other is read
        return (
            f"{proof.wal_syncs:,} syncs by the server, {proof.tap_syncs:,} by the tap: within 1 %"
        )
    # Of the embedded release only; the runner bounded the difference.
    if not proof.served and (proof.tap_syncs or 0) < (proof.wal_syncs or 0):
        return (
            f"{proof.tap_syncs:,} syncs (tap); the engine counts {proof.wal_syncs:,}, "
            "with those of closed, durable logs that cost no system call"
        )
    return f"SYNCS DISAGREE: engine {proof.wal_syncs:,}, tap {proof.tap_syncs:,}"


def _not_by_commits(proof: CellEvidence) -> str:
    if proof.tap_syncs is None:
        return "no tap"
    who = "in the background" if proof.served else "by memtable flushes"
    return f"{proof.tap_syncs:,} {who} (tap)"


def _by_one_witness(proof: CellEvidence) -> str:
    if proof.wal_syncs is None and proof.tap_syncs is not None:
        return f"{proof.tap_syncs:,} syncs (tap); the engine does not count them"
    return f"{words.number(proof.wal_syncs)} syncs by the engine, no tap"
