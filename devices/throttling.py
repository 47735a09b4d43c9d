"""Measure how long the kernel denied us CPUs because a cgroup of ours had used up its quota."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import PurePosixPath

from ..base.kernel import Kernel
from .mounts import read_mounts


def throttled_s(pids: Iterable[int] = (), kernel: Kernel | None = None) -> float | None:
    """Return the time of the cgroup denied most: ours, those of `pids`, or one above them.

    It is None where the kernel does not say, as in version 1 of the hierarchy.
    """
    kernel = kernel or Kernel()
    who = ("self", *map(str, pids))
    folders = dict.fromkeys(folder for pid in who for folder in _folders(kernel, pid))
    known = [text for folder in folders if (text := kernel.read(f"{folder}/cpu.stat"))]
    return max(map(_throttled_s, known), default=None)


def _throttled_s(cpu_stat: str) -> float:
    match = re.search(r"^throttled_usec (\d+)", cpu_stat, re.MULTILINE)
    return int(match[1]) / 1e6 if match else 0.0


def _folders(kernel: Kernel, pid: str) -> Iterator[str]:
    """Yield the folder of a process's cgroup, and those above it."""
    place = re.search(r"^0::/(.*)", kernel.read(f"/proc/{pid}/cgroup") or "", re.MULTILINE)
    if place is not None:
        for top in _tops(kernel):
            below = PurePosixPath(place[1])
            yield from (f"{top}/{folder}" for folder in (below, *below.parents))


@cache
def _tops(kernel: Kernel) -> tuple[str, ...]:
    return tuple(mount.point for mount in read_mounts(kernel) if mount.fs_type == "cgroup2")
