"""Axes that take a few lines: clients, builds, knobs, a device more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from ....base.errors import UsageError
from ....engines import ENGINES
from ....engines.knobs import KNOBS, knob, served
from ....workload import Parameter
from .. import command_line
from .axis import Axis

if TYPE_CHECKING:
    from ...cells.setting import Setting
    from ..recipe import Recipe


class Clients(Axis):
    """The numbers of clients of cells, if several were requested."""

    def values(self, recipe: Any) -> Sequence[str]:
        return [str(number) for number in recipe.threads]


class Builds(Axis):
    """Builds of the engine, which take turns."""

    options = (
        click.option(
            "--build",
            "--builds",
            "builds",
            multiple=True,
            callback=command_line.builds,
            metavar="NAME=DIR",
            help="Builds of the engine, separated by blanks; repeatable: for RocksDB a folder with "
            "include/ and lib/, for a server a mariadbd. They take turns in the same rounds, and "
            "are compared with the first. Default: the build that waltax was set up with.",
        ),
    )

    def values(self, recipe: Any) -> Sequence[str]:
        return [getattr(build, "name", build) for build in recipe.builds]


class Knobs(Axis):
    """Settings of the log, one at a time; `comparison.plan` gives each a cell."""

    def require(self, recipe: Recipe) -> None:
        for name in recipe.knobs:
            knob(name)
            if ENGINES[recipe.engine].on_server:
                served(name, recipe.engine)
            if KNOBS[name].is_of_binlog and recipe.binlog is None:
                raise UsageError(
                    f"--knobs: found {name} without a binlog; add --binlog same, or its device"
                )

    def flags(self, setting: Setting) -> Mapping[str, Parameter]:
        cell = setting.cell
        return KNOBS[cell.knob].flags if cell.knob and not ENGINES[cell.engine].on_server else {}


class WithData(Axis):
    """An additional device: the log beside the data."""

    options = (
        click.option(
            "--wal-with-data",
            is_flag=True,
            help="Measure one more device, `with-data`: the log on the data's file system.",
        ),
    )
