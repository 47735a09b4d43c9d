from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from waltax.cell import Cell
from waltax.engines import PROGRAM
from waltax.evidence import rules
from waltax.evidence.slice import Slice
from waltax.runners.cells.waldir import stray_files

Row = dict[str, Any]

SYNC = Cell("rocksdb", "linkbench", "quick", "nvme", "sync", 4)
FLUSH = replace(SYNC, durability="flush")
OFF = Cell("rocksdb", "linkbench", "quick", "off", "off", 4)


def but(row: Row, **changes: Any) -> Row:
    """Return the columns of a slice with these changes."""
    return {**row, **changes}


def contradictions(cell: Cell, row: Row) -> list[str]:
    """Return what is said of a slice of this cell; its tap left out nothing, but for `tap_rung`."""
    return rules.contradictions(Slice(cell, {"tap_rung": 0, **row}))


SYNCED: Row = {
    "wal_bytes": 1000,
    "wal_syncs": 10,
    "rocksdb_write_self": 10,
    "commits": 10,
    "driven_s": 2.0,
    "tap_write_bytes": 1070,
    "tap_writes": 10,
    "tap_syncs": 10,
    "tap_opens": 0,
    "tap_attached": 1,
    "tap_emulated": False,
    "tap_bypasses": 0,
    "stray_wal_files": (),
}
FLUSHED = but(SYNCED, wal_syncs=0, tap_syncs=0)
NOTHING = but(FLUSHED, wal_bytes=0, tap_write_bytes=0)

# On a server: a thread of its own syncs once a second, and counters are read while it goes on.
MYROCKS = replace(SYNC, engine="myrocks")
MYROCKS_FLUSH, MYROCKS_DELAYED, MYROCKS_OFF = (
    replace(MYROCKS, durability=mode) for mode in ("flush", "delayed", "off")
)
SERVED = but(SYNCED, wal_syncs=1000, rocksdb_write_self=1000, commits=1500, tap_syncs=1000)
SERVED = but(SERVED, tap_writes=1000, wal_bytes=90_000, tap_write_bytes=97_000)
SERVED_FLUSHED = but(SERVED, wal_syncs=3, tap_syncs=3)
SERVED_DELAYED = but(SERVED_FLUSHED, tap_writes=4, tap_write_bytes=89_000)
# InnoDB counts no syncs: the tap is the only witness.
INNODB = replace(SYNC, engine="innodb")
INNODB_FLUSH, INNODB_DELAYED = (replace(INNODB, durability=mode) for mode in ("flush", "delayed"))
ALONE = but(SERVED, wal_syncs=None, rocksdb_write_self=None)
ALONE_FLUSHED = but(ALONE, tap_syncs=3)
ALONE_DELAYED = but(ALONE, tap_syncs=3, tap_writes=5)

# What commits least, by MyRocks: the key of a row that is deleted.
DELETES = replace(MYROCKS, workload="sqlops-delete-present")
# A transaction that is prepared and committed is two records; both are durable in turn.
TWO_PHASE = {
    mode: replace(cell, workload="kv-2pc") for mode, cell in (("sync", SYNC), ("flush", FLUSH))
}
PREPARED = but(SYNCED, wal_syncs=6, rocksdb_write_self=6, tap_writes=6, tap_syncs=6, commits=12)
# A workload that only reads; a server logs what it does of its own accord.
READS = {name: replace(SYNC, engine=name, workload="ycsb-c") for name in ("rocksdb", "myrocks")}
READS["innodb"] = replace(INNODB, workload="ycsb-c")
READ = but(NOTHING, wal_syncs=0, rocksdb_write_self=0, commits=0, tap_writes=0)


