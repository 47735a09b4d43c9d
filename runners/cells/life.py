"""How the cells of a workload are prepared and brought up: the protocol of a kind of cell."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import astuple, dataclass
from operator import add
from pathlib import Path
from typing import Protocol

from ...cell import Cell
from .campaign import Campaign
from .live import Live
from .setting import Setting

Say = Callable[[str], None]


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
