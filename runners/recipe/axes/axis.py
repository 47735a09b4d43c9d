"""Define an axis: how its values are typed, and what one of them does to a cell.

Only types are imported, because whoever asks for a command's options loads every axis.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ....base.errors import UsageError

if TYPE_CHECKING:
    from ....cell import Cell
    from ....devices.tap_page import TapPage
    from ....profiles import Profile
    from ....row import Row
    from ....workload import Parameter
    from ...cells.campaign import Campaign
    from ...cells.setting import Setting
    from ..recipe import Recipe

Option = Callable[[Any], Any]
"""Adds an option to a command's function."""


def require_number(flag: str, text: str, least: int, most: int, what: str = "a number") -> None:
    """Raise UsageError that names `flag` for a text that is no whole number in these bounds."""
    if not (re.fullmatch(r"[0-9]{1,9}", text) and least <= int(text) <= most):
        raise UsageError(f"{flag}: found {text!r}; type {what}, from {least:,} to {most:,}")


class Axis:
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

    def around(self, _campaign: Campaign, _setting: Setting) -> AbstractContextManager[Axis]:
        """Yield the axis at work in a cell while it lives, whose life calls what follows below.

        An axis that keeps nothing meanwhile yields itself. Errors: WaltaxError.
        """
        return nullcontext(self)

    # Of an axis at work in a cell:

    page: TapPage | None = None  # of a server's second log, from `place` on
    log: Path | None = None  # the folder of a server's second log, from `place` on

    def flags(self, _setting: Setting) -> Mapping[str, Parameter]:
        """Return flags of the cell's driver, which has the engine in it, or is its client."""
        return {}

    def place(self, _setting: Setting, _memory: Path) -> Mapping[str, str]:
        """Make what the engine's process needs, such as pages of the tap in a folder; return
        variables of its environment. Errors: WaltaxError.
        """
        return {}

    def begin(self, pids: Sequence[int]) -> None:
        """Count from now on. REQUIRES: the programs are stopped."""

    def counted(self, _pids: Sequence[int]) -> Row:
        """Return columns of a row: what was counted since `begin`."""
        return {}

    def moment(self) -> Row:
        """Return what a slice is judged by beyond the columns that its row keeps."""
        return {}