@pytest.mark.parametrize(
    ("cell", "seen"),
    [
        (SYNC, SYNCED),
        (FLUSH, FLUSHED),
        (OFF, NOTHING),
        (MYROCKS, SERVED),
        (MYROCKS, but(SERVED, tap_syncs=1008)),
        (MYROCKS, but(SERVED, wal_syncs=1008)),
        (MYROCKS_FLUSH, SERVED_FLUSHED),
        (MYROCKS_DELAYED, SERVED_DELAYED),
        (MYROCKS, but(SERVED, rocksdb_write_self=1002)),  # the server's own
        (MYROCKS_OFF, but(NOTHING, wal_syncs=2, tap_syncs=2)),
        (MYROCKS_OFF, but(NOTHING, commits=1500, wal_bytes=126, tap_write_bytes=397)),
        (MYROCKS_OFF, but(NOTHING, commits=3, tap_write_bytes=117)),
        (MYROCKS, but(SERVED, tap_syncs=1012, tap_opens=2)),  # of closed logs
        (DELETES, but(SERVED, wal_bytes=34_700)),  # 23 bytes each
        (MYROCKS_DELAYED, but(SERVED_DELAYED, wal_bytes=8 << 20, tap_writes=20)),
        (MYROCKS_DELAYED, but(SERVED_DELAYED, tap_opens=2, tap_writes=9)),
        (INNODB, ALONE),
        (INNODB_FLUSH, ALONE_FLUSHED),
        (INNODB_FLUSH, but(ALONE_FLUSHED, tap_syncs=40)),  # of data pages
        (INNODB_DELAYED, ALONE_DELAYED),
        # TPC-C with pages that do not fit: the most that was seen.
        (
            INNODB_DELAYED,
            but(ALONE_DELAYED, commits=664, driven_s=0.4, tap_writes=9, tap_syncs=9),
        ),
        (TWO_PHASE["sync"], PREPARED),
        (TWO_PHASE["flush"], but(PREPARED, wal_syncs=0, tap_syncs=0)),
        (READS["rocksdb"], READ),
        (READS["myrocks"], but(READ, wal_bytes=110, tap_write_bytes=117)),
        (READS["innodb"], but(READ, wal_bytes=16, tap_write_bytes=12_288)),
    ],
)
def test_what_each_label_promises_is_accepted(cell: Cell, seen: Row) -> None:
    assert contradictions(cell, seen) == []


