"""Look at a machine for the checks. A root in place of / makes a recorded machine readable."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ...devices.kernel import Kernel

_RESOURCES = ("cpu", "io", "memory")


@dataclass(frozen=True)
class Window:
    """What the kernel counted in `seconds`; a missing counter is left out.

    `cpu` are clock ticks by the names of /proc/stat, `cpu_ever` since the machine began; `stalled`
    are seconds in which some task waited, by resource.
    """

    seconds: float
    cpu: Mapping[str, int]
    cpu_ever: Mapping[str, int]
    stalled: Mapping[str, float]


@dataclass(frozen=True)
class Seen:
    """A machine, where on it the data would be, and the log's `directory` in the checks of one."""

    kernel: Kernel
    window: Window
    data_dir: Path | None = None
    directory: Path | None = None


def look(
    seconds: float = 5.0,
    *,
    data_dir: Path | None = None,
    kernel: Kernel | None = None,
    pause: Callable[[float], None] = time.sleep,
) -> Seen:
    """Look at the machine for `seconds`."""
    kernel = kernel or Kernel()
    return Seen(
        kernel=kernel,
        window=_watched(kernel, seconds, pause),
        data_dir=data_dir,
    )


def _watched(kernel: Kernel, seconds: float, pause: Callable[[float], None]) -> Window:
    cpu, stalled = _cpu(kernel), _stalled(kernel)
    pause(seconds)
    ever, later = _cpu(kernel), _stalled(kernel)
    return Window(
        seconds=seconds,
        cpu={name: ticks - cpu.get(name, 0) for name, ticks in ever.items()},
        cpu_ever=ever,
        stalled={name: later[name] - stalled[name] for name in later if name in stalled},
    )


def _cpu(kernel: Kernel) -> dict[str, int]:
    """Return ticks of all CPUs by what they did; nothing if the kernel does not say."""
    names = ("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal")
    words = (kernel.read("/proc/stat") or "").partition("\n")[0].split()
    if not words or words[0] != "cpu":
        return {}
    return dict(zip(names, map(int, words[1:]), strict=False))


def _stalled(kernel: Kernel) -> dict[str, float]:
    stalled_s = {}
    for resource in _RESOURCES:
        first = (kernel.read(f"/proc/pressure/{resource}") or "").partition("\n")[0]
        _, total, us = first.rpartition("total=")
        if total:
            stalled_s[resource] = float(us) / 1e6
    return stalled_s
