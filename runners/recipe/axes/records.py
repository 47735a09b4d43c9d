"""Axes whose values are names of records: builds of the engine, sizes of db_bench, knobs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ....engines import ENGINES
from ....engines.knobs import knob, served
from .. import typed
from .axis import Axis

if TYPE_CHECKING:
    from ..recipe import Recipe


class Builds(Axis):
    """Builds of the engine, which take turns."""

    options = (
        typed.builds(
            "A build of the engine, for RocksDB a folder with include/ and lib/, else a mariadbd; "
            "several, separated by blanks, or repeatable: they take turns in the same rounds, and "
            "are compared with the first. Default: the build that waltax was set up with.",
        ),
    )

    def values(self, recipe: Any) -> Sequence[str]:
        return [getattr(build, "name", build) for build in recipe.builds]


class Sizes(Axis):
    """Sizes of db_bench's keys and values."""

    def values(self, recipe: Any) -> Sequence[str]:
        return tuple(recipe.sizes)


class Knobs(Axis):
    """Settings of the log, one at a time; `cell.plan` gives each a cell."""

    def require(self, recipe: Recipe) -> None:
        for name in recipe.knobs:
            knob(name)
            if ENGINES[recipe.engine].on_server:
                served(name, recipe.engine)
