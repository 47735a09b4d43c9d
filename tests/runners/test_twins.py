"""A campaign measures a baseline of each workload twice, unless replicas were asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from waltax.base.errors import UsageError
from waltax.runners import campaign, plan
from waltax.runners.campaign import Campaign, Recipe
from waltax.runners.progress import Progress


def _campaign(tmp_path: Path, engine: str, *devices: str, **more: Any) -> Campaign:
    recipe = Recipe(engine, ("linkbench",), "quick", devices, twin=True, **more)
    return campaign.new(recipe, tmp_path / "results", tmp_path / "data")


def _twins(one: Campaign) -> list[str]:
    return [cell.id for cell in one.cells if cell.is_twin]


def test_each_workload_has_a_twin_of_its_first_baseline(tmp_path: Path) -> None:
    one = _campaign(tmp_path, "rocksdb", "nvme", "ssd")
    assert _twins(one) == ["rocksdb-linkbench-quick-off-off-t4-twin"]
    served = _campaign(tmp_path, "innodb", "nvme", "ssd")
    assert _twins(served) == ["innodb-linkbench-quick-nvme-delayed-t4-twin"]


def test_none_is_added_to_replicas_that_were_asked_for(tmp_path: Path) -> None:
    assert _twins(_campaign(tmp_path, "rocksdb", "off", "off")) == []


def test_a_twin_is_nothing_to_compare_a_baseline_with(tmp_path: Path) -> None:
    one = _campaign(tmp_path, "rocksdb", "nvme")
    off, nvme, twin = one.cells
    assert Progress().worth_measuring(one) == [off, nvme, twin]
    assert Progress(failures={twin.id: "it died"}).worth_measuring(one) == [off, nvme]
    assert Progress(failures={nvme.id: "it died"}).worth_measuring(one) == []
    with pytest.raises(UsageError, match="found off alone"):
        plan._require_comparison([off, twin])


def test_a_resumed_campaign_has_its_twin(tmp_path: Path) -> None:
    one = _campaign(tmp_path, "rocksdb", "nvme")
    one.save()
    assert campaign.resume(one.folder, None).cells == one.cells
