from __future__ import annotations

import re

from waltax.cell import Cell, plan


def test_a_plan_has_the_baseline_first_and_each_device_once() -> None:
    cells = plan("rocksdb", "linkbench", "quick", ["ssd", "nvme"], "sync", 4)
    assert [(c.device, c.durability) for c in cells] == [
        ("off", "off"),
        ("ssd", "sync"),
        ("nvme", "sync"),
    ]
    assert [c.is_baseline for c in cells] == [True, False, False]


def test_naming_off_adds_no_second_baseline() -> None:
    cells = plan("rocksdb", "linkbench", "quick", ["off", "nvme"], "sync", 4)
    assert [c.device for c in cells] == ["off", "nvme"]


def test_a_device_named_twice_is_an_a_a_comparison() -> None:
    cells = plan("rocksdb", "linkbench", "quick", ["off", "off", "nvme", "nvme"], "sync", 4)
    assert [(c.device, c.replica) for c in cells] == [
        ("off", ""),
        ("off", "r2"),
        ("nvme", ""),
        ("nvme", "r2"),
    ]
    assert [c.is_baseline for c in cells] == [True, False, False, False]
    assert len({c.id for c in cells}) == 4


def test_wal_off_on_a_device_writes_no_wal_there() -> None:
    cells = plan("rocksdb", "linkbench", "quick", ["nvme"], "off", 4)
    assert cells[1].device == "nvme"
    assert cells[1].durability == "off"


def test_an_id_is_safe_as_a_file_name() -> None:
    cell = Cell("rocksdb", "linkbench", "quick", "nvme", "sync", 4, "r2")
    assert cell.id == "rocksdb-linkbench-quick-nvme-sync-t4-r2"
    assert re.fullmatch(r"[a-z0-9-]+", cell.id)
