"""Bound the memory of a group's processes together with the page cache of what they read.

`memory.max` of version 2 holds the bound, or `memory.limit_in_bytes` of version 1. A page belongs
to the group that touched it first, in whatever file: what is to count must not be cached before.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from ....devices.kernel import Kernel
from . import group as groups

_LIMIT_V1 = "memory.limit_in_bytes"
_PEAK_V1 = "memory.max_usage_in_bytes"


@dataclass(frozen=True)
class Usage:
    """The bytes that a group takes. `cache` has the pages of files, `shared` those in memory."""

    limit: int
    most: int  # since the last `begin`; in version 2 what it takes now
    cache: int
    shared: int


@dataclass(frozen=True)
class MemoryGroup:
    """A bounded group. Use while its folder exists."""

    path: Path
    name: str  # the kernel's means
    modern: bool

    def begin(self, limit_bytes: int) -> None:
        """Set the limit, and count peak usage from now on. Errors: OSError."""
        self.limit(limit_bytes)
        if not self.modern:
            (self.path / _PEAK_V1).write_text("0")

    def limit(self, limit_bytes: int) -> None:
        """Set the limit. Errors: OSError."""
        (self.path / ("memory.max" if self.modern else _LIMIT_V1)).write_text(str(limit_bytes))

    def usage(self) -> Usage:
        """Return what the kernel counts now. Errors: OSError."""
        stat = _numbers(self.path / "memory.stat")
        if self.modern:
            # Linux before 6.12 cannot reset its peak.
            return Usage(
                self._number("memory.max"),
                self._number("memory.current"),
                stat.get("file", 0),
                stat.get("shmem", 0),
            )
        most = self._number(_PEAK_V1)
        return Usage(self._number(_LIMIT_V1), most, stat.get("cache", 0), stat.get("shmem", 0))

    def kills(self) -> int:
        """Return how many programs the kernel killed because they did not fit."""
        file = self.path / ("memory.events" if self.modern else "memory.oom_control")
        return _numbers(file).get("oom_kill", 0)

    def members(self) -> frozenset[int]:
        """Return the processes that are in it."""
        return frozenset(int(word) for word in groups.processes(self.path).read_text().split())

    def _number(self, file: str) -> int:
        return int((self.path / file).read_text())


def hierarchy(kernel: Kernel | None = None) -> groups.Hierarchy | None:
    """Return where memory can be bounded here, or None."""
    return groups.with_controller(kernel or Kernel(), "memory", _LIMIT_V1)


@contextmanager
def bounded(where: groups.Hierarchy, what: str, limit_bytes: int) -> Iterator[MemoryGroup]:
    """Yield a new group with a limit, removed at the end. Errors: OSError when refused."""
    with groups.borrowed(where.point, "memory", what) as path:
        made = MemoryGroup(path, where.name, where.modern)
        # What does not fit must be dropped, not swapped out.
        with suppress(FileNotFoundError):
            (path / ("memory.swap.max" if made.modern else "memory.swappiness")).write_text("0")
        made.begin(limit_bytes)
        yield made


def _numbers(file: Path) -> dict[str, int]:
    pairs = (line.split() for line in file.read_text().splitlines())
    return {pair[0]: int(pair[1]) for pair in pairs if len(pair) == 2}