@pytest.mark.parametrize(
    ("cell", "seen", "message"),
    [
        (OFF, but(NOTHING, wal_bytes=5), "the engine wrote 5 WAL bytes"),
        (OFF, but(NOTHING, tap_write_bytes=5), "the tap saw 5 WAL bytes"),
        (SYNC, but(SYNCED, tap_syncs=9), "counted 10 WAL syncs and the tap 9"),
        (SYNC, FLUSHED, "10 commit groups had only 0 syncs"),
        (SYNC, but(SYNCED, tap_write_bytes=999), "only 999 reached the WAL directory"),
        (SYNC, but(NOTHING, rocksdb_write_self=0), "the engine wrote no WAL"),
        (FLUSH, NOTHING, "the engine wrote no WAL"),
        (FLUSH, but(FLUSHED, wal_syncs=3), "the engine counted 3 WAL syncs"),
        (FLUSH, but(FLUSHED, tap_syncs=3), "the tap counted 3 WAL syncs"),
        (SYNC, but(SYNCED, tap_syncs=11), "counted 10 WAL syncs and the tap 11"),
        (  # never prepared
            TWO_PHASE["sync"],
            but(PREPARED, wal_syncs=5, rocksdb_write_self=5, tap_syncs=5),
            "12 commits of 4 clients, each of 2 records, had only 5 syncs",
        ),
        (
            TWO_PHASE["flush"],
            but(PREPARED, wal_syncs=0, tap_syncs=0, tap_writes=5),
            "12 commits of 4 clients, each of 2 records, had only 5 writes",
        ),
        (OFF, but(NOTHING, tap_attached=0), "the tap is at work in 0 processes"),
        (SYNC, but(SYNCED, tap_emulated=True), "the device is real, but the tap's is emulated"),
        (SYNC, but(SYNCED, tap_bypasses=1), "1 WAL accesses went around the tap"),
        (
            SYNC,
            but(SYNCED, stray_wal_files=(Path("db/000004.log"),)),
            "outside the WAL directory: db/000004.log",
        ),
        (
            READS["rocksdb"],
            but(READ, tap_write_bytes=5),
            "the workload only reads, but the tap saw 5 WAL bytes",
        ),
        (
            READS["myrocks"],
            but(READ, wal_bytes=330),
            "the engine wrote 330 WAL bytes, more than the 300 of a server's own",
        ),
        (READS["innodb"], but(READ, tap_write_bytes=90_000), "the tap saw 90000 WAL bytes"),
        (MYROCKS, but(SERVED, tap_syncs=980), "something went around the tap"),
        (MYROCKS, but(SERVED, tap_syncs=1012), "something went around the tap"),
        (MYROCKS, SERVED_FLUSHED, "1000 commit groups had only 3 syncs"),
        (MYROCKS, but(SERVED, tap_attached=0), "in 0 processes, want the server's"),
        (MYROCKS_FLUSH, SERVED, "the tap counted 1000 WAL syncs in 2.0 s"),
        (MYROCKS_FLUSH, but(SERVED_FLUSHED, wal_syncs=6), "the engine counted 6 WAL"),
        (MYROCKS_FLUSH, SERVED_DELAYED, "only 89000 reached the WAL directory"),
        (MYROCKS_FLUSH, but(SERVED_FLUSHED, tap_writes=300), "had only 300 writes to the WAL"),
        (MYROCKS_DELAYED, SERVED, "durability delayed, but the engine counted 1000 WAL syncs"),
        (
            MYROCKS,
            but(SERVED, wal_bytes=30_000),
            "durability sync, but the engine wrote 30000 WAL bytes for 1500 commits",
        ),
        (
            MYROCKS_FLUSH,
            but(SERVED_FLUSHED, wal_bytes=30_000),
            "durability flush, but the engine wrote 30000 WAL bytes for 1500 commits",
        ),
        (DELETES, but(SERVED, wal_bytes=14_000), "wrote 14000 WAL bytes for 1500"),
        (MYROCKS_DELAYED, NOTHING, "the engine wrote 0 WAL bytes for 10 commits"),
        (
            MYROCKS_DELAYED,
            but(SERVED_DELAYED, wal_bytes=257),
            "the engine wrote 257 WAL bytes for 1500 commits",
        ),
        (MYROCKS_DELAYED, SERVED_FLUSHED, "durability delayed, but the tap counted 1000 writes"),
        # Which release 8 may do and MyRocks' does not.
        (
            MYROCKS,
            but(SERVED, wal_syncs=1040, tap_opens=8),
            "something went around the tap",
        ),
        (MYROCKS, but(SERVED, rocksdb_write_self=1011), "1011 commit groups had only 1000"),
        (
            MYROCKS_OFF,
            but(SERVED_FLUSHED, wal_bytes=50 * 1500, tap_write_bytes=60 * 1500),
            "durability off, but the engine wrote 75000 WAL bytes",
        ),
        (
            MYROCKS_OFF,
            but(NOTHING, commits=20, wal_bytes=1000),
            "durability off, but the engine wrote 1000 WAL bytes",
        ),
        (
            MYROCKS_OFF,
            but(NOTHING, commits=20, tap_write_bytes=1140),
            "durability off, but the tap saw 1140 WAL bytes",
        ),
        (INNODB, ALONE_FLUSHED, "1500 commits of 4 clients had only 3 syncs"),
        (INNODB_FLUSH, ALONE, "durability flush, but the tap counted 1000 WAL syncs"),
        (INNODB_FLUSH, ALONE_DELAYED, "1500 commits of 4 clients had only 5 writes"),
        (INNODB_FLUSH, but(ALONE_FLUSHED, tap_syncs=100), "the tap counted 100 WAL syncs"),
        (INNODB_DELAYED, ALONE, "durability delayed, but the tap counted 1000 WAL syncs"),
        (INNODB_DELAYED, ALONE_FLUSHED, "durability delayed, but the tap counted 1000 writes"),
    ],
)
def test_each_contradiction_is_named(cell: Cell, seen: Row, message: str) -> None:
    found = contradictions(cell, seen)
    assert any(message in sentence for sentence in found), found


