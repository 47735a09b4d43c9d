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
    assert workloads.called((*names, "kv-2pc")) == ("kv", "kv-2pc")
    assert {one.writes for one in WORKLOADS} == {("WRITE",)}
    assert not set(names) & set(workloads.DEFAULT)


def test_transactions_are_measured_when_they_are_named_each() -> None:
    alone = {one.name: one for one in WORKLOADS if one.name not in workloads.named("kv")}
    assert set(alone) == {"kv-pessimistic", "kv-2pc", "kv-optimistic"}
    assert set(alone) <= set(workloads.WORDS)
    assert workloads.named("kv-2pc") == ("kv-2pc",)
    assert {one.run["shape"] for one in alone.values()} == {"fillrandom"}
    assert {name for name, one in alone.items() if one.records_a_commit == 2} == {"kv-2pc"}


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
