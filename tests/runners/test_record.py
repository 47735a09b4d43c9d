from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from waltax import devices
from waltax.cell import Cell
from waltax.devices import tap_page
from waltax.evidence import rules
from waltax.evidence.slice import Slice
from waltax.runners import campaign, record
from waltax.runners.cells.live import Measured, MeasuredNode, Position


def test_each_node_is_judged_by_its_own_counters_and_tap(tmp_path: Path) -> None:
    """Whatever the others did: of two nodes with syncs enough in all one has too few."""
    page = tap_page.create(tmp_path / "page").snapshot()

    def node(syncs: int) -> MeasuredNode:
        counts = {"attached": 1, "writes": 100, "write_bytes": 9000, "syncs": syncs}
        seen = replace(page, counts={**page.counts, **counts})
        return MeasuredNode(tmp_path, seen, seen, ())

    counters = {"rocksdb_wal_bytes": 9000, "rocksdb_wal_synced": 100, "rocksdb_write_self": 100}
    event = {"node_engines": [{"counters": counters}] * 2, "nodes": [{"commits": 100}] * 2}
    cell = Cell("myrocks-shards", "ycsb-a", "tiny", "nvme", "sync", 2).at(shards="n2")
    measured = Measured(event, (node(100), node(40)), {})
    whole = {"emulated": True, "tap_emulated": True, "warmup_s": 0.0, "measure_s": 1.0}
    live: Any = SimpleNamespace(cell=cell)
    rows = record.stores(live, measured, whole)
    told, alone = [{**row, "tap_emulated": True} for row in rows], cell.at(shards="")
    first, second = (rules.contradictions(Slice(alone, row)) for row in told)
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
