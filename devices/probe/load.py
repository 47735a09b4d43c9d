"""What the machine did during a job: who used the CPUs, and what the disks really wrote.

Kernel workers use them for our syncs, and others disturb them. Of disks the kernel counts sectors;
where nobody counts (memory, remote file systems, ZFS), a plan's bytes are an estimate.
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
    cpu = psutil.cpu_times()
    return Load(
        wall_s=time.monotonic(),
        busy_s=cpu.user + cpu.nice + cpu.system + cpu.irq + cpu.softirq,
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


class Wear:
    """Bytes that each disk has written since this was made, those of other programs included."""

    def __init__(
        self, disks: tuple[Disk, ...], most_bytes: int, kernel: Kernel | None = None
    ) -> None:
        self._kernel, self._most_bytes = kernel or Kernel(), most_bytes
        now = self._written()
        counted = bool(disks) and all(
            one.device_class != "ram" and one.name in now for one in disks
        )
        self._before = {one.name: now[one.name] for one in disks} if counted else {}

    @property
    def counted(self) -> bool:
        """Whether every disk is known."""
        return bool(self._before)

    def require(self, coming_bytes: int = 0) -> None:
        """Errors: WaltaxError when a disk has written more than the most, or may by what comes."""
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
        words = (line.split() for line in lines)
        return {
            found[2]: int(found[_SECTORS_WRITTEN]) * _SECTOR
            for found in words
            if len(found) > _SECTORS_WRITTEN
        }
