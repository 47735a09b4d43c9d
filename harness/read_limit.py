"""A limit of what this process, and all that it starts, reads from the disks below a folder.

The kernel's block cgroup holds it: `io` of version 2, else `blkio` of version 1. It takes root.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ..devices.kernel import Kernel
from ..devices.mounts import read_mounts
from ..devices.witness import witness
from ..errors import UsageError

_NAME = "waltax-reads-"
_MIB = 1 << 20


@contextmanager
def limited(folder: Path, mib_per_s: float, flag: str) -> Iterator[None]:
    """Within it reads are held to so many MiB/s of each disk; what was started must have ended.

    Errors: UsageError, of `flag`, for a folder without such a disk, or a kernel that does not let
    us.
    """
    kernel = Kernel()
    numbers = [
        number
        for one in witness(folder, kernel).devices
        if (number := kernel.read(f"/sys/class/block/{one.name}/dev"))
    ]
    if not numbers:
        raise UsageError(
            f"{flag}: found {folder} on no block device, whose reads could be held; "
            "name one on a disk with --data-dir"
        )
    found = next((mount for mount in read_mounts(kernel) if _limits(kernel, mount.point)), None)
    if found is None:
        raise UsageError(
            f"{flag}: found no cgroup with the io controller; leave it out, or mount one"
        )
    modern = found.fs_type == "cgroup2"
    before = Path(found.point) / _ours(modern).lstrip("/")
    group = Path(found.point) / f"{_NAME}{os.getpid()}"
    try:
        _sweep(group.parent)
        group.mkdir()
        for number in numbers:
            bytes_per_s = round(mib_per_s * _MIB)
            if modern:
                (group / "io.max").write_text(f"{number} rbps={bytes_per_s}")
            else:
                limit = group / "blkio.throttle.read_bps_device"
                limit.write_text(f"{number} {bytes_per_s}")
        _enter(group)
    except OSError as error:
        _remove(group)
        raise UsageError(
            f"{flag}: {group} refuses the limit ({error.strerror}); leave it out, or run as root"
        ) from error
    try:
        yield
    finally:
        _enter(before)
        _remove(group)


def _limits(kernel: Kernel, point: str) -> bool:
    """Whether a folder at this place could have a limit of reads."""
    return kernel.exists(f"{point}/blkio.throttle.read_bps_device") or (
        "io" in (kernel.read(f"{point}/cgroup.subtree_control") or "").split()
    )


def _ours(modern: bool) -> str:
    """The place of our own group below the hierarchy's top."""
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, place = line.split(":", 2)
        if (not controllers) if modern else ("blkio" in controllers.split(",")):
            return place
    return "/"


def _enter(group: Path) -> None:
    (group / "cgroup.procs").write_text(str(os.getpid()))


def _remove(group: Path) -> None:
    with suppress(OSError):
        group.rmdir()


def _sweep(top: Path) -> None:
    """Remove groups of commands that were killed: one with processes stays."""
    for left in top.glob(f"{_NAME}*"):
        if not Path(f"/proc/{left.name.removeprefix(_NAME)}").exists():
            _remove(left)
