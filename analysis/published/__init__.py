"""What published studies measured at the points of a report, as a column `published` beside ours.

Each study is a TOML file here: a short `title`, its `reference`, a sentence on what `differs`
there, the `figure` of ours that it stands beside, and its `unit`. `values` have a `value` each, and
by the names of a row's columns the cells that it is of; `where` has those that all of them share.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from ..series import Column, Series, result_of

NAME = "published"


@dataclass(frozen=True, eq=False)
class Study:
    """A published study: a file of this folder. Shares are fractions."""

    title: str
    reference: str
    differs: str
    figure: str
    unit: str
    where: Mapping[str, Any]
    values: Sequence[Mapping[str, Any]]

    @property
    def about(self) -> dict[str, str]:
        """All texts about its values."""
        return {name: text for name, text in vars(self).items() if isinstance(text, str)}

    def value(self, point: Any) -> float | None:
        """Return its figure at a point; None if it has none there."""
        row = result_of(point).rows[0]
        for value in self.values:
            cells = {**self.where, **value}
            figure = float(cells.pop("value"))
            if all(row.get(name) == wanted for name, wanted in cells.items()):
                return figure
        return None

    def column(self, ours: Column[Any]) -> Column[Any]:
        """Return its column, spelled as `ours` is without its interval."""
        heading = self.title.replace(" ", "\n")
        return Column(NAME, heading, ours.unit.removesuffix(" alone"), self.value)


@cache
def studies() -> Sequence[Study]:
    """Return all studies."""
    paths = sorted(Path(__file__).parent.glob("*.toml"))
    return [Study(**tomllib.loads(path.read_text(encoding="utf-8"))) for path in paths]


_OF_CELL = ("throughput", "overhead")


def study_of(points: Sequence[Any], figures: Sequence[str] = _OF_CELL) -> Study | None:
    """Return the study that has one of these figures at one of the points; None if none has."""
    mine = [study for study in studies() if study.figure in figures]
    return next((one for one in mine if any(one.value(at) is not None for at in points)), None)


def beside(of: Series[Any], study: Study | None) -> Series[Any]:
    """Return the series with the study's column after ours, also in each table that has ours."""
    if study is None:
        return of
    shown = {study.figure: f"{study.figure} {NAME}"}
    views = [
        replace(view, columns=" ".join(shown.get(name, name) for name in view.columns.split()))
        for view in of.views
    ]
    return replace(of, columns=columns(of.columns, study), views=views)


def columns(ours: Sequence[Column[Any]], study: Study | None) -> list[Column[Any]]:
    """Return these columns, and the study's behind the one that it stands beside."""
    return [
        each
        for column in ours
        for each in (
            (column, study.column(column))
            if study is not None and column.name == study.figure
            else (column,)
        )
    ]
