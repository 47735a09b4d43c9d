"""A cell that was brought up, and what its witnesses tell of one slice."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from ...cell import Cell
from ...devices.resolve import Placement
from ...devices.tap_page import TapCounters, total
from ...mariadb.server import Server

Event = dict[str, Any]
"""What a driver program says, or what is said in its stead of a program that knows no events."""


@dataclass(frozen=True)
class Position:
    """Where in the campaign a slice stands; all count from 0."""

    session: int
    round: int
    slice: int


@dataclass(frozen=True)
class MeasuredBinlog:
    """What the tap saw of a server's second log, in one slice and since the process's start."""

    folder: Path
    tap: TapCounters
    tap_so_far: TapCounters


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

    `nodes` are the processes with the engine in them, which only shards have several of.
    `server_cpu_s` is user and system time of an engine's own processes, None where the engine is
    in no other process.
    """

    slice: Event
    nodes: tuple[MeasuredNode, ...]
    machine: dict[str, Any]
    server_cpu_s: tuple[float, float] | None = None
    binlog: MeasuredBinlog | None = None

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


class Live(Protocol):
    """A cell that a session measures: a process that waits between slices, or one a slice."""

    @property
    def cell(self) -> Cell: ...
    @property
    def placement(self) -> Placement: ...
    @property
    def wal_dir(self) -> Path: ...
    @property
    def wal_dirs(self) -> tuple[Path, ...]:
        """That of each node; of one store its own."""
        ...

    @property
    def ready(self) -> Event:
        """What was said when it was brought up. `warnings` may change with each slice."""
        ...

    @property
    def argv(self) -> list[str]: ...
    @property
    def seed(self) -> int: ...
    @property
    def server(self) -> Server | None:
        """The engine's process; None when the engine is in the program's."""
        ...

    @property
    def engine_pid(self) -> int | None:
        """The process that has the engine in it; None where none waits between slices."""
        ...

    @property
    def slices(self) -> int:
        """How many were measured."""
        ...

    def measure(self, at: Position, warmup_s: float, measure_s: float) -> Measured:
        """Run one slice while every other cell is frozen. Errors: WaltaxError."""
        ...

    def check(self) -> dict[str, int] | None:
        """Verify the data, and return how much was looked at; None where nothing can be verified.

        Errors: WaltaxError naming the violations.
        """
        ...

    def freeze(self) -> None: ...
    def kill(self) -> None: ...
