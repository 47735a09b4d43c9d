"""The noise floor: how far two equal campaigns come out apart on one machine, and its file.

For each cell, k equal campaigns give k levels with the standard deviation s. The floor is the
repeatability limit of ISO 5725-6, the bound that the difference between two results keeps in 95 of
100 cases: t(k - 1) * sqrt(2) * s. With Student's t it is exact for normal levels, however few
campaigns there are, because the difference of two more is independent of s; for many it is 2.77 s.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from ...base.errors import UsageError
from ...base.tomlfile import validate_json
from .. import stats
from ..results import CellResult, Source, every_cell
from ..results.hosts import Machine
from .difference import MEASURES, levels
from .sameness import require_same

FILE = "floor.json"
LEAST = 3
"""Campaigns: for two, t(1) is 12.7, and no difference would ever exceed the floor."""
_DEFINITION = (
    "repeatability limit (ISO 5725-6): t(0.975, campaigns - 1) * sqrt(2) * SD between campaigns; "
    "overhead is a fraction, throughput the logarithm of a ratio"
)
_DIGESTS = ("profile_digest", "placement_digest")


@dataclass(frozen=True)
class Floor:
    """The floor of one cell on one machine. `limits` are by measure, without unknown ones."""

    machine: Machine
    cell: str
    digests: tuple[str | None, ...]  # of the profile and of the device; None if rows lack them
    campaigns: tuple[str, ...]
    limits: Mapping[str, Annotated[float, Field(ge=0, allow_inf_nan=False)]]

    @property
    def key(self) -> tuple[object, ...]:
        return self.machine, self.cell, self.digests


@dataclass(frozen=True)
class _File:
    schema: Literal[1]
    definition: str
    floors: tuple[Floor, ...]


def limit(levels: Sequence[float]) -> float:
    """Return the repeatability limit of these levels of equal campaigns, in their unit."""
    spread = float(np.std(levels, ddof=1))
    return stats.quantile(len(levels) - 1) * math.sqrt(2) * spread


def measure(sides: Sequence[Source]) -> list[Floor]:
    """Return the floor of every cell for which all these campaigns have a result.

    Errors: UsageError for too few campaigns, for unequal ones, and for several machines.
    """
    if len(sides) < LEAST:
        raise UsageError(
            f"floor: found {len(sides)} campaigns; it takes {LEAST} of one recipe or more, better "
            "5, since two cannot show how far they come out apart"
        )
    machine, *others = dict.fromkeys(side.machine for side in sides)
    if others or machine is None:
        named = (of.words if of else "several machines, or none" for of in (machine, *others))
        raise UsageError(
            f"floor: found campaigns of {', and of '.join(named)}; a floor is of one machine"
        )
    for other in sides[1:]:
        require_same(sides[0], other)
    campaigns = tuple(name for side in sides for name in side.origin.campaigns)
    results = [result for side in sides for result in every_cell(side.rows)]
    floors = []
    for cell in dict.fromkeys(result.cell for result in results):
        mine = [result for result in results if result.cell == cell]
        known = [levels(result) for result in mine]
        limits = {}
        for name in MEASURES:
            values = [of.value for each in known if (of := each.get(name)) and of.value is not None]
            if len(values) == len(sides):
                limits[name] = limit(values)
        if limits:
            floors.append(Floor(machine, cell, _digests(mine[0]), campaigns, limits))
    if not floors:
        raise UsageError("floor: no cell has a result in all of these campaigns; measure them anew")
    return floors


def _digests(result: CellResult) -> tuple[str | None, ...]:
    """Return the digests behind the names of a cell."""
    rows = result.rows
    return tuple(next((row[name] for row in rows if row.get(name)), None) for name in _DIGESTS)


def content(floors: Sequence[Floor], kept: Sequence[Floor] = ()) -> dict[str, Any]:
    """Return the file's content: these floors, and the kept ones of other cells and machines."""
    every = {floor.key: floor for floor in (*kept, *floors)}
    return asdict(_File(1, _DEFINITION, tuple(every.values())))


def read(path: Path) -> Sequence[Floor]:
    """Read the floors of a file. Errors: UsageError for a file that is none of floors."""
    try:
        return validate_json(path, path.read_bytes(), _File).floors
    except OSError as error:
        why = f"{path}: cannot be read: {error.strerror}"
    except UsageError as error:
        why = error.lines[0]
    raise UsageError(f"--against-floor: {why}; measure it anew with: waltax compare floor")


def of(floors: Sequence[Floor], machine: Machine | None, result: CellResult) -> Floor | None:
    """Return the floor of a cell on a machine; None if it was not measured."""
    key = machine, result.cell, _digests(result)
    return next((floor for floor in floors if floor.key == key), None)
