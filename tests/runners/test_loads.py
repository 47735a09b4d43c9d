"""What a campaign's loads are shares of, and what a cell with a load is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from waltax.base.errors import UsageError, WaltaxError
from waltax.runners import campaign, capacity
from waltax.runners.campaign import Campaign, Recipe
from waltax.runners.recipe import axes
from waltax.runners.recipe.axes import load
from waltax.runners.workspace import workspace


def _recipe(*loads: str) -> Recipe:
    return Recipe("rocksdb", ("linkbench",), "quick", ("nvme",), axes={"load": loads})


@pytest.fixture
def begun(tmp_path: Path) -> Campaign:
    made = campaign.new(_recipe("50", "80"), tmp_path / "results", tmp_path / "data")
    made.save()
    return made


def _keep(begun: Campaign, text: str) -> None:
    (begun.folder / load.CAPACITY).write_text(text)


def test_each_load_has_a_baseline_of_its_own(begun: Campaign) -> None:
    assert [cell.id.partition("quick-")[2] for cell in begun.cells] == [
        f"{device}-t4-load{share}" for share in (50, 80) for device in ("off-off", "nvme-sync")
    ]
    assert {cell.baseline.axes["load"] for cell in begun.cells} == {"50", "80"}


@pytest.mark.parametrize("text", ["0", "201", "half", "-5", ""])
def test_a_load_that_is_no_share_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=f"--load: found '{text}'; type percent, from 1 to 200"):
        axes.require(_recipe(text))


def test_a_cell_offers_its_share_and_keeps_the_loop_closed_until_it_is_known(
    begun: Campaign,
) -> None:
    with workspace(begun) as held:
        setting = held.setting(begun.cells[-1], None, 0)
        assert axes.at_work(held, setting).flags == {"rate": 0.0}
        _keep(begun, json.dumps({"requests_per_s": 5000.0}))
        assert axes.at_work(held, setting).flags == {"rate": 4000.0}


def test_a_cell_without_a_load_is_told_nothing(tmp_path: Path) -> None:
    plain = campaign.new(_recipe(), tmp_path / "results", tmp_path / "data")
    with workspace(plain) as held:
        assert axes.at_work(held, held.setting(plain.cells[0], None, 0)).flags == {}
    capacity.find(plain, {}, pytest.fail)
    assert not (plain.folder / load.CAPACITY).exists()


def test_a_resumed_campaign_keeps_what_it_found_first(begun: Campaign) -> None:
    _keep(begun, json.dumps({"requests_per_s": 5000.0}))
    capacity.find(begun, {}, pytest.fail)  # it would need the data set, and say what it found
    assert load.capacity_per_s(begun.folder) == 5000.0


@pytest.mark.parametrize("text", ["{}", "no JSON", '{"requests_per_s": 0}', '["x"]'])
def test_a_broken_file_of_it_is_named(begun: Campaign, text: str) -> None:
    _keep(begun, text)
    with pytest.raises(WaltaxError, match=r"capacity.json: found no requests_per_s above 0"):
        load.capacity_per_s(begun.folder)
