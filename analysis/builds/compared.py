"""Rows of several builds to pairs of cells: what a build does in place of the base.

All cells of a campaign take turns in the same rounds, so a ratio of two builds has the machine's
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


@dataclass(frozen=True, eq=False)
class Pair:
    """A cell of the base and the same of another build.

    `ratio` is throughput(new) / throughput(base); `points` is overhead(new) - overhead(base), a
    fraction, each against its own build's baseline: nothing of baselines.
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
    """A build against the base, in one comparison group. `same_bytes`: it is an A/A."""

    base: str
    new: str
    pairs: tuple[Pair, ...] = field(repr=False)
    same_bytes: bool

    @property
    def first(self) -> CellResult:
        return self.pairs[0].base


def against(rows: Sequence[Row], order: Sequence[str] = ()) -> list[Against]:
    """Every build against the base, which is the first of `order`, or else of the rows.

    Errors: UsageError when there are no two builds; else as `panel_of`.
    """
    named = dict.fromkeys([*order, *(one.get("build") or "" for one in rows)])
    names = [one for one in named if any(row.get("build") == one for row in rows) and one]
    if len(names) < 2:
        raise UsageError(
            f"builds: found {', '.join(names) or 'none'}; a comparison has two, as in waltax run "
            "--build base=DIR --build new=DIR"
        )
    families: dict[Cell, list[Row]] = {}
    for one in rows:
        cell = Cell.of_row(one)
        if cell.build and not cell.rung:
            alike = replace(cell.baseline, device="", build="", durability="")
            families.setdefault(alike, []).append(one)
    return [
        found
        for family in families.values()
        for new in names[1:]
        for found in _against(family, names[0], new)
    ]


def _against(rows: Sequence[Row], base: str, new: str) -> list[Against]:
    """None where the family has not both."""
    mine = [one for one in rows if one["build"] in (base, new)]
    panel, results = panel_of(mine), {one.at: one for one in every_cell(mine)}
    pairs = [
        _pair(panel, one, results[other])
        for cell, one in results.items()
        if cell.build == base and (other := replace(cell, build=new)) in results
    ]
    ordered = sorted(pairs, key=lambda one: (not one.base.is_baseline, one.base.overhead or 0.0))
    if not ordered:
        return []
    return [Against(base, new, tuple(ordered), _bytes(mine, base) == _bytes(mine, new))]


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
