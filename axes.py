"""The axes on which the cells of a campaign can differ, beside where and how they log.

The name of an axis is a column of each row. Its values are short texts, and parts of a cell's id.
`runners/recipe/axes` says what an axis does to a cell; this module has what results need as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Axis:
    """One thing that can differ.

    With `has_baselines` each value has a baseline of its own; without, the cell that has no value
    is the baseline of all. With baselines, an axis `is_paired` if each value is also compared with
    the first, cell by cell. `mark` stands before a value in the cell's id.
    """

    name: str
    meaning: str  # of a value, and of none
    has_baselines: bool = False
    is_paired: bool = False
    mark: str = "-"


AXES: dict[str, Axis] = {
    axis.name: axis
    for axis in (
        Axis(
            "shards",
            "how the store is cut into nodes (n4-redirect); empty: not at all",
            has_baselines=True,
        ),
        Axis(
            "options",
            "the file that sets the engine, as --options labelled it; empty: the profile",
            has_baselines=True,
            is_paired=True,
        ),
        Axis(
            "set",
            "settings of the engine beside the profile's (wal_bytes_per_sync=64K); empty: none",
            has_baselines=True,
            is_paired=True,
        ),
        Axis(
            "load",
            "percent of what the baseline can do, offered in an open loop; empty: a closed loop",
            has_baselines=True,
            mark="-load",
        ),
        Axis("knob", "the setting that differs from the profile's; empty: none"),
        Axis("replica", "tells equal cells apart (A/A); empty otherwise"),
        Axis("rung", "what was left out to explain a cost, or `timed`; empty: nothing"),
        Axis(
            "build",
            "the engine's build, as --build named it; empty: none was named",
            has_baselines=True,
            is_paired=True,
            mark="@",  # no other part of an id holds one
        ),
    )
}
"""Each axis by its name, in the order in which their values stand in an id."""
PAIRED = tuple(sorted(name for name, axis in AXES.items() if axis.is_paired))
"""The axes on which each value is compared with the first, cell by cell."""


class Values(dict[str, str]):
    """The values of a cell by axis; an axis without a value has the empty text. Not to be changed.

    Empty values do not count for equality, length and order.
    """

    def __init__(self, values: Mapping[str, str] | None = None) -> None:
        given = values or {}
        assert given.keys() <= AXES.keys(), f"no such axis: {given.keys() - AXES.keys()}"
        super().__init__({name: given[name] for name in AXES if given.get(name)})

    def __missing__(self, name: str) -> str:
        return ""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(self.items()))
