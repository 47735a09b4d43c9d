"""Check how memory is given to programs."""

from __future__ import annotations

import re

from ...devices.kernel import Kernel
from .answer import Answer, ok, unknown, warn
from .machine_view import Seen

_KIB_OF_A_MIB = 1024


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


def _mib(kernel: Kernel, name: str) -> float | None:
    text = kernel.read("/proc/meminfo") or ""
    line = re.search(rf"^{name}:\s+(\d+) kB$", text, re.MULTILINE)
    return None if line is None else int(line[1]) / _KIB_OF_A_MIB
