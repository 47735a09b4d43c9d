"""Memory for emulated devices, whose WALs live in /dev/shm and could exhaust it."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from ..base.errors import WaltaxError
from .kernel import Kernel

SHM = Path("/dev/shm")
_MIB = 1 << 20


@dataclass(frozen=True)
class Memory:
    """Bytes free on /dev/shm, and bytes available without swapping."""

    shm_free: int
    available: int


def read_memory(kernel: Kernel | None = None) -> Memory:
    """Return this machine's figures; raises WaltaxError where /proc/meminfo lacks MemAvailable."""
    text = (kernel or Kernel()).read("/proc/meminfo") or ""
    for line in text.splitlines():
        key, _, value = line.partition(":")
        if key == "MemAvailable":
            return Memory(shutil.disk_usage(SHM).free, int(value.split()[0]) * 1024)
    raise WaltaxError("/proc/meminfo has no MemAvailable; emulated devices need to know it")


def require(bytes_needed: int, memory: Memory | None = None) -> None:
    """Raise WaltaxError unless both /dev/shm and the memory behind it can hold `bytes_needed`."""
    memory = memory or read_memory()
    if bytes_needed <= min(memory.shm_free, memory.available):
        return
    remedy = (
        f"remount it larger (mount -o remount,size={bytes_needed // _MIB + 1}m {SHM}), "
        if memory.shm_free < bytes_needed <= memory.available
        else ""
    )
    raise WaltaxError(
        f"emulated WALs need {bytes_needed / _MIB:.0f} MiB, but {SHM} has "
        f"{memory.shm_free / _MIB:.0f} MiB free and the machine {memory.available / _MIB:.0f} MiB "
        f"of memory available; {remedy}choose a smaller profile or fewer devices, "
        "or make the devices real (WAL_DIR=...)"
    )
