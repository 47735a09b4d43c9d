from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from waltax.cell import Cell
from waltax.runners.evidence import Observed, contradictions, stray_wal_files

SYNC = Cell("rocksdb", "linkbench", "quick", "nvme", "sync", 4)
FLUSH = replace(SYNC, durability="flush")
OFF = Cell("rocksdb", "linkbench", "quick", "off", "off", 4)

SYNCED = Observed(
    engine_wal_bytes=1000,
    engine_wal_syncs=10,
    engine_commit_groups=10,
    tap_wal_bytes=1070,
    tap_syncs=10,
    tap_wal_files=0,
    tap_attached=1,
    tap_emulated=False,
    tap_bypasses=0,
    stray_wal_files=(),
)
FLUSHED = replace(SYNCED, engine_wal_syncs=0, tap_syncs=0)
NOTHING = replace(FLUSHED, engine_wal_bytes=0, tap_wal_bytes=0)


@pytest.mark.parametrize(("cell", "seen"), [(SYNC, SYNCED), (FLUSH, FLUSHED), (OFF, NOTHING)])
def test_what_each_label_promises_is_accepted(cell: Cell, seen: Observed) -> None:
    assert contradictions(cell, False, seen) == []


@pytest.mark.parametrize(
    ("cell", "seen", "message"),
    [
        (OFF, replace(NOTHING, engine_wal_bytes=5), "the engine wrote 5 WAL bytes"),
        (OFF, replace(NOTHING, tap_wal_bytes=5), "5 bytes went to WAL files"),
        (SYNC, replace(SYNCED, tap_syncs=9), "counted 10 WAL syncs and the tap 9"),
        (SYNC, FLUSHED, "10 commit groups had only 0 syncs"),
        (SYNC, replace(SYNCED, tap_wal_bytes=999), "only 999 reached the WAL directory"),
        (SYNC, replace(NOTHING, engine_commit_groups=0), "the engine wrote no WAL"),
        (FLUSH, NOTHING, "the engine wrote no WAL"),
        (FLUSH, replace(FLUSHED, engine_wal_syncs=3), "the engine counted 3 WAL syncs"),
        (FLUSH, replace(FLUSHED, tap_syncs=3), "the tap counted 3 WAL syncs"),
        (SYNC, replace(SYNCED, tap_syncs=11), "counted 10 WAL syncs and the tap 11"),
        (OFF, replace(NOTHING, tap_attached=0), "the tap is at work in 0 processes"),
        (SYNC, replace(SYNCED, tap_emulated=True), "the device is real, but the tap's is emulated"),
        (SYNC, replace(SYNCED, tap_bypasses=1), "1 WAL accesses went around the tap"),
        (
            SYNC,
            replace(SYNCED, stray_wal_files=(Path("db/000004.log"),)),
            "outside the WAL directory: db/000004.log",
        ),
    ],
)
def test_each_contradiction_is_named(cell: Cell, seen: Observed, message: str) -> None:
    found = contradictions(cell, False, seen)
    assert any(message in sentence for sentence in found), found


def test_syncs_of_closed_logs_are_at_most_one_for_each_column_family() -> None:
    """A memtable switch of TPC-C may flush twelve column families, one of LinkBench five."""
    seen = replace(SYNCED, engine_wal_syncs=10 + 12, tap_wal_files=1)
    tpcc = replace(SYNC, workload="tpcc")
    assert contradictions(tpcc, False, seen) == []
    assert contradictions(SYNC, False, seen) != []
    assert contradictions(tpcc, False, replace(seen, engine_wal_syncs=10 + 13)) != []


def test_an_empty_wal_file_in_the_database_is_no_stray_and_one_with_data_is(
    tmp_path: Path,
) -> None:
    (tmp_path / "000001.log").touch()
    assert stray_wal_files(tmp_path, tmp_path / "wal") == ()
    (tmp_path / "000002.log").write_text("data")
    assert stray_wal_files(tmp_path, tmp_path / "wal") == (tmp_path / "000002.log",)
    assert stray_wal_files(tmp_path, tmp_path) == ()
