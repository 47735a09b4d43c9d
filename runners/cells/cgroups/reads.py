"""Limit what this process, and all that it starts, reads from the disks below a folder.

The kernel's block cgroup holds the limit: `io` of version 2, or `blkio` of version 1. It takes
root.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from ....base.errors import UsageError
from ....devices.kernel import Kernel
from ....devices.mounts import control_groups
from ....devices.witness import witness
from . import group as groups

_MIB = 1 << 20


@contextmanager
def limited(folder: Path, mib_per_s: float, flag: str) -> Iterator[None]:
    """Hold reads to this many MiB/s of each disk; at the end all that was started must have ended.

    Errors: UsageError, of `flag`, for a folder without such a disk, or when the kernel refuses.
    """
    kernel = Kernel()
    numbers = [
        number
        for device in witness(folder, kernel).devices
        if (number := kernel.read(f"/sys/class/block/{device.name}/dev"))
    ]
    if not numbers:
        raise UsageError(
            f"{flag}: found {folder} on no block device, whose reads could be held; "
            "name one on a disk with --data-dir"
        )
    tree = groups.with_controller(kernel, "io", "blkio.throttle.read_bps_device")
    if tree is None:
        raise UsageError(
            f"{flag}: found no cgroup with the io controller; leave it out, or mount one"
        )
    ours = control_groups(kernel).get("" if tree.modern else "blkio", "/")
    before = tree.point / ours.lstrip("/")
    with ExitStack() as stack:
        try:
            group = stack.enter_context(groups.borrowed(tree.point, "reads"))
            for number in numbers:
                _limit(group, number, round(mib_per_s * _MIB), modern=tree.modern)
            groups.enter(group)
        except OSError as error:
            raise UsageError(
                f"{flag}: {tree.point} refuses the limit ({error.strerror}); leave it out, or run "
                "as root"
            ) from error
        stack.callback(groups.enter, before)
        yield


def _limit(group: Path, number: str, bytes_per_s: int, *, modern: bool) -> None:
    if modern:
        (group / "io.max").write_text(f"{number} rbps={bytes_per_s}")
    else:
        (group / "blkio.throttle.read_bps_device").write_text(f"{number} {bytes_per_s}")
