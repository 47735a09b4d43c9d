"""Who used the CPUs during a job: kernel workers for our syncs, and others who disturb them."""

from __future__ import annotations

import os
import resource
import time
from dataclasses import dataclass
from pathlib import Path

_KERNEL_THREAD = 0x00200000  # PF_KTHREAD of include/linux/sched.h, in the flags of /proc/PID/stat
_QUIET_CORES = 0.2
_MOMENT_S = 0.3  # 30 ticks of /proc/stat a CPU
_TICKS_PER_S = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Load:
    """Seconds since some start: of the clock, of all busy CPUs, of kernel threads, of us.

    `own_s` is of this process and its finished children. `kernel_s` is None in a container that
    does not show kernel threads.
    """

    wall_s: float
    busy_s: float
    kernel_s: float | None
    own_s: float


@dataclass(frozen=True)
class Used:
    """What happened between two moments: CPUs busy for others, seconds of kernel threads."""

    foreign_cores: float
    kernel_s: float | None


def now() -> Load:
    """Read all counters. /proc/stat counts in ticks, so an interval needs many of them."""
    words = Path("/proc/stat").read_text().split("\n", 1)[0].split()
    user, nice, system, _, _, irq, softirq = (int(word) for word in words[1:8])
    return Load(
        wall_s=time.monotonic(),
        busy_s=(user + nice + system + irq + softirq) / _TICKS_PER_S,
        kernel_s=_kernel_threads_s(),
        own_s=_rusage_s(resource.RUSAGE_SELF) + _rusage_s(resource.RUSAGE_CHILDREN),
    )


def used(before: Load, after: Load) -> Used:
    """Return the difference; what cannot be negative is not."""
    both = before.kernel_s is not None and after.kernel_s is not None
    kernel_s = max(0.0, (after.kernel_s or 0) - (before.kernel_s or 0)) if both else None
    ours = after.own_s - before.own_s + (kernel_s or 0.0)
    foreign_s = after.busy_s - before.busy_s - ours
    return Used(max(0.0, foreign_s) / max(1e-6, after.wall_s - before.wall_s), kernel_s)


class Patience:
    """Seconds that may be spent on waiting for a quiet machine."""

    def __init__(self, seconds: float) -> None:
        self._left_s = seconds

    def wait(self) -> None:
        """Return when others have left the CPUs alone for a moment, or patience is at its end."""
        while self._left_s > 0:
            before = now()
            time.sleep(_MOMENT_S)
            self._left_s -= _MOMENT_S
            if used(before, now()).foreign_cores <= _QUIET_CORES:
                return


def _kernel_threads_s() -> float | None:
    """Sum of what schedstat says, in ns, of every kernel thread. One that ends is forgotten."""
    total, seen = 0, False
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            flags = int((entry / "stat").read_text().rpartition(")")[2].split()[6])
            if flags & _KERNEL_THREAD:
                total += int((entry / "schedstat").read_text().split()[0])
                seen = True
        except (OSError, ValueError, IndexError):  # it ended, or the kernel keeps no schedstat
            continue
    return total / 1e9 if seen else None


def _rusage_s(who: int) -> float:
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime
