"""A campaign that is planned and not measured, and hosts that answer for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from waltax.runners import campaign
from waltax.runners.campaign import Campaign, Recipe
from waltax.runners.hosts import agreement
from waltax.runners.hosts import fleet as fleets
from waltax.runners.hosts.fleet import Fleet
from workers import FakeClient


@pytest.fixture
def planned(tmp_path: Path) -> Campaign:
    """LinkBench on embedded RocksDB, off and on an emulated nvme."""
    recipe = Recipe("rocksdb", ("linkbench",), "ci", ("nvme",), seed=1)
    return campaign.new(recipe, tmp_path / "results", tmp_path / "data")


@pytest.fixture
def answer(planned: Campaign) -> Callable[..., dict[str, Any]]:
    """What a host like this machine says of itself, with changes."""
    placements = {cell: place.digest for cell, place in planned.placements.items()}

    def like_us(**changes: Any) -> dict[str, Any]:
        same = {"agreement": agreement.facts(planned), "real": [], "placements": placements}
        return {**same, "doctor": [], "machine": {}, **changes}

    return like_us


@pytest.fixture
def client(answer: Callable[..., dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> FakeClient:
    """A scheduler with workers a and b, which agree."""
    monkeypatch.setattr(fleets, "_TURN_S", 0.001)
    monkeypatch.setattr(fleets, "_ANSWERS_S", 0.01)
    made = FakeClient("a", "b")
    made.answers = {"a": answer(), "b": answer()}
    return made


@pytest.fixture
def fleet(planned: Campaign, client: FakeClient) -> Fleet:
    """The fleet at that scheduler, which has not been gathered."""
    return Fleet(planned, cast(Any, client), "tcp://head:1")