def test_syncs_of_closed_logs_are_at_most_one_for_each_column_family() -> None:
    """A memtable switch of TPC-C may flush twelve column families, one of LinkBench five."""
    seen = but(SYNCED, wal_syncs=10 + 12, tap_opens=1)
    tpcc = replace(SYNC, workload="tpcc")
    assert contradictions(tpcc, seen) == []
    assert contradictions(SYNC, seen) != []
    assert contradictions(tpcc, but(seen, wal_syncs=10 + 13)) != []


def test_one_sync_of_a_log_that_was_closed_before_the_slice_may_fall_into_it() -> None:
    """Its process was stopped between the new file and the flush."""
    seen = but(FLUSHED, wal_syncs=1, tap_syncs=1, tap_opens=0)
    assert contradictions(FLUSH, seen) == []
    assert contradictions(FLUSH, but(seen, tap_syncs=2)) != []


def test_a_database_of_one_column_family_syncs_no_closed_logs() -> None:
    seen = but(SYNCED, wal_syncs=11, tap_opens=24)
    (found,) = contradictions(replace(SYNC, workload="command"), seen)
    assert "counted 11 WAL syncs and the tap 10" in found


@pytest.mark.parametrize(
    ("engine", "name"),
    [("rocksdb", "000001.log"), ("myrocks", "#rocksdb/000001.log"), ("innodb", "ib_logfile0")],
)
def test_an_empty_log_file_among_the_data_is_no_stray_and_one_with_data_is(
    tmp_path: Path, engine: str, name: str
) -> None:
    log = tmp_path / name
    log.parent.mkdir(exist_ok=True)
    log.touch()
    assert stray_files(engine, tmp_path, tmp_path / "wal") == ()
    log.write_text("data")
    assert stray_files(engine, tmp_path, tmp_path / "wal") == (log,)
    assert stray_files(engine, tmp_path, tmp_path) == ()


def test_a_log_that_a_thread_syncs_has_as_many_syncs_as_it_makes() -> None:
    seen = but(FLUSHED, wal_syncs=22, tap_syncs=22)  # 20 in 2 s, and at the edges
    assert contradictions(FLUSH.at(knob="sync-100ms"), seen) == []
    for cell in (FLUSH, FLUSH.at(knob="sync-1000ms")):
        assert "more than" in contradictions(cell, seen)[0]


def test_a_log_that_stays_in_the_process_has_no_write_for_each_commit() -> None:
    few = but(FLUSHED, tap_writes=1)
    assert contradictions(FLUSH.at(knob="manual-flush-100ms"), few) == []
    assert "had only 1 writes" in contradictions(FLUSH.at(knob="sync-100ms"), few)[0]


ENCODE = FLUSH.at(rung="encode")
TAKEN = but(FLUSHED, tap_rung=1, tap_bytes_not_kept=1070)
FREE = SYNC.at(rung="sync-free")
ANSWERED = but(SYNCED, tap_rung=2, tap_syncs_at_once=10)


def test_a_rung_whose_calls_were_all_left_out_is_accepted() -> None:
    assert contradictions(ENCODE, TAKEN) == []
    assert contradictions(FREE, ANSWERED) == []
    assert contradictions(SYNC.at(rung="wait"), but(SYNCED, tap_rung=3)) == []


