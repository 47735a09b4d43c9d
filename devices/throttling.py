"""Measure how long the kernel denied us CPUs because a cgroup of ours had used up its quota."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from ..base.kernel import Kernel
from .mounts import Mount, control_groups, read_mounts

# Lines of cpu.stat, in version 2 of the hierarchy and in version 1, and their units a second.
_UNITS = {"throttled_usec": 1e6, "throttled_time": 1e9}


def throttled_s(pids: Iterable[int] = (), kernel: Kernel | None = None) -> float | None:
    """Return the time of the cgroup denied most: ours, those of `pids`, or one above them.

    It is None where the kernel does not say.
    """
    kernel = kernel or Kernel()
    who = ("self", *map(str, pids))
    folders = dict.fromkeys(folder for pid in who for folder in _folders(kernel, pid))
    known = [text for folder in folders if (text := kernel.read(f"{folder}/cpu.stat"))]
    return max(map(_throttled_s, known), default=None)


def _throttled_s(cpu_stat: str) -> float:
    for line in cpu_stat.splitlines():
        name, _, value = line.partition(" ")
        if name in _UNITS:
            return int(value) / _UNITS[name]
    return 0.0


def _folders(kernel: Kernel, pid: str) -> Iterator[str]:
    """Yield the cgroup of a process in each hierarchy that may limit CPUs, and those above it."""
    places = control_groups(kernel, pid)
    for mount in _hierarchies(kernel):
        place = places.get("" if mount.fs_type == "cgroup2" else "cpu")
        if place is not None:
            yield from mount.upwards(place)


@cache
def _hierarchies(kernel: Kernel) -> tuple[Mount, ...]:
    """Return the mounts of version 2, which has all controllers, and of the CPU controller."""
    return tuple(
        mount
        for mount in read_mounts(kernel)
        if mount.fs_type == "cgroup2"
        or (mount.fs_type == "cgroup" and mount.option("cpu") is not None)
    )
