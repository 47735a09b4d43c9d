"""The axes on which cells differ: what a cell's values do to its id, its row and its baseline."""

from __future__ import annotations

import pytest
from waltax.axes import AXES, PAIRED, Values
from waltax.cell import Cell
from waltax.row import COLUMNS

CELL = Cell("rocksdb", "linkbench", "quick", "nvme", "sync", 4)


def test_an_axis_without_a_value_has_the_empty_text_and_counts_for_nothing() -> None:
    values = Values({"knob": "fsync", "build": ""})
    assert (values["knob"], values["build"], len(values)) == ("fsync", "", 1)
    assert ("knob" in values, "build" in values) == (True, False)
    assert values == Values({"knob": "fsync"})
    assert hash(values) == hash(Values({"knob": "fsync"}))


def test_a_name_that_is_no_axis_is_refused() -> None:
    with pytest.raises(AssertionError, match="colour"):
        Values({"colour": "red"})


def test_values_stand_in_an_id_in_the_order_of_the_table_whatever_gave_them_first() -> None:
    cell = CELL.at(build="new").at(set="a=1", load="50")
    assert cell.id == "rocksdb-linkbench-quick-nvme-sync-t4-a=1-load50@new"
    assert cell == CELL.at(set="a=1", load="50", build="new")
    assert cell.at(set="", load="", build="") == CELL


@pytest.mark.parametrize("name", AXES)
def test_a_row_says_the_value_of_every_axis_and_gives_the_cell_back(name: str) -> None:
    cell = CELL.at(**{name: "x"})
    assert cell.columns[name] == "x"
    assert cell.columns.keys() <= COLUMNS.keys()
    assert Cell.of_row(cell.columns) == cell


@pytest.mark.parametrize("name", AXES)
def test_a_baseline_keeps_the_values_of_axes_that_have_baselines_of_their_own(name: str) -> None:
    cell = CELL.at(**{name: "n2" if name == "shards" else "x"})
    kept = cell.baseline.axes[name]
    assert bool(kept) == AXES[name].has_baselines
    assert (cell.group == CELL.group) != AXES[name].has_baselines


def test_what_is_compared_in_pairs_has_baselines_of_its_own() -> None:
    assert all(AXES[name].has_baselines for name in PAIRED)
