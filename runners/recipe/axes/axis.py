"""What an axis is: how its values are typed, and what one of them does to a cell."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ....cell import Cell
    from ....profiles import Profile
    from ....row import Row
    from ....workload import Parameter
    from ...campaign import Campaign
    from ...cells.setting import Setting
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

    def columns(self, campaign: Campaign, cell: Cell) -> Row:  # noqa: ARG002
        """Columns that every row of a cell has, by which a resumed campaign knows it again."""
        return {}

    def around(self, _campaign: Campaign, _setting: Setting) -> AbstractContextManager[Axis]:
        """The axis at work in one cell as long as that lives, which the cell's life calls below.

        Itself, where it keeps nothing meanwhile. Errors: WaltaxError.
        """
        return nullcontext(self)

    groups: tuple[Path, ...] = ()  # of the kernel, in which the programs are born
    is_alone = False  # whether the cell's clone shares no file with others
    log: Path | None = None  # the folder of a server's second log, from `place` on

    def flags(self, _setting: Setting) -> Mapping[str, Parameter]:
        """Of a driver that has the engine in it."""
        return {}

    def place(self, _setting: Setting, _memory: Path) -> Mapping[str, str]:
        """Make what the engine's process needs, pages of the tap in a folder; return variables of
        its environment. Errors: WaltaxError.
        """
        return {}

    def cloned(self, *folders: Path) -> None:
        """The data, and perhaps the log, that the engine begins with are in these folders."""

    def begin(self, pids: Sequence[int]) -> None:
        """Count from now on. REQUIRES: the programs are stopped."""

    def told(self, _pids: Sequence[int], _data: Path) -> Row:
        """Columns of a row: what was counted since `begin`. Errors: WaltaxError."""
        return {}

    def moment(self) -> Row:
        """What is to be judged of the slice beside its row, which keeps none of it."""
        return {}

    def require_alive(self) -> None:
        """Errors: WaltaxError when it is to blame for the end of a program."""
