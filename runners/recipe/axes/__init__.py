"""The table of axes that a recipe gives values of, and what they make of a profile.

An axis is an object with the five members of `Axis`. What results need to know of it stands in
`axes.AXES`, under the same name; here is what a person types and what a cell is run with. The knob,
the replica and the rung of a cell are not in the table: `cell.plan` and `cell.ladder` give them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from ....cell import Cell
from ....engines import SHARDED, Shards
from .options_files import OptionsFiles
from .settings import Settings

if TYPE_CHECKING:
    from ....profiles import Profile
    from ..kept import Told
    from ..recipe import Recipe


class Axis(Protocol):
    """One axis: how its values are typed, and what one of them does to a cell."""

    @property
    def option(self) -> Callable[[Any], Any] | None:
        """What adds its option to a command; None where another module has it.

        The parameter is called as the axis, and its value is `Recipe.axes` under that name.
        """
        ...

    def values(self, recipe: Recipe | Told) -> Sequence[str]:
        """Return the values of the recipe's cells, "" for none; empty: the recipe has none."""
        ...

    def require(self, recipe: Recipe) -> None:
        """Errors: UsageError for values that cannot be, before anything is looked at."""
        ...

    def profile(self, profile: Profile, cell: Cell, recipe: Recipe) -> Profile:
        """Return the profile that a cell with a value of this axis is run with.

        Errors: UsageError that names the flag for a value that cannot be.
        """
        ...

    def words(self, profile: Profile, cell: Cell, recipe: Recipe) -> list[str]:
        """What is said of a cell's value before anything is measured, in lines."""
        ...


@dataclass(frozen=True)
class Named:
    """An axis whose values a field of the recipe names, and which changes no profile."""

    names: Callable[[Recipe], Sequence[str]]
    option: None = None

    def values(self, recipe: Any) -> Sequence[str]:
        return self.names(recipe)

    def require(self, recipe: Recipe) -> None:
        """Nothing: what the field holds was looked at when it was typed."""

    def profile(self, profile: Profile, cell: Cell, recipe: Recipe) -> Profile:  # noqa: ARG002
        return profile

    def words(self, profile: Profile, cell: Cell, recipe: Recipe) -> list[str]:  # noqa: ARG002
        return []


def _cuts(recipe: Recipe) -> Sequence[str]:
    """Those of the recipe; of an engine of shards, two nodes where it names none."""
    return recipe.shards or ((Shards(nodes=2).word,) if recipe.engine in SHARDED else ())


TABLE: dict[str, Axis] = {
    "build": Named(lambda recipe: [build.name for build in recipe.builds]),
    "size": Named(lambda recipe: recipe.sizes),
    "shards": Named(_cuts),
    "options": OptionsFiles(),
    "set": Settings(),
}
"""By name, in the order in which their values vary, the last one fastest."""


def options() -> Iterator[Callable[[Any], Any]]:
    """Yield the options of the axes, for a command that takes values of all of them."""
    yield from (axis.option for axis in TABLE.values() if axis.option is not None)


def require(recipe: Recipe) -> None:
    """Errors: UsageError for values that cannot be."""
    for axis in TABLE.values():
        axis.require(recipe)


def points(recipe: Recipe) -> Iterator[dict[str, str]]:
    """Yield every combination of the recipe's values, by the names of the axes."""
    values = [axis.values(recipe) or ("",) for axis in TABLE.values()]
    for point in itertools.product(*values):
        yield dict(zip(TABLE, point, strict=True))


def profile_of(profile: Profile, cell: Cell, recipe: Recipe) -> Profile:
    """Return the recipe's profile as the values of a cell change it. Errors: as `Axis.profile`."""
    for name, axis in TABLE.items():
        if cell.axes[name]:
            profile = axis.profile(profile, cell, recipe)
    return profile


def words(profile: Profile, cells: Sequence[Cell], recipe: Recipe) -> list[str]:
    """What is said of each value of these cells, in lines."""
    first = {(name, cell.axes[name]): cell for name in TABLE for cell in reversed(cells)}
    return [
        line
        for (name, value), cell in reversed(first.items())
        if value
        for line in TABLE[name].words(profile, cell, recipe)
    ]
