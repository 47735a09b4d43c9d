"""The table of axes: what may differ between cells, or be requested for all of them.

An axis is an object of a class of its own, see `Axis`. What results need to know of an axis by
which cells differ is in `axes.AXES`, under the same name; here is what a person types and what a
cell is run with. `comparison.plan` and `comparison.ladder` give cells a knob and a rung.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ....base.errors import UsageError
from ....cell import Cell
from .axis import Axis, Option
from .engine_settings import OptionsFiles, Settings
from .load import Load
from .memory_bound import Memory
from .second_log import SecondLog
from .shards import Cuts
from .simple import Builds, Clients, Knobs, Rungs

if TYPE_CHECKING:
    from ....profiles import Profile
    from ....row import Row
    from ...cells.campaign import Campaign
    from ...cells.setting import Setting
    from ..recipe import Recipe

TABLE: dict[str, Axis] = {
    axis.name: axis
    for axis in (
        Clients(),
        Builds(),
        Cuts(),
        OptionsFiles(),
        Settings(),
        Load(),
        Knobs(),
        Rungs(),
        SecondLog(),
        Memory(),
    )
}
"""Keyed by name, in the order in which their values vary, the last one fastest."""


def options(*names: str) -> Iterator[Option]:
    """Yield the options of these axes, for a command that takes them."""
    return itertools.chain.from_iterable(TABLE[name].options for name in names)


def read(typed: dict[str, Any]) -> dict[str, tuple[str, ...]]:
    """Take the axes' options out of a command's parameters, and return the values by axis.

    Errors: UsageError for options that mean nothing together.
    """
    return {name: texts for name, axis in TABLE.items() if (texts := axis.read(typed))}


def require(recipe: Recipe) -> None:
    """Raise UsageError for impossible values, and for values of no axis."""
    for name in recipe.axes.keys() - TABLE.keys():
        raise UsageError(f"axes: found {name!r}; one of {', '.join(TABLE)}")
    for axis in TABLE.values():
        axis.require(recipe)


def points(recipe: Recipe) -> Iterator[dict[str, str]]:
    """Yield every combination of the recipe's values, by the names of the axes."""
    values = {name: typed for name, axis in TABLE.items() if (typed := axis.values(recipe))}
    for point in itertools.product(*values.values()):
        yield dict(zip(values, point, strict=True))


def profile_of(profile: Profile, cell: Cell, recipe: Recipe) -> Profile:
    """Return the recipe's profile as the values of a cell change it. Errors: as `Axis.profile`."""
    for name, axis in TABLE.items():
        if name in cell.axes:
            profile = axis.profile(profile, cell, recipe)
    return profile


def words(campaign: Campaign) -> Iterator[str]:
    """Yield lines that describe the values of all axes."""
    return itertools.chain.from_iterable(axis.words(campaign) for axis in TABLE.values())


def columns(campaign: Campaign, cell: Cell) -> Row:
    """Return the columns that every row of a cell has because of its axes."""
    by_axis = [axis.columns(campaign, cell) for axis in TABLE.values()]
    return {name: value for of_axis in by_axis for name, value in of_axis.items()}


def at_work(campaign: Campaign, setting: Setting) -> Setting:
    """Return a cell's setting with its axes, which are at work while it lives."""
    return replace(setting, axes=tuple(axis.at_work(campaign, setting) for axis in TABLE.values()))
