"""Axes that take a few lines: clients, builds, knobs, rungs, and how data are read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ....base.errors import UsageError
from ....cell import Cell
from ....engines import ENGINES
from ....engines.builds.build_names import named
from ....engines.knobs import KNOBS, knob, served
from ....row import Row
from ....workload import Parameter
from .. import command_line
from .axis import Axis, require_number

if TYPE_CHECKING:
    from ...cells.campaign import Campaign
    from ...cells.setting import Setting
    from ..recipe import Recipe

MAX_THREADS = 1024
_LONGEST_READ_US = 1_000_000


class Clients(Axis):
    """The numbers of clients of cells; without one it is the profile's."""

    name = "threads"

    def values(self, recipe: Recipe) -> Sequence[str]:
        return self.of(recipe)

    def require(self, recipe: Recipe) -> None:
        for text in self.of(recipe):
            require_number("--threads", text, 1, MAX_THREADS)


class Builds(Axis):
    """Builds of the engine, which take turns."""

    name = "build"
    options = (
        click.option(
            "--build",
            "--builds",
            "build",
            multiple=True,
            callback=command_line.builds,
            metavar="NAME=DIR",
            help="Builds of the engine, separated by blanks; repeatable: for RocksDB a folder with "
            "include/ and lib/, for a server a mariadbd. They take turns in the same rounds, and "
            "are compared with the first. Default: the build that waltax was set up with.",
        ),
    )

    def values(self, recipe: Recipe) -> Sequence[str]:
        return [text.partition("=")[0] for text in self.of(recipe)]

    def require(self, recipe: Recipe) -> None:
        for text in self.of(recipe):
            named(text)

    def words(self, campaign: Campaign) -> Iterator[str]:
        """Describe each build, and warn of builds that are the same."""
        from ....engines.builds.build import equal_words

        engine = "MariaDB" if ENGINES[campaign.recipe.engine].on_server else "RocksDB"
        for build in campaign.builds.values():
            revision = f", revision {build.revision}" if build.revision else ""
            yield f"build {build.name}: {build.root} ({engine} {build.release}{revision})"
        for same in equal_words(campaign.builds.values()):
            yield f"warning: {same}"


class Knobs(Axis):
    """Settings of the log, one at a time; `comparison.plan` gives each a cell."""

    name = "knob"

    def require(self, recipe: Recipe) -> None:
        for name in self.of(recipe):
            knob(name)
            if ENGINES[recipe.engine].on_server:
                served(name, recipe.engine)
            if KNOBS[name].is_of_binlog and "binlog" not in recipe.axes:
                raise UsageError(
                    f"--knobs: found {name} without a binlog; add --binlog same, or its device"
                )

    def flags(self, setting: Setting) -> Mapping[str, Parameter]:
        cell = setting.cell
        return KNOBS[cell.knob].flags if cell.knob and not ENGINES[cell.engine].on_server else {}


class Rungs(Axis):
    """What is left out to explain a cost; `comparison.ladder` gives each rung a cell."""

    name = "rung"

    def place(self, setting: Setting, _memory: Path) -> Mapping[str, str]:
        return {"WALTAX_TAP_RUNG": setting.cell.tap_rung}


class ReadLatency(Axis):
    """The least time that a read of data takes, in every cell."""

    name = "read_latency"
    options = (
        click.option(
            "--read-latency-us",
            "read_latency",
            type=click.IntRange(0, _LONGEST_READ_US),
            help="Make each read of a data file take at least so long, in every cell, as on a "
            "cloud volume. Default: as it is.",
        ),
    )

    def require(self, recipe: Recipe) -> None:
        for text in self.of(recipe):
            require_number("--read-latency-us", text, 0, _LONGEST_READ_US)

    def words(self, campaign: Campaign) -> Iterator[str]:
        if us := self._us(campaign.recipe):
            yield f"data reads wait {us:,} us (emulated), with and without a log"

    def columns(self, campaign: Campaign, cell: Cell) -> Row:  # noqa: ARG002
        return {"data_read_latency_us": self._us(campaign.recipe)}

    def place(self, setting: Setting, _memory: Path) -> Mapping[str, str]:
        latency_ns = self._us(setting.recipe) * 1000
        data = setting.home / "data" if ENGINES[setting.cell.engine].on_server else setting.home
        environment = {"WALTAX_TAP_DATA_DIR": str(data), "WALTAX_TAP_READ_NS": str(latency_ns)}
        return environment if latency_ns else {}

    def _us(self, recipe: Recipe) -> int:
        return next(map(int, self.of(recipe)), 0)
