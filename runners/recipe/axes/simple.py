"""Axes that take a few lines: clients, builds, knobs, rungs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import click

from ....base.errors import UsageError
from ....engines import ENGINES
from ....engines.builds.build import named
from ....engines.knobs import KNOBS, knob, served
from ....workload import Parameter
from .. import command_line
from .axis import Axis, require_number

if TYPE_CHECKING:
    from ...cells.campaign import Campaign
    from ...cells.setting import Setting
    from ..recipe import Recipe

MAX_THREADS = 1024


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
