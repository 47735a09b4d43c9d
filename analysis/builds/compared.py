"""Rows of several builds, or settings, to pairs of cells: what one does in place of the base.

All cells of a campaign take turns in the same rounds, so a ratio of two of them has the machine's
drift in neither. Its interval is that of every ratio here; the difference of two overheads has the
same bootstrap's, of the rounds in which all four cells have a slice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ...cell import Cell
from ...errors import UsageError
from ...row import Row
from .. import stats
from ..results import CellResult, Panel, every_cell, panel_of
from ..stats import Interval

_NOTHING = Interval(None, None, None)
PROFILE = "profile"
"""What cells without a value of an axis are called: they are as the profile has them."""


@dataclass(frozen=True, eq=False)
class Pair:
    """A cell of the base and the same at another value of an axis.

    `ratio` is throughput(new) / throughput(base); `points` is overhead(new) - overhead(base), a
    fraction, each against its own value's baseline: nothing of baselines.
    """

    base: CellResult
    new: CellResult
    ratio: Interval
    points: Interval
    rounds: int  # in which both have a slice

    @property
    def failed(self) -> list[CellResult]:
        return [one for one in (self.base, self.new) if one.failed]


@dataclass(frozen=True, eq=False)
class Against:
    """A value of an axis against the base, in one comparison group.

    `same_bytes` says that two builds are one, so that it is an A/A.
    """

    axis: str
    base: str
    new: str
    pairs: tuple[Pair, ...] = field(repr=False)
    same_bytes: bool

    @property
    def first(self) -> CellResult:
        return self.pairs[0].base

    @property
    def called(self) -> tuple[str, str, str]:
        """What differs, and what the base and the new one are called beside that.

        Two values of one setting are called by the value: wal_bytes_per_sync, 0 and 64K.
        """
        (name, _, base), (other, _, new) = self.base.partition("="), self.new.partition("=")
        if self.axis == "set" and name == other and "," not in base + new:
            return name, base, new
        return self.axis, self.base, self.new


def against(rows: Sequence[Row], order: Sequence[str] = (), axis: str = "build") -> list[Against]:
    """Every value of the axis against the base, the first of `order`, or else of the rows.

    Errors: UsageError when there are no two values; else as `panel_of`.
    """
    cells = {id(row): Cell.of_row(row) for row in rows}
    there = dict.fromkeys(cell.axes[axis] for cell in cells.values())
    names = [name for name in dict.fromkeys([*order, *there]) if name in there]
    if axis == "build":  # rows without one are of another campaign
        names = [name for name in names if name]
    if len(names) < 2:
        raise UsageError(
            f"{axis}s: found {', '.join(names) or 'none'}; a comparison has two, as in waltax run "
            "--build base=DIR --build new=DIR"
        )
    families: dict[Cell, list[Row]] = {}
    for row in rows:
        cell = cells[id(row)]
        if cell.axes[axis] in names and not cell.rung:
            alike = replace(cell.baseline, device="", durability="").at(**{axis: ""})
            families.setdefault(alike, []).append(row)
    return [
        found
        for family in families.values()
        for new in names[1:]
        for found in _against(family, axis, names[0], new)
    ]


def _against(rows: Sequence[Row], axis: str, base: str, new: str) -> list[Against]:
    """None where the family has not both."""
    mine = [row for row in rows if (row.get(axis) or "") in (base, new)]
    panel, results = panel_of(mine), {one.at: one for one in every_cell(mine)}
    pairs = [
        _pair(panel, one, results[other])
        for cell, one in results.items()
        if cell.axes[axis] == base and (other := cell.at(**{axis: new})) in results
    ]
    ordered = sorted(pairs, key=lambda one: (not one.base.is_baseline, one.base.overhead or 0.0))
    if not ordered:
        return []
    same = axis == "build" and _bytes(mine, base) == _bytes(mine, new)
    return [Against(axis, base or PROFILE, new, tuple(ordered), same)]


def _bytes(rows: Sequence[Row], build: str) -> set[str]:
    """The sha256 of the files that its processes mapped; a set of its own where none is known."""
    found = {
        sha256
        for one in rows
        if one["build"] == build
        for sha256 in (one.get("engine_files") or {}).values()
    }
    return found or {build}


def _pair(panel: Panel, base: CellResult, new: CellResult) -> Pair:
    points = _NOTHING
    if not (base.is_baseline or base.failed or new.failed):
        points = stats.difference_of_ratios(
            (panel.values(base.at), panel.values(base.at.baseline)),
            (panel.values(new.at), panel.values(new.at.baseline)),
            panel.by,
        )
    rounds = int(panel.matched(new.at, base.at).sum())
    return Pair(base, new, panel.ratio(new.at, base.at), points, rounds)
