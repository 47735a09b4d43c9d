"""The records of kv's shapes."""

from __future__ import annotations

import pytest
from waltax import profiles, workloads
from waltax.cell import Cell, plan
from waltax.errors import UsageError
from waltax.kv.workload import WORKLOADS


def test_three_shapes_share_a_program_and_a_data_set() -> None:
    names = ("kv-fillseq", "kv-fillrandom", "kv-overwrite")
    assert workloads.named("kv") == names
    assert {one.driver_program for one in WORKLOADS} == {"kv"}
    assert {one.writes for one in WORKLOADS} == {("WRITE",)}
    assert not set(names) & set(workloads.DEFAULT)


def test_a_server_does_not_take_it() -> None:
    baseline = Cell("myrocks", "kv-fillseq", "quick", "off", "off", 4)
    with pytest.raises(UsageError, match="it is a workload of RocksDB's own write path"):
        plan(baseline, ["nvme"], "sync")


def test_at_a_share_there_are_fewer_keys() -> None:
    section = profiles.load("quick").sections["kv"]
    shrink = WORKLOADS[0].scale.shrink
    assert shrink is not None
    assert shrink(section.load, section.run, 0.1, 4)[0] == {"num": 50_000}
    assert shrink(section.load, section.run, 0.0001, 4)[0] == {"num": 1_000}
