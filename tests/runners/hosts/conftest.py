"""A campaign that is planned and not measured, and hosts that answer for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from waltax.runners import campaign
from waltax.runners.campaign import Campaign, Recipe
from waltax.runners.hosts import agreement
from waltax.runners.hosts.fleet import Fleet
from workers import worker


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
        return {**same, "host": "h", "doctor": [], "machine": {}, **changes}

    return like_us


@pytest.fixture
def fleet(planned: Campaign) -> Fleet:
    """Hosts a and b, neither of which has answered."""
    made = Fleet(planned)
    made.see({"tcp://a": worker("a", host=1), "tcp://b": worker("b", host=1)})
    made.require_labels()
    return made
