"""Check memory and disk, and whether there is as much as a campaign's plan takes."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

from ...devices.emulation_memory import SHM
from ...devices.kernel import Kernel
from .answer import Answer, ok, unknown, warn
from .machine_view import Needs, Seen

_KIB_OF_A_MIB = 1024
_MIB = 1 << 20


def swap(seen: Seen) -> Answer:
    whole, free = _mib(seen.kernel, "SwapTotal"), _mib(seen.kernel, "SwapFree")
    if whole is None or free is None:
        return unknown("the kernel does not say")
    if whole > free:
        return warn(f"swap is in use: {whole - free:,.0f} MiB")
    return ok(f"none of {whole:,.0f} MiB in use" if whole else "there is none")


def huge_pages(seen: Seen) -> Answer:
    text = seen.kernel.read("/sys/kernel/mm/transparent_hugepage/enabled") or ""
    chosen = re.search(r"\[(\w+)\]", text)
    if chosen is None:
        return unknown("the kernel does not say")
    if chosen[1] == "always":
        return warn("always: the kernel joins and splits pages of servers while they run")
    return ok(chosen[1])


def available(seen: Seen) -> Answer:
    mib = _mib(seen.kernel, "MemAvailable")
    if mib is None:
        return unknown("the kernel does not say")
    return _room(seen, mib, lambda needs: needs.memory_mib, "available")


def shared(seen: Seen) -> Answer:
    """Judge the memory file system, which holds emulated logs."""
    free = _free_mib(seen.kernel, SHM)
    return _room(seen, free, lambda needs: needs.emulated_mib, f"free in {SHM}")


def disk(seen: Seen) -> Answer:
    if seen.data_dir is None:
        return unknown("no directory for the data is known")
    free = _free_mib(seen.kernel, seen.data_dir)
    return _room(seen, free, lambda needs: needs.disk_mib, f"free in {seen.data_dir}")


def _room(seen: Seen, free_mib: float | None, of: Callable[[Needs], float], where: str) -> Answer:
    if free_mib is None:
        return unknown(f"{where}: cannot be read")
    if seen.needs is None:
        return unknown(f"{free_mib:,.0f} MiB {where}; no plan to hold it against")
    needed = of(seen.needs)
    text = f"{free_mib:,.0f} MiB {where}; {seen.needs.plan} takes at most {needed:,.0f} MiB"
    return warn(text) if free_mib < needed else ok(text)


def _mib(kernel: Kernel, name: str) -> float | None:
    text = kernel.read("/proc/meminfo") or ""
    line = re.search(rf"^{name}:\s+(\d+) kB$", text, re.MULTILINE)
    return None if line is None else int(line[1]) / _KIB_OF_A_MIB


def _free_mib(kernel: Kernel, folder: Path) -> float | None:
    try:
        return shutil.disk_usage(kernel.root / str(folder).lstrip("/")).free / _MIB
    except OSError:
        return None
