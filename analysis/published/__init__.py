"""What published studies measured at the points of a report, as a column beside ours.

Each study is a TOML file here: a short `title`, its `reference`, a sentence on what `differs`
there, the `figure` of ours that it stands beside, and its `unit`. `values` have a `value` each, and
by the names of a row's columns the cells that it is of; `where` has those that all of them share.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ..series import Column, result_of

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


@cache
def studies() -> Sequence[Study]:
    """Return all studies."""
    paths = sorted(Path(__file__).parent.glob("*.toml"))
    return [Study(**tomllib.loads(path.read_text(encoding="utf-8"))) for path in paths]


OF_CELL = ("throughput", "overhead")
"""The figures of ours that every cell has."""


def of(points: Sequence[Any], figures: Sequence[str] = OF_CELL) -> list[Study]:
    """Return the studies that have one of these figures at one of the points."""
    mine = [study for study in studies() if study.figure in figures]
    return [study for study in mine if any(study.value(point) is not None for point in points)]


def column(figure: str, unit: str = "") -> Column[Any]:
    """Return what a study has for this figure of ours."""

    def value(point: Any) -> float | None:
        return next((study.value(point) for study in of([point], [figure])), None)

    return Column(NAME, NAME, unit, value)
