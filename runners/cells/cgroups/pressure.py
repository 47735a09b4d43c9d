"""Measure how long the programs of a cell waited: pressure stall information of a group.

A group of version 2 counts it without a controller, even beside a hierarchy of version 1. It is
made below our own group, so that whatever limits us limits the programs as before.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from ....devices.kernel import Kernel
from ....devices.mounts import control_groups, read_mounts
from . import group as groups

_RESOURCES = ("cpu", "io", "memory")


@contextmanager
def watched(what: str, kernel: Kernel | None = None) -> Iterator[Path | None]:
    """Yield a new group in which the kernel counts waits, or None if it permits none."""
    kernel = kernel or Kernel()
    mounts = [mount for mount in read_mounts(kernel) if mount.fs_type == "cgroup2"]
    if not mounts or not kernel.exists("/proc/pressure/io"):
        yield None
        return
    top = Path(kernel.root) / mounts[0].point.lstrip("/")
    ours = top / control_groups(kernel).get("", "/").lstrip("/")
    group: Path | None = None
    with ExitStack() as stack:
        with suppress(OSError):
            group = stack.enter_context(groups.borrowed(ours, "cell", what))
        yield group


def stalled_s(folder: Path, names: str = "{}.pressure") -> dict[str, float]:
    """Return the seconds so far in which some or all tasks waited for a resource: io_some, ...

    What the kernel does not count is left out.
    """
    stalled: dict[str, float] = {}
    for resource in _RESOURCES:
        with suppress(OSError):
            for line in (folder / names.format(resource)).read_text().splitlines():
                share, _, rest = line.partition(" ")
                stalled[f"{resource}_{share}"] = float(rest.rpartition("total=")[2]) / 1e6
    return stalled
