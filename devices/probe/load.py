"""The machine during a job: who used the CPUs, and what the disks really wrote.

Kernel workers use the CPUs for our syncs, and other programs disturb them. The kernel counts the
sectors of disks; where it does not (memory, remote file systems, ZFS), a plan's bytes are an
estimate.
"""

from __future__ import annotations

import resource
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

from ...base.errors import WaltaxError
from ..block import Disk
from ..kernel import Kernel

_KERNEL_THREAD = 0x00200000  # PF_KTHREAD of include/linux/sched.h, in the flags of /proc/PID/stat
_QUIET_CORES = 0.2
_MOMENT_S = 0.3  # 30 ticks of /proc/stat a CPU
_SECTOR = 512  # of /proc/diskstats, whatever the disk's own
_SECTORS_WRITTEN = 9


@dataclass(frozen=True)
class Load:
    """Seconds since some start: on the clock, of all busy CPUs, of kernel threads, and our own.

    `own_s` includes our finished children. `kernel_s` is None in a container that does not show
    kernel threads.
    """

    wall_s: float
    busy_s: float
    kernel_s: float | None
    own_s: float


@dataclass(frozen=True)
class Used:
    """Use of the CPUs between two moments: CPUs busy for others, seconds of kernel threads."""

    foreign_cores: float
    kernel_s: float | None


def now() -> Load:
    """Read all counters. /proc/stat counts ticks, so an interval must span many of them."""
    cpu = psutil.cpu_times()
    return Load(
        wall_s=time.monotonic(),
        busy_s=cpu.user + cpu.nice + cpu.system + cpu.irq + cpu.softirq,
        kernel_s=_kernel_threads_s(),
        own_s=_rusage_s(resource.RUSAGE_SELF) + _rusage_s(resource.RUSAGE_CHILDREN),
    )


def used(before: Load, after: Load) -> Used:
    """Return the difference between two readings, without negative values."""
    both = before.kernel_s is not None and after.kernel_s is not None
    kernel_s = max(0.0, (after.kernel_s or 0) - (before.kernel_s or 0)) if both else None
    ours = after.own_s - before.own_s + (kernel_s or 0.0)
    foreign_s = after.busy_s - before.busy_s - ours
    return Used(max(0.0, foreign_s) / max(1e-6, after.wall_s - before.wall_s), kernel_s)


class Patience:
    """A budget of seconds for waiting until the machine is quiet."""

    def __init__(self, seconds: float) -> None:
        self._left_s = seconds

    def wait(self) -> None:
        """Wait until others leave the CPUs alone for a moment, or the budget is spent."""
        while self._left_s > 0:
            before = now()
            time.sleep(_MOMENT_S)
            self._left_s -= _MOMENT_S
            if used(before, now()).foreign_cores <= _QUIET_CORES:
                return


def _kernel_threads_s() -> float | None:
    """Return the CPU time of all kernel threads, from schedstat; those that ended are missing."""
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


class Wear:
    """Bytes that each disk has written since the start, including those of other programs."""

    def __init__(
        self, disks: tuple[Disk, ...], most_bytes: int, kernel: Kernel | None = None
    ) -> None:
        self._kernel, self._most_bytes = kernel or Kernel(), most_bytes
        now = self._written()
        counted = disks and all(d.device_class != "ram" and d.name in now for d in disks)
        self._before = {disk.name: now[disk.name] for disk in disks} if counted else {}

    @property
    def counted(self) -> bool:
        """Whether the kernel counts for every disk."""
        return bool(self._before)

    def require(self, coming_bytes: int = 0) -> None:
        """Raise WaltaxError when a disk has written too much, or may with `coming_bytes` more."""
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
        table = (line.split() for line in lines)
        return {
            words[2]: int(words[_SECTORS_WRITTEN]) * _SECTOR
            for words in table
            if len(words) > _SECTORS_WRITTEN
        }
