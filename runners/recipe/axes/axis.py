"""Define an axis: how its values are typed, and what one of them does to a cell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

from ...cells.at_work import AtWork

if TYPE_CHECKING:
    from ....cell import Cell
    from ....profiles import Profile
    from ....row import Row
    from ...cells.campaign import Campaign
    from ...cells.setting import Setting
    from ..campaign_file import Told
    from ..recipe import Recipe

Option = Callable[[Any], Any]
"""Adds an option to a command's function."""


class Axis(AtWork):
    """One axis, which overrides what it needs; by default it asks, refuses and changes nothing."""

    options: Sequence[Option] = ()
    """The options of a command. A parameter named like the axis becomes the value of that name in
    `Recipe.axes`, a tuple of texts; another one sets the field of `Request` with its name.
    """

    def values(self, recipe: Recipe | Told) -> Sequence[str]:  # noqa: ARG002
        """Return the values of the recipe's cells, "" for none; empty: the recipe has none."""
        return ()

    def require(self, recipe: Recipe) -> None:
        """Raise UsageError for what the recipe requests and cannot have."""

    def profile(self, profile: Profile, cell: Cell, recipe: Recipe) -> Profile:  # noqa: ARG002
        """Return the profile that a cell with a value of this axis is run with.

        Errors: UsageError that names the flag of an impossible value.
        """
        return profile

    def words(self, profile: Profile, cell: Cell, recipe: Recipe) -> list[str]:  # noqa: ARG002
        """Return lines that describe a cell's value before anything is measured."""
        return []

    def columns(self, campaign: Campaign, cell: Cell) -> Row:  # noqa: ARG002
        """Return the columns of every row of a cell by which a resumed campaign recognizes it."""
        return {}

    def around(self, _campaign: Campaign, _setting: Setting) -> AbstractContextManager[Axis]:
        """Yield the axis at work in a cell while it lives, whose life calls what follows below.

        An axis that keeps nothing meanwhile yields itself. Errors: WaltaxError.
        """
        return nullcontext(self)
