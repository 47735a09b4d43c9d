from __future__ import annotations

import pytest
from waltax.base.errors import UsageError
from waltax.cell import Cell
from waltax.runners.recipe.comparison import ladder, plan


def _off(engine: str, workload: str, build: str = "") -> Cell:
    return Cell(engine, workload, "quick", "off", "off", 4).at(build=build)


def test_a_plan_has_the_baseline_first_and_each_device_once() -> None:
    cells = plan(_off("rocksdb", "linkbench"), ["ssd", "nvme"], "sync")
    assert [(c.device, c.durability) for c in cells] == [
        ("off", "off"),
        ("ssd", "sync"),
        ("nvme", "sync"),
    ]
    assert [c.is_baseline for c in cells] == [True, False, False]


def test_naming_off_adds_no_second_baseline() -> None:
    cells = plan(_off("rocksdb", "linkbench"), ["off", "nvme"], "sync")
    assert [c.device for c in cells] == ["off", "nvme"]


def test_a_device_named_twice_is_an_a_a_comparison() -> None:
    cells = plan(_off("rocksdb", "linkbench"), ["off", "off", "nvme", "nvme"], "sync")
    assert [(c.device, c.replica) for c in cells] == [
        ("off", ""),
        ("off", "r2"),
        ("nvme", ""),
        ("nvme", "r2"),
    ]
    assert [c.is_baseline for c in cells] == [True, False, False, False]
    assert len({c.id for c in cells}) == 4


def test_wal_off_on_a_device_writes_no_wal_there() -> None:
    cells = plan(_off("rocksdb", "linkbench"), ["nvme"], "off")
    assert cells[1].device == "nvme"
    assert cells[1].durability == "off"


def test_myrocks_has_the_baseline_off_and_may_delay_its_log() -> None:
    cells = plan(_off("myrocks", "tpcc"), ["nvme"], "delayed")
    assert [(c.device, c.durability) for c in cells] == [("off", "off"), ("nvme", "delayed")]
    assert [c.is_baseline for c in cells] == [True, False]
    assert {c.baseline_id for c in cells} == {cells[0].id}


def test_innodb_has_no_off_so_that_each_device_has_its_own_baseline() -> None:
    cells = plan(_off("innodb", "tpcc"), ["ssd", "nvme"], None)
    assert [(c.device, c.durability, c.is_baseline) for c in cells] == [
        ("ssd", "delayed", True),
        ("ssd", "sync", False),
        ("ssd", "flush", False),
        ("nvme", "delayed", True),
        ("nvme", "sync", False),
        ("nvme", "flush", False),
    ]
    assert [c.baseline_id for c in cells] == 3 * [cells[0].id] + 3 * [cells[3].id]


@pytest.mark.parametrize(
    ("durability", "modes"), [("flush", ["delayed", "flush"]), ("delayed", ["delayed"])]
)
def test_one_mode_of_innodb_is_measured_beside_the_baseline(
    durability: str, modes: list[str]
) -> None:
    cells = plan(_off("innodb", "linkbench"), ["nvme"], durability)
    assert [c.durability for c in cells] == modes


def test_a_device_of_innodb_named_twice_is_compared_with_one_baseline() -> None:
    cells = plan(_off("innodb", "linkbench"), ["nvme", "nvme"], "sync")
    assert [(c.durability, c.replica) for c in cells] == [
        ("delayed", ""),
        ("sync", ""),
        ("delayed", "r2"),
        ("sync", "r2"),
    ]
    assert {c.baseline_id for c in cells} == {cells[0].id}
    assert [c.is_baseline for c in cells] == [True, False, False, False]


@pytest.mark.parametrize(
    ("engine", "devices", "durability", "message"),
    [
        ("innodb", ["nvme"], "off", r"--wal: found off .*always writes its log.*--wal delayed"),
        ("rocksdb", ["nvme"], "delayed", r"--wal: found delayed .*flush comes nearest.*--wal sync"),
        ("innodb", ["nvme", "off"], None, r"--device: found off .*innodb.*leave it out"),
    ],
)
def test_what_an_engine_cannot_do_is_refused_with_what_to_type(
    engine: str, devices: list[str], durability: str | None, message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        plan(_off(engine, "linkbench"), devices, durability)


def test_a_build_has_a_baseline_of_its_own_and_a_knob_has_not() -> None:
    cells = plan(_off("rocksdb", "kv-fillrandom", "old"), ["nvme"], None, ["pipelined-write"])
    assert [(c.device, c.build, c.knob) for c in cells] == [
        ("off", "old", ""),
        ("nvme", "old", ""),
        ("nvme", "old", "pipelined-write"),
    ]
    assert {c.baseline_id for c in cells} == {cells[0].id}
    assert len({c.id for c in cells}) == 3
    other = plan(_off("rocksdb", "kv-fillrandom", "new"), ["nvme"], None)
    assert other[1].baseline_id != cells[0].id


def test_a_knob_with_a_mode_of_its_own_is_measured_in_it_and_once() -> None:
    knobs = ["sync-binlog-10", "log-every-2s"]
    cells = plan(_off("innodb", "linkbench"), ["nvme"], None, knobs)
    assert [(c.durability, c.knob) for c in cells] == [
        ("delayed", ""),
        *(("sync", knob) for knob in ("", "sync-binlog-10")),
        ("flush", "log-every-2s"),
        *(("flush", knob) for knob in ("", "sync-binlog-10")),
    ]


def test_a_ladder_differs_in_one_step_from_rung_to_rung() -> None:
    cells = ladder(Cell("rocksdb", "linkbench", "quick", "off", "off", 4), {"nvme": True})
    assert [(one.device, one.durability, one.rung) for one in cells] == [
        ("off", "off", ""),
        ("off", "flush", "encode"),
        ("nvme", "flush", ""),
        ("nvme", "sync", "sync-free"),
        ("nvme", "sync", "wait"),
        ("nvme", "sync", ""),
    ]
    assert len({one.id for one in cells}) == len(cells)
    assert {one.baseline_id for one in cells} == {cells[0].id}
    assert len({one.group for one in cells}) == 1


def test_a_ladder_on_a_server_has_its_modes_as_rungs_and_a_real_device_no_wait() -> None:
    devices = {"nvme": True, "box": False}
    cells = ladder(Cell("myrocks", "linkbench", "myrocks-ci", "off", "off", 10), devices)
    assert [(one.device, one.durability, one.rung) for one in cells] == [
        ("off", "off", ""),
        ("off", "delayed", "encode"),
        ("nvme", "delayed", ""),
        ("nvme", "flush", ""),
        ("nvme", "sync", "sync-free"),
        ("nvme", "sync", "wait"),
        ("nvme", "sync", ""),
        ("box", "delayed", ""),
        ("box", "flush", ""),
        ("box", "sync", "sync-free"),
        ("box", "sync", ""),
    ]
