"""What a row of shards says of its nodes is judged when it is read again."""

from __future__ import annotations

from typing import Any

import pytest
from waltax.cell import Cell
from waltax.evidence import axes, judgement
from waltax.evidence.slice import Slice

_CELL = Cell("myrocks-shards", "ycsb-a", "shards", "nvme", "sync", 4).at(shards="n2")


def contradictions(cell: Cell, row: dict[str, Any]) -> list[str]:
    return list(axes.nodes(Slice(cell, row)))


def _node(number: int) -> dict[str, Any]:
    told = {"wal_bytes": 1000, "wal_syncs": 10, "tap_syncs": 10, "tap_write_bytes": 1200}
    return {"node": number, "commits": 12, "wal_dir": f"/mnt/{number}", **told}


def _row(**changes: Any) -> dict[str, Any]:
    total = {"wal_bytes": 2000, "wal_syncs": 20, "tap_syncs": 20, "tap_write_bytes": 2400}
    return {"nodes": [_node(0), _node(1)], **total, **changes}


def test_nodes_that_add_up_are_accepted() -> None:
    assert contradictions(_CELL, _row()) == []


@pytest.mark.parametrize("name", ["wal_bytes", "wal_syncs", "tap_syncs", "tap_write_bytes"])
def test_a_sum_that_is_not_its_nodes_is_named(name: str) -> None:
    (against,) = contradictions(_CELL, _row(**{name: 7}))
    assert against.startswith(f"{name} is 7, but its nodes' are")


def test_a_node_that_committed_and_logged_nothing_is_named() -> None:
    silent = _node(1) | {"wal_bytes": 0}
    (against,) = contradictions(_CELL, _row(nodes=[_node(0), silent], wal_bytes=1000))
    assert against == "node 1 has 12 commits, and no byte in its log"


def test_a_node_that_is_missing_or_shares_another_s_directory_is_found() -> None:
    assert "tells of 1 nodes" in contradictions(_CELL, _row(nodes=[_node(0)]))[0]
    assert "tells of no nodes" in contradictions(_CELL, _row(nodes=None))[0]
    twice = [_node(0), _node(1) | {"wal_dir": "/mnt/0"}]
    assert contradictions(_CELL, _row(nodes=twice)) == [
        "two nodes have their logs in one directory"
    ]


def test_a_cut_that_nobody_knows_is_said() -> None:
    row = {**_CELL.columns, "status": "ok", "throughput_unit": "ops/s", "throughput": 1.0}
    assert judgement.untrue(row) == []
    (said,) = judgement.untrue(row | {"shards": "n2-sideways"})
    assert said.startswith("shards: found 'n2-sideways'")


def test_one_store_has_no_nodes_to_judge() -> None:
    whole = Cell("myrocks", "ycsb-a", "ci", "nvme", "sync", 4)
    assert contradictions(whole, {}) == []
