"""Evidence of a server that its owner runs is what that server says."""

from __future__ import annotations

from typing import Any

import pytest
from waltax.cell import Cell
from waltax.evidence import rules
from waltax.evidence.slice import Slice


def _cell(durability: str, workload: str = "ycsb-a") -> Cell:
    device = "off" if durability == "off" else "owner"
    return Cell("endpoint", workload, "tiny", device, durability, 2)


def _told(mode: str | None, grown: int | None, rewrites: int, changes: int) -> dict[str, Any]:
    """The columns that have what a server said."""
    return {
        "log_mode": mode,
        "wal_bytes": grown,
        "log_rewrites": rewrites,
        "log_changes": changes,
    }


def contradictions(cell: Cell, commits: int, told: dict[str, Any]) -> list[str]:
    return rules.contradictions(Slice(cell, {**told, "commits": commits}))


def doubts(told: dict[str, Any]) -> list[str]:
    return rules.doubts(Slice(_cell("sync"), told))


GOOD = _told("sync", 10_000, 0, 0)


def test_what_agrees_is_accepted() -> None:
    assert contradictions(_cell("sync"), 100, GOOD) == []
    assert contradictions(_cell("off"), 100, _told("off", 0, 0, 0)) == []
    assert contradictions(_cell("sync", "ycsb-c"), 0, _told("sync", 0, 0, 0)) == []
    assert doubts(GOOD) == []


@pytest.mark.parametrize(
    ("durability", "told", "said"),
    [
        ("sync", _told("off", 10_000, 0, 0), "labelled sync, but its server's settings mean off"),
        ("sync", _told("sync", 0, 0, 0), "its log grew by 0 bytes for 100 commits"),
        ("sync", _told("sync", 10_000, 0, 1), "its settings were changed"),
        ("off", _told("off", 1, 0, 0), "labelled off, but its log grew by 1 bytes"),
        ("off", _told(None, 1, 0, 0), "labelled off, but its log grew by 1 bytes"),
    ],
)
def test_what_a_server_contradicts_is_not(durability: str, told: dict[str, Any], said: str) -> None:
    (found,) = contradictions(_cell(durability), 100, told)
    assert said in found


def test_a_workload_that_only_reads_grows_no_log() -> None:
    assert contradictions(_cell("sync", "ycsb-c"), 0, GOOD) == [
        "the workload only reads, but its log grew by 10000 bytes"
    ]


def test_a_rewrite_makes_growth_say_nothing_and_a_row_doubtful() -> None:
    rewritten = _told("sync", 0, 1, 0)
    assert contradictions(_cell("sync"), 100, rewritten) == []
    assert "was rewritten" in doubts(rewritten)[0]


def test_what_a_server_does_not_say_is_its_owners_word() -> None:
    silent, set_only = _told(None, None, 0, 0), _told("sync", None, 0, 0)
    assert contradictions(_cell("sync"), 100, silent) == []
    assert "rests on its settings" in doubts(set_only)[0]
    assert "its owner's word" in doubts(silent)[0]
