"""A cell that was brought up, and what its witnesses tell of one slice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...cell import Cell
from ...devices.resolve import Placement
from ...devices.tap_page import TapCounters, total
from ...engines.server.server import Server
from ...row import Row

if TYPE_CHECKING:
    from ..recipe.axes.axis import Axis

Event = dict[str, Any]
"""What a driver program says, or what is said in its stead of a program that knows no events."""


@dataclass(frozen=True)
class Position:
    """Where in the campaign a slice stands; all count from 0."""

    session: int
    round: int
    slice: int


@dataclass(frozen=True)
class MeasuredNode:
    """What the tap saw of one store's log in a slice, warm-up included, and since its start."""

    wal_dir: Path
    tap: TapCounters
    tap_so_far: TapCounters
    stray_wal_files: tuple[Path, ...]


@dataclass(frozen=True)
class Measured:
    """One slice as its witnesses tell it, with its warm-up: the logs' and the machine's.

    `nodes` are the processes with the engine in them, which only shards have several of. `moment`
    is what axes have to be judged beside the row.
    `server_cpu_s` is user and system time of an engine's own processes, None where the engine is
    in no other process.
    """

    slice: Event
    nodes: tuple[MeasuredNode, ...]
    machine: dict[str, Any]
    server_cpu_s: tuple[float, float] | None = None
    moment: Row = field(default_factory=dict)

    @cached_property
    def tap(self) -> TapCounters:
        """Of all nodes together."""
        return total([node.tap for node in self.nodes])

    @cached_property
    def tap_so_far(self) -> TapCounters:
        """Of all nodes together, from the processes' start on."""
        return total([node.tap_so_far for node in self.nodes])

    @property
    def stray_wal_files(self) -> tuple[Path, ...]:
        return tuple(path for node in self.nodes for path in node.stray_wal_files)


@dataclass(kw_only=True)
class Live:
    """A cell that a session measures: a process that waits between slices, or one a slice.

    `ready` is what was said when it was brought up; its `warnings` may change with each slice.
    """

    cell: Cell
    placement: Placement
    wal_dirs: tuple[Path, ...]  # the log's directory of each node; of one store its own
    seed: int
    ready: Event
    argv: list[str] = field(default_factory=list)
    server: Server | None = None  # the engine's process; None: the engine is in the program's
    axes: Sequence[Axis] = ()  # at work in it
    slices: int = 0  # how many were measured

    @property
    def wal_dir(self) -> Path:
        """The first node's."""
        return self.wal_dirs[0]

    @property
    def engine_pid(self) -> int | None:
        """The process that has the engine in it; None where none waits between slices."""
        return None if self.server is None else self.server.pid

    def measure(self, at: Position, warmup_s: float, measure_s: float) -> Measured:
        """Run one slice while every other cell is frozen. Errors: WaltaxError."""
        raise NotImplementedError

    def check(self) -> dict[str, int] | None:
        """Verify the data, and return how much was looked at; None where nothing can be verified.

        Errors: WaltaxError naming the violations.
        """
        return None

    def freeze(self) -> None:
        """Stop all that runs; nothing does where a program ends with its slice."""

    def kill(self) -> None:
        """End all that runs."""

    def begin_axes(self, pids: Sequence[int]) -> None:
        """Have its axes count these programs from now on, which are stopped."""
        for axis in self.axes:
            axis.begin(pids)

    def axes_told(self, pids: Sequence[int], data: Path) -> tuple[Row, Row]:
        """What the axes have for the slice's row, and what is judged beside that."""
        told, moment = Row(), Row()
        for axis in self.axes:
            told |= axis.told(pids, data)
            moment |= axis.moment()
        return told, moment
