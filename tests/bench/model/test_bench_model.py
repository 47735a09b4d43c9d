"""The benchmark of the simulation, on recorded rows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from waltax.analysis.sweep import tested
from waltax.errors import UsageError, WaltaxError

from bench.model import cells as model_cells
from bench.model import model

GOLDEN = Path(__file__).parents[2] / "golden"


def _groups(kind: str) -> list[model.Group]:
    text = (GOLDEN / kind / "rows.jsonl").read_text()
    return list(model.groups([json.loads(line) for line in text.splitlines()]))


def test_each_number_of_clients_is_tested_on_devices_that_did_not_feed_it() -> None:
    few, many = _groups("threads")
    assert [few.clients, many.clients] == [1, 2]
    assert [one.device for one in few.cells] == ["nvram", "nvme", "ssd"]
    (held,) = model.devices(few)
    assert (held.device, held.clients, held.held_out) == ("nvme", 1, tested.DEVICES)


def test_numbers_of_clients_are_held_out_whole() -> None:
    few, many = _groups("threads")
    found = model.by_clients(few, many)
    assert [one.device for one in found] == ["nvram", "nvme", "ssd"]
    assert {(one.clients, one.held_out) for one in found} == {(1, tested.CLIENTS)}


def test_each_cell_has_its_error_beside_the_width_of_its_measurement(
    capsys: pytest.CaptureFixture[str],
) -> None:
    cells = model.report(_groups("latency"))
    head, *lines = capsys.readouterr().out.splitlines()
    assert head.split() == [
        *("held", "out", "set", "cell", "measured", "interval", "simulated", "error", "+-"),
        "formula",
    ]
    assert len(cells) == 12  # of fourteen devices
    nvme = next(line for line in lines if " nvme " in line)
    assert nvme.startswith("devices   rocksdb/linkbench/2")
    held = next(one for one in cells if one.device == "nvme")
    assert held.low is not None
    assert held.high is not None
    assert ("=" in nvme) == held.within == (held.low <= held.expected <= held.high)
    assert held.error == pytest.approx((1 - held.expected) / (1 - held.measured) - 1, abs=1e-3)


def test_the_errors_are_kept_with_where_they_come_from(tmp_path: Path) -> None:
    cells = [held for one in _groups("threads") for held in model.devices(one)]
    origin = tested.Origin("abc", "def", "2026-01-01", "2 CPUs, a machine")
    tested.write(origin, cells, tmp_path / "tested.json")
    assert tested.read(tmp_path / "tested.json") == tested.Found(origin, tuple(cells))
    known = tested.known("rocksdb", "linkbench", tested.DEVICES, tmp_path / "tested.json")
    assert known is not None
    assert (known.cells, known.clients) == (2, (1, 2))
    assert known.most == max(abs(one.error) for one in cells)
    assert "on 2 cells with 1 to 2 clients" in known.sentence
    assert "2 CPUs, a machine, 2026-01-01, at abc" in known.sentence
    assert tested.known("myrocks", "linkbench", tested.DEVICES, tmp_path / "tested.json") is None


def test_a_set_is_named_as_it_is_printed() -> None:
    assert [model_cells.read(str(one)) for one in model_cells.SETS] == list(model_cells.SETS)
    with pytest.raises(UsageError, match="--set: found 'rocksdb/tpcc'"):
        model_cells.read("rocksdb/tpcc")


def test_rows_without_three_devices_are_refused() -> None:
    with pytest.raises(WaltaxError, match="three devices"):
        model.report(_groups("innodb"))
