"""What must be true of a run of a user's command, of which no commits are known."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from waltax.cell import Cell
from waltax.evidence import rules
from waltax.evidence.witnesses import Observed

_NOTHING = Observed(
    engine_wal_bytes=0,
    engine_wal_syncs=0,
    engine_commit_groups=0,
    commits=None,
    seconds=10.0,
    tap_wal_bytes=0,
    tap_writes=0,
    tap_syncs=0,
    tap_wal_files=0,
    tap_attached=1,
    tap_emulated=True,
    tap_bypasses=0,
    stray_wal_files=(),
)


def _found(engine: str, mode: str, **seen: Any) -> list[str]:
    """The contradictions of a run of 10 s with so many `syncs`, `groups` and so on."""
    cell = Cell(engine, "command", "quick", "nvme", mode, 1)
    return rules.contradictions(cell, True, _seen(engine, **seen))


def _seen(
    engine: str,
    *,
    syncs: int = 0,
    counted: int | None = None,
    groups: int = 0,
    opens: int = 0,
    writes: int = 0,
    **more: Any,
) -> Observed:
    counters: dict[str, int | None] = {"engine_wal_syncs": None, "engine_commit_groups": None}
    if engine == "myrocks":
        counted = syncs if counted is None else counted
        counters = {"engine_wal_syncs": counted, "engine_commit_groups": groups}
    tap = {"tap_syncs": syncs, "tap_wal_files": opens, "tap_writes": writes}
    told: dict[str, Any] = {**counters, **tap, **more}
    return replace(_NOTHING, **told)


@pytest.mark.parametrize("engine", ["myrocks", "innodb"])
@pytest.mark.parametrize("mode", ["sync", "flush", "delayed"])
def test_a_command_that_writes_nothing_contradicts_nothing(engine: str, mode: str) -> None:
    assert _found(engine, mode) == []


@pytest.mark.parametrize("engine", ["myrocks", "innodb"])
@pytest.mark.parametrize("mode", ["flush", "delayed"])
def test_where_commits_do_not_wait_there_is_a_sync_a_second(engine: str, mode: str) -> None:
    assert _found(engine, mode, syncs=13) == []
    assert "more than 13 that commits need not wait for" in _found(engine, mode, syncs=14)[0]


def test_definitions_and_data_pages_have_syncs_of_their_own() -> None:
    assert _found("myrocks", "flush", syncs=53, definitions=4) == []
    assert _found("innodb", "flush", syncs=53, pages=40) == []
    assert _found("myrocks", "flush", syncs=53, pages=40) != []


def test_the_engine_s_count_is_bounded_too() -> None:
    found = _found("myrocks", "flush", syncs=0, counted=500)
    assert "the engine counted 500 WAL syncs" in found[0]


def test_engine_and_tap_agree_within_a_hundredth() -> None:
    assert _found("myrocks", "sync", syncs=1000, counted=1010, groups=1000) == []
    assert _found("myrocks", "sync", syncs=1000, counted=990, groups=1000) == []
    for counted in (1011, 989):
        (found,) = _found("myrocks", "sync", syncs=1000, counted=counted, groups=1000)
        assert "something went around the tap" in found


def test_what_the_engine_wrote_reached_the_directory_but_for_a_delayed_second() -> None:
    for mode in ("sync", "flush", "off"):
        found = _found("myrocks", mode, engine_wal_bytes=100, tap_wal_bytes=99)
        assert "the engine wrote 100 WAL bytes, but only 99 reached the WAL directory" in found
    assert _found("myrocks", "delayed", engine_wal_bytes=100, tap_wal_bytes=99) == []


def test_a_new_log_file_may_have_syncs_that_are_no_calls() -> None:
    assert _found("myrocks", "sync", syncs=100, counted=110, opens=1) == []
    assert _found("myrocks", "sync", syncs=100, counted=110, opens=0) != []


def test_a_sync_of_the_tap_alone_is_none_of_a_new_log_file() -> None:
    assert _found("myrocks", "sync", syncs=100, counted=92, groups=100, opens=6) != []


def test_the_syncs_of_an_idle_server_are_no_evidence_of_commits_that_waited() -> None:
    (found,) = _found("myrocks", "sync", syncs=10, groups=500)
    assert "durability sync, but 500 commit groups had only 10 syncs" in found
    assert _found("myrocks", "sync", syncs=10, groups=11) == []
    (found,) = _found("innodb", "sync", syncs=10, writes=5000)
    assert "durability sync, but 5000 writes had only 10 syncs" in found
    assert _found("innodb", "sync", syncs=10, writes=10) == []


def test_a_log_that_stays_empty_is_warned_of_unless_it_is_off() -> None:
    cell = Cell("myrocks", "command", "quick", "nvme", "sync", 1)
    assert "wrote nothing to the log" in rules.doubts(cell, _seen("myrocks"))[0]
    assert rules.doubts(cell, _seen("myrocks", tap_wal_bytes=36)) == []
    assert rules.doubts(replace(cell, durability="off"), _seen("myrocks")) == []


def test_nothing_is_doubted_of_a_workload_whose_commits_are_known() -> None:
    cell = Cell("myrocks", "linkbench", "quick", "nvme", "sync", 1)
    assert rules.doubts(cell, _seen("myrocks", commits=0)) == []
