"""The benchmark of the simulation, on rows whose truth it simulates itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from waltax.bench import model
from waltax.errors import WaltaxError

GOLDEN = Path(__file__).parent.parent / "golden"


def _groups(kind: str) -> list[model.Group]:
    text = (GOLDEN / kind / "rows.jsonl").read_text()
    return list(model.groups([json.loads(line) for line in text.splitlines()]))


def test_each_number_of_clients_is_tested_on_devices_that_did_not_feed_it() -> None:
    few, many = _groups("threads")
    assert [few.clients, many.clients] == [1, 2]
    assert [one.device for one in few.cells] == ["nvram", "nvme", "ssd"]
    assert len(model.devices(few).pairs) == 1  # nvme


def test_numbers_of_clients_are_held_out_whole() -> None:
    few, many = _groups("threads")
    found = model.by_clients(few, many)
    assert len(found.pairs) == 3
    assert found.title == "linkbench on rocksdb, 1 clients: fed by 2"


def test_errors_of_both_are_printed_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    model.report(_groups("latency"))
    head, line = capsys.readouterr().out.splitlines()
    assert head.split()[-2:] == ["simulation", "formula"]
    assert line.startswith("linkbench on rocksdb, 2 clients: devices")
    assert line.split()[6] == "12"  # of fourteen devices


def test_rows_without_three_devices_are_refused() -> None:
    with pytest.raises(WaltaxError, match="three devices"):
        model.report(_groups("innodb"))
