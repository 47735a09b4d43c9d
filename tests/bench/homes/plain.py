"""Folders of benchmarks: gone at their end, or when the next one or a campaign starts."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from waltax.base.folders import places
from waltax.base.folders.machine import only_campaign
from waltax.runners import campaign
from waltax.runners.campaign import Campaign, Recipe
from waltax.runners.workspace import workspace

DATA = Path(__file__).parents[3] / "data"
WORK = DATA / "work"
_PREFIX = "waltax-bench-"  # campaigns look for `waltax-*` in memory, and for all in data/work
_KIND = "bench"


@contextlib.contextmanager
def home(benchmark: str, parent: Path = WORK) -> Iterator[Path]:
    """A new folder where clones of campaigns live, or in `parent`."""
    places.sweep(parent, f"{_PREFIX}*", _KIND)
    with places.borrowed(parent, f"{_PREFIX}{benchmark}-", _KIND) as folder:
        yield folder


@contextlib.contextmanager
def campaign_of(recipe: Recipe, benchmark: str) -> Iterator[Campaign]:
    """A campaign whose cells can be brought to life; of its results nothing is kept."""
    with home(benchmark) as results:
        plan = campaign.new(recipe, results, DATA)
        plan.folder.mkdir()
        with only_campaign(plan.id) as notes, workspace(plan) as placed:
            print(*(f"warning: {note}" for note in notes), sep="\n", end="")
            yield placed
