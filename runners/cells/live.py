"""A cell that was brought up, and what its witnesses say of one slice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...cell import Cell
from ...devices.resolve import Placement
from ...devices.tap_page import TapCounters, TapPage, total
from ...engines.server.server import Server
from ...row import Row

if TYPE_CHECKING:
    from ..recipe.axes.axis import Axis

Event = dict[str, Any]
"""What a driver program says, or what is said for a program without events."""


@dataclass(frozen=True)
class Position:
    """The position of a slice in the campaign; all count from 0."""

    session: int
    round: int
    slice: int


@dataclass(frozen=True)
class Node:
    """A process of the engine: its data, its log, and the page in which the tap counts the log.

    The driver's may hold the stores of all shards, whose logs are in folders below `wal_dir`.
    """

    datadirs: tuple[Path, ...]
    wal_dir: Path
    page: TapPage


@dataclass(frozen=True)
class ServerNode(Node):
    """A server that is that process."""

    server: Server


@dataclass(frozen=True)
class MeasuredNode:
    """What the tap saw of one store's log in a slice, warm-up included, and since its start."""

    wal_dir: Path
    tap: TapCounters
    tap_so_far: TapCounters
    stray_wal_files: tuple[Path, ...]


@dataclass(frozen=True)
class Measured:
    """One slice according to its witnesses, with its warm-up: the logs' and the machine's.

    `nodes` are the processes with the engine in them; only shards have several. `moment` is what
    axes are judged by beyond the row. `server_cpu_s` is user and system time of an engine's own
    processes, None if the engine is in no other process.
    """

    slice: Event
    nodes: tuple[MeasuredNode, ...]
    machine: dict[str, Any]
    server_cpu_s: tuple[float, float] | None = None
    moment: Row = field(default_factory=dict)

    @cached_property
    def tap(self) -> TapCounters:
        """The tap's counters of all nodes together."""
        return total([node.tap for node in self.nodes])

    @cached_property
    def tap_so_far(self) -> TapCounters:
        """The tap's counters of all nodes together since the processes' start."""
        return total([node.tap_so_far for node in self.nodes])

    @property
    def stray_wal_files(self) -> tuple[Path, ...]:
        return tuple(path for node in self.nodes for path in node.stray_wal_files)


@dataclass(kw_only=True)
class Live:
    """A cell that a session measures: a process that waits between slices, or one for each slice.

    `ready` is what was said when it was brought up; its `warnings` may change with each slice.
    """

    cell: Cell
    placement: Placement
    wal_dirs: tuple[Path, ...]  # the log's directory of each node; a single store has one
    seed: int
    ready: Event
    argv: list[str] = field(default_factory=list)
    axes: Sequence[Axis] = ()  # at work in it
    slices: int = 0  # how many were measured
    requests: int = 0  # done since it was brought up, if its program counts them

    @property
    def wal_dir(self) -> Path:
        """The first node's directory."""
        return self.wal_dirs[0]

    @property
    def server(self) -> Server | None:
        """The engine's process; None if the engine is in the program's."""
        return None

    @property
    def engine_pid(self) -> int | None:
        """The process that the engine is in; None if none waits between slices."""
        return None

    def measure(self, at: Position, warmup_s: float, measure_s: float) -> Measured:
        """Run one slice while every other cell is frozen. Errors: WaltaxError."""
        raise NotImplementedError

    def settle(self, seconds: float) -> None:
        """Do requests for this long, unmeasured, if its program waits between slices."""

    def catch_up(self, requests: int) -> None:
        """Do requests, unmeasured, until it has done so many since it was brought up."""

    def check(self) -> dict[str, int] | None:
        """Verify the data, and return how much was looked at; None if nothing can be verified.

        Errors: WaltaxError naming the violations.
        """
        return None

    def freeze(self) -> None:
        """Stop all that runs; nothing does if a program ends with its slice."""

    def kill(self) -> None:
        """End all that runs."""

    def begin_axes(self, pids: Sequence[int]) -> None:
        """Have its axes count these stopped programs from now on."""
        for axis in self.axes:
            axis.begin(pids)

    def axes_counted(self, pids: Sequence[int]) -> tuple[Row, Row]:
        """Return the axes' columns of the slice's row, and what is judged beyond that."""
        columns, moment = Row(), Row()
        for axis in self.axes:
            columns |= axis.counted(pids)
            moment |= axis.moment()
        return columns, moment
