"""How cells of a kind live: planned, brought up, measured slice by slice, and checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import astuple, dataclass, field
from functools import cached_property
from operator import add
from pathlib import Path
from typing import Any, Protocol

from ...cell import Cell
from ...devices.resolve import Placement
from ...devices.tap_page import TapCounters, TapPage, total
from ...engines.server.server import Server
from .campaign import Campaign
from .setting import AtWork, Setting

Say = Callable[[str], None]
Event = dict[str, Any]
"""What a driver program says, or what is said for a program without events."""


@dataclass(frozen=True)
class Share:
    """What cells take of disk and memory, in MiB.

    All are upper bounds except `written_mib`, an estimate for a whole campaign. `whole_runs` is a
    lower bound of the slices that end when their program does, however long it takes.
    """

    disk_mib: float = 0.0
    written_mib: float = 0.0
    emulated_mib: float = 0.0  # WALs in the memory file system
    processes_mib: float = 0.0
    whole_runs: int = 0

    def __add__(self, other: Share) -> Share:
        return Share(*map(add, astuple(self), astuple(other)))

    @property
    def memory_mib(self) -> float:
        return self.emulated_mib + self.processes_mib


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

    `nodes` are the processes with the engine in them; only shards have several. `server_cpu_s` is
    user and system time of an engine's own processes, None if the engine is in no other process.
    """

    slice: Event
    nodes: tuple[MeasuredNode, ...]
    machine: dict[str, Any]
    server_cpu_s: tuple[float, float] | None = None

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
    axes: Sequence[AtWork] = ()
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


class Life(Protocol):
    """One way in which cells live. `runners/lives.py` is the table of them."""

    def require(self, campaign: Campaign) -> None:
        """Raise UsageError for impossible cells, before anything is written."""
        ...

    def prepare(self, campaign: Campaign, say: Say) -> dict[str, Path | None]:
        """Return each cell's data set by the cell's id, and make those that do not exist yet.

        It is None for a cell that makes its data itself. Errors: WaltaxError.
        """
        ...

    def share(self, campaign: Campaign) -> Share:
        """Return what all cells together take of disk and memory, without touching anything."""
        ...

    def words(self, campaign: Campaign) -> str:
        """Say what is loaded and who works on it, for people; its cells are of one workload."""
        ...

    def bring_up(self, setting: Setting) -> AbstractContextManager[Live]:
        """Bring a cell up on a fresh clone; whatever happens, it leaves nothing behind.

        Errors: WaltaxError when it does not come up, or is not what its label says.
        """
        ...


def workloads_of(cells: tuple[Cell, ...]) -> tuple[str, ...]:
    """Return the cells' workloads, each once, in their order."""
    return tuple(dict.fromkeys(cell.workload for cell in cells))
