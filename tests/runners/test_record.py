from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from waltax import devices
from waltax.cell import Cell
from waltax.devices import tap_page
from waltax.devices.tap_page import TapCounters, TapFile
from waltax.evidence import judgement, rules
from waltax.evidence.witnesses import commits
from waltax.runners import campaign, cpu, emulation, record, slice_witnesses
from waltax.runners.cells import machine
from waltax.runners.cells.live import Measured, MeasuredNode, Position


def _slice(requests: int, warmup: int, **operations: tuple[int, int]) -> dict[str, Any]:
    """Operations are how many there were in the measured part, and how many found nothing."""
    figures = {name: {"count": n, "not_found": none} for name, (n, none) in operations.items()}
    return {"requests": requests, "slice_requests": requests + warmup, "operations": figures}


def test_commits_are_those_of_the_whole_slice_as_the_syncs_are() -> None:
    slice_ = _slice(10_000, 2_500, ADD_LINK=(3000, 2000), GET_NODE=(7000, 0))
    assert commits("linkbench", slice_) == 3000 + 750 - 184
    without = _slice(10_000, 0, ADD_LINK=(3000, 2000), GET_NODE=(7000, 0))
    assert commits("linkbench", without) == 3000


def test_commits_that_the_driver_counted_are_not_estimated() -> None:
    slice_ = _slice(10_000, 2_500, DELETE_LINK=(3000, 2000)) | {"commits": 930}
    assert commits("linkbench", slice_) == 930
    assert commits("linkbench", slice_ | {"commits": 0}) == 0


def test_what_found_nothing_to_change_was_no_commit() -> None:
    slice_ = _slice(1000, 0, DELETE_LINK=(500, 200), UPDATE_LINK=(500, 300))
    assert commits("linkbench", slice_) == 300 + 500
    tpcc = _slice(1000, 0, NEW_ORDER=(450, 5), PAYMENT=(430, 0), STOCK_LEVEL=(40, 0))
    assert commits("tpcc", tpcc) == 445 + 430


def test_a_slice_too_short_to_tell_has_at_least_its_measured_commits() -> None:
    assert commits("tpcc", _slice(4, 4, PAYMENT=(4, 0))) == 4
    assert commits("tpcc", _slice(0, 4)) == 0


def test_only_the_logs_that_were_written_to_take_blocks(tmp_path: Path) -> None:
    (tmp_path / "000003.log").write_bytes(bytes(5000))  # the clone's
    (tmp_path / "000007.log").touch()
    log = TapFile(0, "000007.log", 9, 900, 0, 0, 900, 0, 0)
    gone = replace(log, slot=1, name="000006.log")
    seen = TapCounters(1, {}, files=(log, gone))
    measured: Any = SimpleNamespace(nodes=[SimpleNamespace(wal_dir=tmp_path, tap_so_far=seen)])
    assert slice_witnesses._blocks(measured) == 0
    (tmp_path / "000007.log").write_bytes(bytes(5000))
    assert slice_witnesses._blocks(measured) > 0


def test_what_is_not_counted_of_a_whole_run_is_null_and_says_why() -> None:
    def campaign(counts: bool) -> Any:
        return SimpleNamespace(recipe=SimpleNamespace(cpu_counters=counts))

    whole: Any = SimpleNamespace(machine={"steal_s": 0.0})
    row = cpu.uncounted(campaign(True), whole)
    assert row == {
        **dict.fromkeys(("cpu_instructions", "cpu_cycles", "llc_misses")),
        "cpu_counters_missing": "counted only of programs that wait between slices",
    }
    assert cpu.uncounted(campaign(False), whole) == {}
    counted: Any = SimpleNamespace(machine={"cpu_instructions": 7})
    assert cpu.uncounted(campaign(True), counted) == {}


def test_cpu_time_of_threads_that_are_nobody_s_is_warned_of(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As of a library that burns a CPU in the driver."""
    monkeypatch.setattr(emulation, "late", lambda _: [])
    monkeypatch.setattr(machine, "warnings", list)
    campaign: Any = SimpleNamespace(binlogs={})
    cell, placement = SimpleNamespace(id="x"), SimpleNamespace(warnings=[], model=None)
    live: Any = SimpleNamespace(
        cell=cell, placement=placement, ready={"warnings": []}, server=None, driver=None
    )
    used = {"machine_elapsed_s": 1.0, "machine_busy_cpu_s": 1.5, "sched_background_run_s": 0.1}

    def said(run_s: float) -> list[str]:
        seen = {**used, "sched_run_s": run_s}
        measured: Any = SimpleNamespace(slice={"cpu_workers_s": 0.9}, machine=seen, tap=None)
        monkeypatch.setattr(cpu, "foreign_s", lambda _: 0.0)
        return record._warnings(campaign, live, measured)

    assert said(1.0) == []
    (words,) = said(1.5)
    assert words.startswith("threads of the program that are neither its clients nor the engine's")
    assert "used 0.5 s of CPU time" in words


def test_each_node_is_judged_by_its_own_counters_and_tap(tmp_path: Path) -> None:
    """Whatever the others did: of two nodes with syncs enough in all one has too few."""
    page = tap_page.create(tmp_path / "page").snapshot()

    def node(syncs: int) -> MeasuredNode:
        counts = {"writes": 100, "write_bytes": 9000, "syncs": syncs}
        seen = replace(page, attached=1, counts={**page.counts, **counts})
        return MeasuredNode(tmp_path, seen, seen, ())

    counters = {"rocksdb_wal_bytes": 9000, "rocksdb_wal_synced": 100, "rocksdb_write_self": 100}
    event = {"node_engines": [{"counters": counters}] * 2, "nodes": [{"commits": 100}] * 2}
    cell = Cell("myrocks-shards", "ycsb-a", "tiny", "nvme", "sync", 2).at(shards="n2")
    measured = Measured(event, (node(100), node(40)), {})
    whole = {"emulated": True, "tap_emulated": True, "warmup_s": 0.0, "measure_s": 1.0}
    live: Any = SimpleNamespace(cell=cell)
    rows = slice_witnesses.nodes(live, measured, whole)
    told, alone = [{**row, "tap_emulated": True} for row in rows], cell.at(shards="")
    first, second = (rules.contradictions(alone, True, judgement.seen(alone, row)) for row in told)
    assert first == []
    assert second[0] == (
        "the engine counted 100 WAL syncs and the tap 40: something went around the tap"
    )


def test_a_row_says_how_far_the_drive_s_other_states_are(tmp_path: Path) -> None:
    recipe = campaign.Recipe("rocksdb", ("linkbench",), "quick", ("nvme-990pro", "nvme"), "sync")
    plan = campaign.new(recipe, tmp_path / "results", tmp_path / "data")
    rows = [record.identity(plan, cell, Position(0, 0, 0)) for cell in plan.cells]
    slowest = {row["device"]: row.get("device_slowest") for row in rows}
    spread = devices.load("nvme-990pro").spread
    assert spread is not None
    assert slowest == {"off": None, "nvme": None, "nvme-990pro": spread.slowest}
