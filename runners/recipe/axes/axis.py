"""Define an axis: how its values are typed, and what one of them does to a cell."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ....base.errors import UsageError
from ...cells.setting import AtWork

if TYPE_CHECKING:  # because whoever asks for a command's options loads every axis
    from ....cell import Cell
    from ....profiles import Profile
    from ....row import Row
    from ...cells.campaign import Campaign
    from ...cells.setting import Setting
    from ..recipe import Recipe

Option = Callable[[Any], Any]
"""Adds an option to a command's function."""


def require_number(flag: str, text: str, least: int, most: int, what: str = "a number") -> None:
    """Raise UsageError that names `flag` for a text that is no whole number in these bounds."""
    if not (re.fullmatch(r"[0-9]{1,9}", text) and least <= int(text) <= most):
        raise UsageError(f"{flag}: found {text!r}; type {what}, from {least:,} to {most:,}")


class Axis(AtWork):
    """One axis, which overrides what it needs; by default it refuses and changes nothing.

    `name` is that of its values in `Recipe.axes`, and `options` are those of a command.
    """

    name: str
    options: Sequence[Option] = ()

    def read(self, typed: dict[str, Any]) -> tuple[str, ...]:
        """Take what its options have out of a command's parameters, and return it as texts.

        By default that is the parameter of its name, one value or several.
        """
        value = typed.pop(self.name, None)
        several = value if isinstance(value, tuple | list) else (value,)
        return tuple(str(each) for each in several if each is not None)

    def of(self, recipe: Recipe) -> tuple[str, ...]:
        """Return the texts that a recipe has; empty: none."""
        return recipe.axes.get(self.name, ())

    def values(self, recipe: Recipe) -> Sequence[str]:  # noqa: ARG002
        """Return the values that cells differ by, "" for none; empty: cells have none."""
        return ()

    def require(self, recipe: Recipe) -> None:
        """Raise UsageError for what the recipe requests and cannot have."""

    def profile(self, profile: Profile, cell: Cell, recipe: Recipe) -> Profile:  # noqa: ARG002
        """Return the profile that a cell with a value of this axis is run with.

        Errors: UsageError that names the flag of an impossible value.
        """
        return profile

    def words(self, campaign: Campaign) -> Iterator[str]:
        """Yield lines that describe its values before anything is measured.

        By default those of each value that cells differ by.
        """
        cells = {cell.axes[self.name]: cell for cell in campaign.cells if self.name in cell.axes}
        for cell in cells.values():
            yield from self.describe(campaign.profile, cell, campaign.recipe)

    def describe(self, profile: Profile, cell: Cell, recipe: Recipe) -> list[str]:  # noqa: ARG002
        """Return lines that describe a cell's value."""
        return []

    def columns(self, campaign: Campaign, cell: Cell) -> Row:  # noqa: ARG002
        """Return the columns of every row of a cell by which a resumed campaign recognizes it."""
        return {}

    def at_work(self, _campaign: Campaign, _setting: Setting) -> AtWork:
        """Return what the life of a cell calls; an axis that keeps nothing meanwhile is it."""
        return self
