"""Describe what a cell is brought up with in one session, where it lives, and with which axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ...engines import Shards

if TYPE_CHECKING:  # because the axes, and so every command's options, begin here
    from ...cell import Cell
    from ...devices.resolve import Placement
    from ...devices.tap_page import TapPage
    from ...engines.builds.build import Build
    from ...profiles import Profile
    from ...row import Row
    from ...workload import Parameter
    from ..recipe.recipe import Recipe

PASSABLE = 0o711
"""The mode of folders that the user whom a program runs as passes through, and cannot list."""


@dataclass(frozen=True)
class Folders:
    """Where cells live. All exist; what is made in them is removed at the end, except in `kept`."""

    disk: Path  # a cell's clone, in a folder of its name
    memory: Path  # emulated logs, the pages in which taps count, servers' sockets
    logs: Mapping[Path, Path]  # for each real device's directory, the folder for logs there
    kept: Path  # what a reader looks up stays here


class AtWork:
    """An axis at work in a cell: what the cell's life asks of it. By default it does nothing."""

    page: TapPage | None = None  # of a server's second log, from `place` on
    log: Path | None = None  # the folder of a server's second log, from `place` on

    def flags(self, _setting: Setting) -> Mapping[str, Parameter]:
        """Return flags of the cell's driver, which has the engine in it, or is its client."""
        return {}

    def place(self, _setting: Setting, _memory: Path) -> Mapping[str, str]:
        """Make what the engine's process needs, such as pages of the tap in a folder; return
        variables of its environment. Errors: WaltaxError.
        """
        return {}

    def begin(self, pids: Sequence[int]) -> None:
        """Count from now on. REQUIRES: the programs are stopped."""

    def counted(self, _pids: Sequence[int]) -> Row:
        """Return columns of a row: what was counted since `begin`."""
        return {}


@dataclass(frozen=True)
class Setting:
    """One cell in one session."""

    cell: Cell
    recipe: Recipe
    placement: Placement
    profile: Profile  # changed by the values of the cell's axes
    data_set: Path | None  # None: the cell makes its data itself
    session: int  # from 0
    folders: Folders
    build: Build | None = None  # None: the usual one
    node: int | None = None  # of the cell's shards, from 0; None: it is one store
    device_page: Path | None = None  # whose emulated device the log is on; None: its own
    axes: Sequence[AtWork] = ()

    @property
    def seed(self) -> int:
        """The session's seed, for its requests and for an emulated device's latencies."""
        return self.recipe.seed + self.session

    @property
    def shards(self) -> Shards:
        return Shards.of(self.cell.shards)

    @property
    def name(self) -> str:
        """Its name in errors and folders: its cell, or a node of that."""
        return self.cell.id if self.node is None else f"{self.cell.id}.node{self.node}"

    @property
    def nodes(self) -> tuple[Setting, ...]:
        """One setting for each of its shards, with data of its own; itself if it is one store."""
        from .data_set import of_nodes

        if self.shards.nodes == 1 or self.data_set is None:
            return (self,)
        data_sets = of_nodes(self.data_set, self.shards.nodes)
        return tuple(
            replace(self, node=number, data_set=path) for number, path in enumerate(data_sets)
        )

    @property
    def flags(self) -> dict[str, Parameter]:
        """Flags that its axes give its driver."""
        return {name: flag for axis in self.axes for name, flag in axis.flags(self).items()}

    def place(self, memory: Path) -> dict[str, str]:
        """Return what axes add to the environment of the engine's process. Errors: see `Axis`."""
        return {
            name: value for axis in self.axes for name, value in axis.place(self, memory).items()
        }

    @property
    def home(self) -> Path:
        """The cell's own folder, on its data's disk."""
        return self.folders.disk / self.name
