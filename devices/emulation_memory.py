"""The memory file system of emulated devices' WALs."""

from __future__ import annotations

import shutil
from pathlib import Path

from ..base.errors import WaltaxError

SHM = Path("/dev/shm")
_MIB = 1 << 20


def require(bytes_needed: int) -> None:
    """Raise WaltaxError unless /dev/shm can hold so much; whether memory can, the plan asks."""
    free = shutil.disk_usage(SHM).free
    if free < bytes_needed:
        raise WaltaxError(
            f"emulated WALs need {bytes_needed / _MIB:.0f} MiB, but {SHM} has {free / _MIB:.0f} "
            f"MiB free; remount it larger (mount -o remount,size={bytes_needed // _MIB + 1}m "
            f"{SHM}), choose a smaller profile or fewer devices, or make the devices real "
            "(WAL_DIR=...)"
        )
