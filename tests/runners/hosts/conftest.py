"""A campaign that is planned and not measured, and a scheduler with two workers."""

from __future__ import annotations

from pathlib import Path

import pytest
from waltax.runners import campaign
from waltax.runners.campaign import Campaign, Recipe
from waltax.runners.hosts import executor
from workers import FakeClient


@pytest.fixture
def planned(tmp_path: Path) -> Campaign:
    """LinkBench on embedded RocksDB, off and on an emulated nvme."""
    recipe = Recipe("rocksdb", ("linkbench",), "ci", ("nvme",), seed=1)
    return campaign.new(recipe, tmp_path / "results", tmp_path / "data")


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> FakeClient:
    """A scheduler with workers a and b."""
    monkeypatch.setattr(executor, "_TURN_S", 0.001)
    monkeypatch.setattr(executor, "_COMES_S", 0.01)
    return FakeClient("a", "b")
