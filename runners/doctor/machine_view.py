"""Look at a machine for the checks. A root in place of / makes a recorded machine readable."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ...devices.kernel import Kernel

_TICKS = ("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal")
_RESOURCES = ("cpu", "io", "memory")


@dataclass(frozen=True)
class Seen:
    """A machine that was watched for `seconds`, and what its kernel counted before and after.

    Counters are seconds in which some task waited for a resource, and clock ticks of all CPUs, by
    the names of /proc/stat; one that the kernel lacks is left out. The checks of a place look at
    `directory`, where a log would be, beside data in `data_dir`.
    """

    kernel: Kernel
    seconds: float
    before: Mapping[str, float]
    after: Mapping[str, float]
    data_dir: Path | None = None
    directory: Path | None = None

    def since(self, *names: str) -> float:
        """Return the sum of what these counters rose by, 0 for those that the kernel lacks."""
        return sum(self.after.get(name, 0.0) - self.before.get(name, 0.0) for name in names)

    def ticks(self) -> float:
        """Return the clock ticks of all CPUs, whatever they did."""
        return self.since(*_TICKS)


def look(
    seconds: float = 5.0,
    *,
    data_dir: Path | None = None,
    kernel: Kernel | None = None,
    pause: Callable[[float], None] = time.sleep,
) -> Seen:
    """Look at the machine for `seconds`."""
    kernel = kernel or Kernel()
    before = _counters(kernel)
    pause(seconds)
    return Seen(kernel, seconds, before, _counters(kernel), data_dir)


def _counters(kernel: Kernel) -> dict[str, float]:
    first, *ticks = (kernel.read("/proc/stat") or "-").partition("\n")[0].split()
    counters = dict(zip(_TICKS, map(float, ticks), strict=False)) if first == "cpu" else {}
    for resource in _RESOURCES:
        line = (kernel.read(f"/proc/pressure/{resource}") or "").partition("\n")[0]
        _, total, us = line.rpartition("total=")
        if total:
            counters[f"waited for {resource}"] = float(us) / 1e6
    return counters
