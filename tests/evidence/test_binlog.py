"""What must be true of a server's second log."""

from __future__ import annotations

from typing import Any

import pytest
from test_evidence import MYROCKS, SERVED, contradictions

BINLOG = {
    "binlog_device": "nvram",
    "binlog_bytes": 90_000,
    "binlog_writes": 1000,
    "binlog_syncs": 1000,
    "binlog_bypasses": 0,
    "binlog_tap_emulated": True,
    "binlog_emulated": True,
    "binlog_bytes_written": 90_000,
    "binlog_group_commits": 1000,
}
# A commit is written twice, and synced when it is prepared.
GROUPS = SERVED | {"rocksdb_write_self": 2000}
TWICE = GROUPS | BINLOG


@pytest.mark.parametrize(
    ("rung", "at_once", "wanted"),
    [("", 7, 0), ("binlog-sync-free", 0, 1000), ("wal-sync-free", 1000, 0)],
)
def test_syncs_of_the_binlog_are_answered_at_once_on_its_own_rungs_alone(
    rung: str, at_once: int, wanted: int
) -> None:
    cell = MYROCKS.at(rung=rung)
    free: dict[str, Any] = {"tap_rung": 2, "tap_syncs_at_once": TWICE["tap_syncs"]}
    free = free if cell.tap_rung else {}
    seen = TWICE | {"binlog_syncs_at_once": at_once} | free
    (found,) = contradictions(cell, seen)
    assert found == f"of 1000 syncs of the binlog {at_once} were answered at once, want {wanted}"
    right = seen | {"binlog_syncs_at_once": wanted}
    assert contradictions(cell, right) == []


def test_two_write_groups_a_commit_are_honest_with_a_binlog_and_only_then() -> None:
    assert contradictions(MYROCKS, TWICE) == []
    alone = contradictions(MYROCKS, GROUPS)
    assert alone == ["durability sync, but 2000 commit groups had only 1000 syncs"]


@pytest.mark.parametrize(
    ("every", "syncs", "is_true"),
    [(1, 900, False), (100, 8, True), (100, 3, False), (0, 0, True)],
)
def test_a_binlog_that_is_synced_after_so_many_groups_has_so_few_syncs(
    every: int, syncs: int, is_true: bool
) -> None:
    row = {"binlog_sync_every": every, "binlog_syncs": syncs}
    assert (contradictions(MYROCKS, TWICE | row) == []) == is_true


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        (
            {"binlog_syncs": 300, "binlog_group_commits": None},
            "1500 commits of 4 clients had only 300 syncs of the",
        ),
        (
            {"binlog_bytes": 0, "binlog_bytes_written": 0},
            "1500 commits, but no byte of them went to the binlog",
        ),
        (
            {"binlog_bytes": 80_000},
            "the server counted 90000 bytes of its binlog, and the tap 80000 bytes",
        ),
        (
            {"binlog_syncs": 900},
            "the server counted 1000 groups of its binlog, and the tap 900 syncs",
        ),
        ({"binlog_bypasses": 1}, "1 binlog accesses went around the tap"),
        ({"binlog_attached": 0}, "the tap is at the binlog of 0 processes, want the server's"),
        ({"binlog_tap_emulated": False}, "the binlog's device is to be emulated, and is not"),
    ],
)
def test_a_binlog_that_was_not_synced_or_not_seen_is_contradicted(
    changed: dict[str, Any], why: str
) -> None:
    (found,) = contradictions(MYROCKS, TWICE | changed)
    assert why in found
