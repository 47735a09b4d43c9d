"""Folders of benchmarks, which are gone at their end, or when the next one starts."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from ..owned import places
from ..owned.machine import only_campaign
from ..runners import campaign
from ..runners.campaign import Campaign, Recipe
from ..runners.workspace import workspace

DATA = Path(__file__).parent.parent / "data"
_KIND = "bench"


@contextlib.contextmanager
def home(benchmark: str, parent: Path = DATA, mode: int = 0o700) -> Iterator[Path]:
    """A new folder beside the data sets, or in `parent`."""
    places.sweep(parent, f"bench-{benchmark}-*", _KIND)
    with places.borrowed(parent, f"bench-{benchmark}-", _KIND, mode=mode) as folder:
        yield folder


@contextlib.contextmanager
def campaign_of(recipe: Recipe, benchmark: str) -> Iterator[Campaign]:
    """A campaign whose cells can be brought to life; of its results nothing is kept."""
    with home(benchmark) as results:
        plan = campaign.new(recipe, results, DATA)
        plan.folder.mkdir()
        with only_campaign(plan.id), workspace(plan) as placed:
            yield placed
