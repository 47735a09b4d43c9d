"""Look at a machine for the checks. A root in place of / makes a recorded machine readable."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...devices.kernel import Kernel

_SHORT_S, _LONG_S, _BUDGET_S = 60e-6, 400e-6, 0.1  # as the tap: devices/preload/clock.c
_PROBES = 300
_SET_TIMER_SLACK, _TAPS_SLACK_NS, _DEFAULT_SLACK = 29, 1, 0
_RESOURCES = ("cpu", "io", "memory")


@dataclass(frozen=True)
class Needs:
    """What a campaign's plan takes at most; `plan` says whose plan it is."""

    plan: str
    memory_mib: float  # of the processes and the emulated logs
    emulated_mib: float  # of the emulated logs, in /dev/shm
    disk_mib: float


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
    """A machine, and where on it the data would be.

    `late_us` is how much later than asked a sleeping thread ran, a figure for each probe.
    `directory` is the log's, in the checks of one.
    """

    kernel: Kernel
    window: Window
    late_us: Sequence[float]
    needs: Needs | None = None
    data_dir: Path | None = None
    directory: Path | None = None


def look(
    seconds: float = 5.0,
    *,
    needs: Needs | None = None,
    data_dir: Path | None = None,
    kernel: Kernel | None = None,
    pause: Callable[[float], None] = time.sleep,
) -> Seen:
    """Look at the machine for `seconds`, and a tenth of a second more for its wake-ups."""
    kernel = kernel or Kernel()
    return Seen(
        kernel=kernel,
        window=_watched(kernel, seconds, pause),
        late_us=wake_ups_late_us(),
        needs=needs,
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


def wake_ups_late_us() -> list[float]:
    """Return how late this thread woke, by probes like the tap's (devices/preload/clock.c).

    A shorter wait cannot be slept: the tap spins it. Takes a tenth of a second.
    """
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    prctl(_SET_TIMER_SLACK, _TAPS_SLACK_NS, 0, 0, 0)
    late: list[float] = []
    ends = time.monotonic() + _BUDGET_S
    try:
        while len(late) < _PROBES and time.monotonic() < ends:
            sleep_s = _LONG_S if len(late) % 2 else _SHORT_S
            until = time.monotonic() + sleep_s
            time.sleep(sleep_s)
            late.append((time.monotonic() - until) * 1e6)
    finally:
        prctl(_SET_TIMER_SLACK, _DEFAULT_SLACK, 0, 0, 0)
    return late
