"""What the disks below a directory really write: the kernel's count of sectors.

Where nobody counts (memory, remote file systems, ZFS), a plan's bytes are an estimate.
"""

from __future__ import annotations

from ...errors import WaltaxError
from ..block import Disk
from ..kernel import Kernel

_SECTOR = 512  # of /proc/diskstats, whatever the disk's own
_SECTORS_WRITTEN = 9


class Wear:
    """Bytes that each disk has written since this was made, those of other programs included."""

    def __init__(
        self, disks: tuple[Disk, ...], most_bytes: int, kernel: Kernel | None = None
    ) -> None:
        self._kernel, self._most_bytes = kernel or Kernel(), most_bytes
        now = self._written()
        counted = bool(disks) and all(
            one.device_class != "ram" and one.name in now for one in disks
        )
        self._before = {one.name: now[one.name] for one in disks} if counted else {}

    @property
    def counted(self) -> bool:
        """Whether every disk is known."""
        return bool(self._before)

    def require(self, coming_bytes: int = 0) -> None:
        """Errors: WaltaxError when a disk has written more than the most, or may by what comes."""
        now = self._written()
        for name, before in self._before.items():
            written = now.get(name, before) - before
            if written + coming_bytes > self._most_bytes:
                more = f", and the next job may write {coming_bytes / 2**20:,.0f}: "
                raise WaltaxError(
                    f"{name} has written {written / 2**20:,.0f} MiB since the probe began, other "
                    f"programs' included{more if coming_bytes else ', '}more than --max-bytes of "
                    f"{self._most_bytes / 2**20:,.0f} MiB; no device file was written: give more, "
                    "or probe when nobody else writes"
                )

    def _written(self) -> dict[str, int]:
        lines = (self._kernel.read("/proc/diskstats") or "").splitlines()
        words = (line.split() for line in lines)
        return {
            found[2]: int(found[_SECTORS_WRITTEN]) * _SECTOR
            for found in words
            if len(found) > _SECTORS_WRITTEN
        }