@pytest.mark.parametrize(
    ("cell", "seen", "why"),
    [
        (ENCODE, FLUSHED, "the label says encode, but the tap was at no rung"),
        (SYNC, ANSWERED, "the label says no rung, but the tap was at sync-free"),
        (ENCODE, but(TAKEN, tap_bytes_not_kept=1000), "kept nothing of 1000, want 1070"),
        (ENCODE, but(TAKEN, tap_write_bytes=900, tap_bytes_not_kept=900), "but only 900 reached"),
        (FREE, but(ANSWERED, tap_syncs_at_once=9), "9 were answered at once, want 10"),
        (FREE, but(ANSWERED, tap_bytes_not_kept=1), "kept nothing of 1, want 0"),
    ],
)
def test_a_rung_that_is_not_what_its_label_says_is_refused(cell: Cell, seen: Row, why: str) -> None:
    assert any(why in one for one in contradictions(cell, seen))


def test_the_log_has_a_header_for_each_group_which_the_engine_does_not_count() -> None:
    """So that a hundredth of the writes cannot be missing."""
    groups = but(SYNCED, wal_bytes=10_000, rocksdb_write_self=10)
    assert contradictions(SYNC, but(groups, tap_write_bytes=10_070)) == []
    (found,) = contradictions(SYNC, but(groups, tap_write_bytes=10_069))
    assert "but only 10069 reached the WAL directory" in found


def test_a_profile_that_compresses_the_log_writes_fewer_bytes_than_the_engine_counts() -> None:
    shrunk = but(SYNCED, tap_write_bytes=300)
    assert contradictions(SYNC, but(shrunk, wal_compressed=True)) == []
    assert contradictions(SYNC, shrunk) != []


def test_a_log_that_is_to_be_with_the_data_and_is_elsewhere_is_contradicted() -> None:
    beside = replace(SYNC, device="with-data")
    assert contradictions(beside, but(SYNCED, wal_with_data=True)) == []
    assert contradictions(beside, but(SYNCED, wal_with_data=False)) == [
        "the WAL is to be with the data, but is on another file system"
    ]
    assert contradictions(SYNC, but(SYNCED, wal_with_data=False)) == []


def test_a_program_is_asked_for_a_log_and_its_syncs_where_it_is_to_sync() -> None:
    own = Cell(PROGRAM, "command", "quick", "nvme", "sync", 1)
    assert contradictions(own, {"tap_attached": 2, "tap_syncs": 3}) == []
    (no_log,) = contradictions(own, {"tap_attached": 0})
    assert no_log.startswith("no process of the command wrote or synced its log")
    (no_sync,) = contradictions(own, {"tap_attached": 2})
    assert no_sync == "the command is to sync its log, and did not"
    assert contradictions(replace(own, durability="delayed"), {"tap_attached": 0}) == []


@pytest.mark.parametrize("mode", ["flush", "off"])
def test_a_program_s_weaker_mode_that_syncs_as_often_is_doubted_by_name(mode: str) -> None:
    own = Cell(PROGRAM, "command", "quick", "nvme", "sync", 1)
    weaker = replace(own, durability=mode)

    def run(cell: Cell, syncs: int, work: float) -> Row:
        # `work` is done in two seconds, by a load that ends by the clock.
        columns = {"throughput": work / 2, "measure_s": 2.0, "tap_syncs": syncs, "status": "ok"}
        return {**columns, "durability": cell.durability}

    before = [run(own, 100, 100), {"status": "failed", "durability": "sync"}]
    for cell, syncs, work in ((weaker, 30, 100), (weaker, 100, 1000), (own, 100, 100)):
        assert rules.doubts(Slice(cell, run(cell, syncs, work)), before) == []
    as_often = Slice(weaker, run(weaker, 1000, 1000))
    assert rules.doubts(as_often) == []  # nothing tells yet how often is often
    assert rules.doubts(as_often, before) == [
        f"label not proven: {mode} is to wait for no sync, but its command synced the log 1000 "
        "times, 100% as often as COMMAND for as much work"
    ]
