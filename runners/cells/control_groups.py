"""Put a cell's programs into a group of the kernel, which bounds their memory.

Either version of the hierarchy bounds memory: version 2 if it has the controller, else version 1.
The bound is on processes together with the page cache of what they read. A page belongs to the
group that touched it first, in whatever file: what is to count must not be cached before.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from ...base.kernel import Kernel
from ...devices.mounts import read_mounts

_OURS = "waltax-memory-"
_LIMIT_V1 = "memory.limit_in_bytes"
_RESOURCES = ("cpu", "io", "memory")


@dataclass(frozen=True)
class Hierarchy:
    """A mounted tree of groups that bounds memory, `modern` if it is of version 2."""

    point: Path
    modern: bool


@dataclass(frozen=True)
class Usage:
    """The bytes that a group takes. `cache` has the pages of files, `shared` those in memory."""

    limit: int
    used: int
    cache: int
    shared: int


@dataclass(frozen=True)
class MemoryGroup:
    """A bounded group. Use while its folder exists."""

    path: Path
    modern: bool

    @property
    def name(self) -> str:
        return f"cgroup v{2 if self.modern else 1}"

    def limit(self, limit_bytes: int) -> None:
        """Set the limit. Errors: OSError."""
        (self.path / ("memory.max" if self.modern else _LIMIT_V1)).write_text(str(limit_bytes))

    def usage(self) -> Usage:
        """Return what the kernel counts now. Errors: OSError."""
        v1, v2 = (_LIMIT_V1, "memory.usage_in_bytes"), ("memory.max", "memory.current")
        limit, used = (int((self.path / n).read_text()) for n in (v2 if self.modern else v1))
        stat = _numbers(self.path / "memory.stat")
        cache = stat.get("file" if self.modern else "cache", 0)
        return Usage(limit, used, cache, stat.get("shmem", 0))

    def kills(self) -> int:
        """Return how many programs the kernel killed because they did not fit."""
        file = self.path / ("memory.events" if self.modern else "memory.oom_control")
        return _numbers(file).get("oom_kill", 0)

    def members(self) -> frozenset[int]:
        """Return the processes that are in it."""
        return frozenset(map(int, (self.path / "cgroup.procs").read_text().split()))


def hierarchy(kernel: Kernel | None = None) -> Hierarchy | None:
    """Return where memory can be bounded here, or None."""
    kernel = kernel or Kernel()
    for mount in read_mounts(kernel):
        place = Path(kernel.root) / mount.point.lstrip("/")
        if mount.fs_type == "cgroup" and kernel.exists(f"{mount.point}/{_LIMIT_V1}"):
            return Hierarchy(place, modern=False)
        handed_on = (kernel.read(f"{mount.point}/cgroup.subtree_control") or "").split()
        if mount.fs_type == "cgroup2" and "memory" in handed_on:
            return Hierarchy(place, modern=True)
    return None


@contextmanager
def bounded(where: Hierarchy, what: str, limit_bytes: int) -> Iterator[MemoryGroup]:
    """Yield a new group with a limit, removed at the end. Errors: OSError when refused."""
    with _borrowed(where.point, what) as path:
        made = MemoryGroup(path, where.modern)
        # What does not fit must be dropped, not swapped out.
        with suppress(FileNotFoundError):
            (path / ("memory.swap.max" if made.modern else "memory.swappiness")).write_text("0")
        made.limit(limit_bytes)
        yield made


def stalled_s(folder: Path, names: str = "{}.pressure") -> dict[str, float]:
    """Return the seconds so far in which some or all tasks waited for a resource: io_some, ...

    What the kernel does not count is left out: for a group of version 1 all of it.
    """
    stalled: dict[str, float] = {}
    for resource in _RESOURCES:
        with suppress(OSError):
            for line in (folder / names.format(resource)).read_text().splitlines():
                share, _, rest = line.partition(" ")
                stalled[f"{resource}_{share}"] = float(rest.rpartition("total=")[2]) / 1e6
    return stalled


@contextmanager
def _borrowed(top: Path, what: str) -> Iterator[Path]:
    """Yield a new group below `top`; remove it at the end, when all in it must have ended.

    Groups of commands that were killed are removed first; one with processes stays. Errors: OSError
    when the kernel refuses.
    """
    for left in top.glob(f"{_OURS}*"):
        pid = left.name.removeprefix(_OURS).partition("-")[0]
        if not Path(f"/proc/{pid}").exists():
            _remove(left)
    group = top / f"{_OURS}{os.getpid()}-{what}"
    group.mkdir()
    try:
        yield group
    finally:
        _remove(group)


def _remove(group: Path) -> None:
    with suppress(OSError):
        group.rmdir()


def _numbers(file: Path) -> dict[str, int]:
    pairs = (line.split() for line in file.read_text().splitlines())
    return {pair[0]: int(pair[1]) for pair in pairs if len(pair) == 2}
