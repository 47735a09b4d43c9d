"""Memory for emulated devices, whose WALs live in /dev/shm and could exhaust it."""

from __future__ import annotations

import shutil
from pathlib import Path

import psutil

from ..base.errors import WaltaxError

SHM = Path("/dev/shm")
_MIB = 1 << 20


def require(bytes_needed: int) -> None:
    """Raise WaltaxError unless both /dev/shm and the memory behind it can hold `bytes_needed`."""
    free, available = shutil.disk_usage(SHM).free, psutil.virtual_memory().available
    if bytes_needed <= min(free, available):
        return
    remedy = (
        f"remount it larger (mount -o remount,size={bytes_needed // _MIB + 1}m {SHM}), "
        if free < bytes_needed <= available
        else ""
    )
    raise WaltaxError(
        f"emulated WALs need {bytes_needed / _MIB:.0f} MiB, but {SHM} has {free / _MIB:.0f} MiB "
        f"free and the machine {available / _MIB:.0f} MiB of memory available; {remedy}choose a "
        "smaller profile or fewer devices, or make the devices real (WAL_DIR=...)"
    )
