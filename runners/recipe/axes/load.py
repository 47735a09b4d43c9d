"""Offer each cell a share of what the baseline can do: an open loop at a rate of its own.

A value is a share in percent. Until it is known what the baseline can do, which
`runners.capacity` finds before a campaign's first slice, the loop is closed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ....base import strictjson
from ....base.errors import WaltaxError
from ....workload import Parameter
from .axis import Axis, require_number

if TYPE_CHECKING:
    from ....cell import Cell
    from ....profiles import Profile
    from ...cells.setting import Setting
    from ..recipe import Recipe

NAME = "load"
CAPACITY = "capacity.json"
"""The file of a campaign that says how many requests a second its baseline can do."""
MOST = 200  # percent


class Load(Axis):
    """The loads that are offered; the option is that of their study, which alone reports them."""

    name = NAME

    def values(self, recipe: Recipe) -> Sequence[str]:
        return self.of(recipe)

    def require(self, recipe: Recipe) -> None:
        for text in self.of(recipe):
            require_number("--load", text, 1, MOST, "percent")

    def describe(self, profile: Profile, cell: Cell, recipe: Recipe) -> list[str]:  # noqa: ARG002
        return [f"load: {cell.axes[NAME]} % of what {cell.baseline.durability} can do"]

    def flags(self, setting: Setting) -> Mapping[str, Parameter]:
        """Return the rate of all clients; 0 is a closed loop, whatever the workload's own is."""
        share = setting.cell.axes[NAME]
        capacity = capacity_per_s(setting.folders.kept) if share else None
        return {"rate": int(share) / 100 * (capacity or 0.0)} if share else {}


def capacity_per_s(folder: Path) -> float | None:
    """Return what a campaign keeps of its baseline; None if it was not measured yet.

    Errors: WaltaxError for a file that holds no such number.
    """
    path = folder / CAPACITY
    if not path.exists():
        return None
    found = strictjson.read_object(path).get("requests_per_s")
    if not isinstance(found, int | float) or not found > 0:
        raise WaltaxError(f"{path}: found no requests_per_s above 0; start a new campaign")
    return float(found)
