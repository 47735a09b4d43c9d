"""Make groups of our own where that is possible, know who is in them, and leave none behind.

Either version of the hierarchy will do: version 2 if it has the controller, else version 1.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from ....devices.kernel import Kernel
from ....devices.mounts import read_mounts

_OURS = "waltax-"


@dataclass(frozen=True)
class Hierarchy:
    """A mounted tree of groups in which a controller works, `modern` if it is of version 2."""

    point: Path
    modern: bool

    @property
    def name(self) -> str:
        return f"cgroup v{2 if self.modern else 1}"


def with_controller(kernel: Kernel, controller: str, file: str) -> Hierarchy | None:
    """Return the hierarchy whose groups have `file` in version 1, or `controller` in version 2."""
    for mount in read_mounts(kernel):
        place = Path(kernel.root) / mount.point.lstrip("/")
        if mount.fs_type == "cgroup" and kernel.exists(f"{mount.point}/{file}"):
            return Hierarchy(place, modern=False)
        handed_on = (kernel.read(f"{mount.point}/cgroup.subtree_control") or "").split()
        if mount.fs_type == "cgroup2" and controller in handed_on:
            return Hierarchy(place, modern=True)
    return None


@contextmanager
def borrowed(top: Path, kind: str, what: str = "") -> Iterator[Path]:
    """Yield a new group below `top`; remove it at the end, when all in it must have ended.

    Groups of commands that were killed are removed first. Errors: OSError when the kernel refuses.
    """
    sweep(top, kind)
    group = top / "-".join(filter(None, (f"{_OURS}{kind}", str(os.getpid()), what)))
    group.mkdir()
    try:
        yield group
    finally:
        _remove(group)


def sweep(top: Path, kind: str) -> None:
    """Remove groups of commands that were killed; one with processes stays."""
    beginning = f"{_OURS}{kind}-"
    for left in top.glob(f"{beginning}*"):
        pid = left.name.removeprefix(beginning).partition("-")[0]
        if not Path(f"/proc/{pid}").exists():
            _remove(left)


def processes(group: Path) -> Path:
    """Return the file that lists who is in a group, and that adds who is written to it."""
    return group / "cgroup.procs"


def _remove(group: Path) -> None:
    with suppress(OSError):
        group.rmdir()
