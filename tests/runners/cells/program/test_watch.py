"""Which of the files that a run synced are its log."""

from __future__ import annotations

import pytest
from waltax.devices.tap_page import TapCounters, TapFile
from waltax.runners.cells.program.watch import Watched


def _seen(*names: str) -> Watched:
    kinds = tuple(TapFile(name, 10, 1000, 10, 100_000_000) for name in names)
    counts = dict.fromkeys(("dir_syncs", "dir_sync_ns", "bypasses"), 0)
    return Watched(1.0, TapCounters(counts, files=kinds))


@pytest.mark.parametrize(
    ("names", "logs", "others"),
    [
        (("t.db-journal", "t.db"), ("t.db-journal",), ("t.db",)),
        (("member/wal/*.wal", "member/snap/db"), ("member/wal/",), ("member/snap/",)),
        (("ib_logfile0", "ibdata1"), ("ib_logfile0",), ("ibdata1",)),
        (("000012.log", "MANIFEST-000011"), ("*.log",), ("MANIFEST-*",)),
        (("appendonlydir/a.1.incr.aof",), ("appendonlydir/",), ()),
        (("db/data.mdb",), ("db/",), ()),
        (("catalog.db", "wallet.dat"), ("catalog.db", "wallet.dat"), ()),
    ],
)
def test_what_is_called_a_log_is_one_and_all_are_where_nothing_is(
    names: tuple[str, ...], logs: tuple[str, ...], others: tuple[str, ...]
) -> None:
    assert _seen(*names).logs_and_others() == (logs, others)


def test_what_else_was_synced_is_offered_beside_the_log() -> None:
    said = "\n".join(_seen("t.db-journal", "t.db").lines("waltax try {log} -- sqlite3 t.db"))
    assert "a log: t.db-journal. Also synced: t.db; add --log 't.db' if" in said
    assert said.endswith("waltax try --log 't.db-journal' -- sqlite3 t.db")
