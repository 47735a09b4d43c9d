"""What must be true of a run of the command."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from waltax.cell import Cell
from waltax.devices.resolve import Placement
from waltax.devices.tap_page import TapCounters
from waltax.runners.serve import proof
from waltax.runners.serve.counters import Counters
from waltax.runners.serve.rows import Seen
from waltax.runners.serve.shell import Finished
from waltax.runners.served import Placed

_LOG = Path("/dev/shm/log")
_PLACED = Placed(cast(Any, None), cast(Any, None), Path("/data"), _LOG)


def _found(engine: str, mode: str, **more: Any) -> list[str]:
    """The contradictions of a run of 10 s with so many `syncs`, `groups` and so on."""
    seen = _seen(engine, **more)
    cell = Cell(engine, "command", "quick", "nvme", mode, 1)
    placement = cast(Placement, _Placement())
    return proof.contradictions(cell, placement, _PLACED, seen)


class _Placement:
    emulated = True
    wal_root = _LOG.parent


def _seen(
    engine: str,
    *,
    syncs: int = 0,
    counted: int | None = None,
    groups: int = 0,
    definitions: int = 0,
    pages: int = 0,
    **tap: Any,
) -> Seen:
    log = {"innodb_os_log_written": 0}
    if engine == "myrocks":
        counted = syncs if counted is None else counted
        log = {"rocksdb_wal_bytes": 0, "rocksdb_wal_synced": counted, "rocksdb_write_self": groups}
    seen = TapCounters(attached=1, counts=Counter(emulated=1, syncs=syncs, **tap))
    return Seen(
        number=1.0,
        command=Finished("", 0.0, 10.0, 0.0, 0.0),
        counted=Counters(log, definitions, pages),
        tap=seen,
        tap_so_far=seen,
        machine={},
        server_cpu_s=(0.0, 0.0),
        stray_log_files=(),
    )


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


def test_a_new_log_file_may_have_syncs_that_are_no_calls() -> None:
    assert _found("myrocks", "sync", syncs=100, counted=110, opens=1) == []
    assert _found("myrocks", "sync", syncs=100, counted=110, opens=0) != []


def test_the_syncs_of_an_idle_server_are_no_evidence_of_commits_that_waited() -> None:
    (found,) = _found("myrocks", "sync", syncs=10, groups=500)
    assert "durability sync, but 500 commit groups had only 10 syncs" in found
    assert _found("myrocks", "sync", syncs=10, groups=11) == []
    (found,) = _found("innodb", "sync", syncs=10, writes=5000)
    assert "durability sync, but 5000 writes had only 10 syncs" in found
    assert _found("innodb", "sync", syncs=10, writes=10) == []


def test_a_log_that_stays_empty_is_warned_of_unless_it_is_off() -> None:
    cell = Cell("myrocks", "command", "quick", "nvme", "sync", 1)
    assert "wrote nothing to the log" in proof.warnings(cell, _seen("myrocks"))[0]
    assert proof.warnings(cell, _seen("myrocks", write_bytes=36)) == []
    assert proof.warnings(replace(cell, durability="off"), _seen("myrocks")) == []
