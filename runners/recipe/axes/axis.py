"""What an axis is: how its values are typed, and what one of them does to a cell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ....cell import Cell
    from ....profiles import Profile
    from ..kept import Told
    from ..recipe import Recipe

Option = Callable[[Any], Any]
"""Adds an option to a command's function."""


class Axis:
    """One axis, which overrides what it needs; nothing is asked for, refused or changed else."""

    options: Sequence[Option] = ()
    """What a command takes. A parameter that is called as the axis becomes `Recipe.axes`'s value
    of that name, a tuple of texts; another one sets the field of `Asked` that it is named for.
    """

    def values(self, recipe: Recipe | Told) -> Sequence[str]:  # noqa: ARG002
        """Return the values of the recipe's cells, "" for none; empty: the recipe has none."""
        return ()

    def require(self, recipe: Recipe) -> None:
        """Errors: UsageError for what the recipe asks for and cannot be."""

    def profile(self, profile: Profile, cell: Cell, recipe: Recipe) -> Profile:  # noqa: ARG002
        """Return the profile that a cell with a value of this axis is run with.

        Errors: UsageError that names the flag for a value that cannot be.
        """
        return profile

    def words(self, profile: Profile, cell: Cell, recipe: Recipe) -> list[str]:  # noqa: ARG002
        """What is said of a cell's value before anything is measured, in lines."""
        return []
