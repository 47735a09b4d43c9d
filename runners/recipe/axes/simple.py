"""Axes that take a few lines: clients, builds, knobs, rungs; how data are read, a device more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ....base.errors import UsageError
from ....cell import LONGEST_READ_US, Cell
from ....engines import ENGINES
from ....engines.knobs import KNOBS, knob, served
from ....row import Row
from ....workload import Parameter
from .. import command_line
from .axis import Axis

if TYPE_CHECKING:
    from ...cells.campaign import Campaign
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


class Rungs(Axis):
    """What is left out to explain a cost; `comparison.ladder` gives each rung a cell."""

    def place(self, setting: Setting, _memory: Path) -> Mapping[str, str]:
        return {"WALTAX_TAP_RUNG": setting.cell.tap_rung}


class ReadLatency(Axis):
    """The least time that a read of data takes."""

    options = (
        click.option(
            "--read-latency-us",
            type=click.IntRange(0, LONGEST_READ_US),
            default=0,
            show_default="as it is",
            help="Make each read of a data file take at least so long, in every cell, as on a "
            "cloud volume.",
        ),
    )

    def columns(self, campaign: Campaign, cell: Cell) -> Row:  # noqa: ARG002
        return {"data_read_latency_us": campaign.recipe.read_latency_us}

    def place(self, setting: Setting, _memory: Path) -> Mapping[str, str]:
        latency_ns = setting.recipe.read_latency_us * 1000
        data = setting.home / "data" if ENGINES[setting.cell.engine].on_server else setting.home
        environment = {"WALTAX_TAP_DATA_DIR": str(data), "WALTAX_TAP_READ_NS": str(latency_ns)}
        return environment if latency_ns else {}


class WithData(Axis):
    """An additional device: the log beside the data."""

    options = (
        click.option(
            "--wal-with-data",
            is_flag=True,
            help="Measure one more device, `with-data`: the log on the data's file system.",
        ),
    )
