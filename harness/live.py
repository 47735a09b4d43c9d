"""A cell that was brought up, and what its witnesses tell of one slice."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from ..cell import Cell
from ..devices.resolve import Placement
from ..devices.tap_page import TapCounters
from ..mariadb.server import Server

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
class Measured:
    """One slice as its witnesses tell it. `tap` and `machine` span the warm-up too.

    `tap_so_far` is the tap's page as it stands, from the process's start on. `server_cpu_s` is
    user and system time of an engine's own process, None where the engine is in no other process.
    """

    slice: Event
    tap: TapCounters
    tap_so_far: TapCounters
    machine: dict[str, Any]
    stray_wal_files: tuple[Path, ...]
    server_cpu_s: tuple[float, float] | None = None
    binlog: MeasuredBinlog | None = None


class Live(Protocol):
    """A cell that a session measures: a process that waits between slices, or one a slice."""

    @property
    def cell(self) -> Cell: ...
    @property
    def placement(self) -> Placement: ...
    @property
    def wal_dir(self) -> Path: ...
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
