"""Measure what the machine did during a slice, and identify it."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import psutil

from ...base import home, proc
from ...base.errors import WaltaxError
from ...devices.throttling import throttled_s
from ...devices.witness import Witness, witness

Threads = dict[tuple[int, int], dict[str, float]]
"""The kernel's counts for threads since they began, by process and thread: by names of columns."""

_SWITCHES = "voluntary_ctxt_switches"  # of /proc/PID/task/TID/status
_SECTOR = 512  # the unit of sysfs, whatever the device's own
# Positions in a device's counts (Documentation/block/stat.rst), and what one of each is.
_DISK = {
    **{"reads": (0, 1), "read_bytes": (2, _SECTOR), "read_ms": (3, 1)},
    **{"writes": (4, 1), "write_bytes": (6, _SECTOR), "write_ms": (7, 1)},
    **{"busy_ms": (9, 1), "flushes": (15, 1), "flush_ms": (16, 1)},
}


@dataclass(frozen=True)
class Sample:
    """Counters of the kernel at one moment; `since` turns two into row columns."""

    values: dict[str, float]
    threads: Threads = field(default_factory=dict)
    log: Witness | None = None  # below the log's directory
    devices: dict[str, dict[str, float]] = field(default_factory=dict)  # counters of its devices
    with_data: bool | None = None  # whether the log's directory is on the data's file system

    def since(self, earlier: Sample) -> dict[str, Any]:
        machine: dict[str, Any] = _rise(self.values, earlier.values)
        machine |= _difference(self.threads, earlier.threads)
        if self.log is not None:
            machine["wal_below"] = self.log.below
            machine["wal_devices"] = [
                {
                    "device": device.name,
                    "level": device.level,
                    "path_of": device.path_of,
                    "flushed": device.flushed,
                    **_rise(self.devices[device.name], earlier.devices.get(device.name, {})),
                }
                for device in self.log.devices
            ]
        if self.with_data is not None:
            machine["wal_with_data"] = self.with_data
        return machine


def _rise(now: Mapping[str, float], before: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value - before.get(name, 0.0), 6) for name, value in now.items()}


def sample(directories: dict[str, Path], pids: Sequence[int] = ()) -> Sample:
    """Sample counters: CPU, pressure, the scheduler's of the machine and of the processes' threads,
    and of the block device under each named directory; for "wal", of all devices under it. Takes a
    millisecond or two.
    """
    times = psutil.cpu_times()
    idle = times.idle + times.iowait
    values: dict[str, float] = {
        "machine_elapsed_s": time.monotonic(),
        "cgroup_throttled_s": throttled_s(pids) or 0.0,
        "steal_s": times.steal,
        "iowait_s": times.iowait,
        "machine_busy_cpu_s": sum(times[:8]) - idle - times.steal,
    }
    values |= _pressure() | _fetched(pids)
    for name, directory in directories.items():
        values |= {f"diskstats_{name}_{k}": v for k, v in _diskstats(directory).items()}
    log = _below(directories["wal"]) if "wal" in directories else None
    counters = log.counters() if log else {}
    systems = [directories[name].stat().st_dev for name in ("wal", "data") if name in directories]
    with_data = systems[0] == systems[1] if len(systems) == 2 else None
    return Sample(values, _threads(pids), log, counters, with_data)


def _threads(pids: Sequence[int]) -> Threads:
    """Return the counters of each thread of the processes that does not end meanwhile."""
    counters: Threads = {}
    for pid in pids:
        with suppress(OSError):
            for task in Path(f"/proc/{pid}/task").iterdir():
                with suppress(OSError):
                    counters[pid, int(task.name)] = dict(_thread(task))
    return counters


def _difference(later: Threads, earlier: Threads) -> dict[str, float]:
    """Sum what happened in between, over the threads that are left.

    A thread that ended in between does not count, a new one counts from its start: no sum falls.
    """
    sums: dict[str, float] = {}
    for key, counted in later.items():
        before = earlier.get(key, {})
        for name, value in counted.items():
            since = value - before.get(name, 0.0)
            # A new thread may have the number of one that ended.
            sums[name] = sums.get(name, 0.0) + (since if since >= 0 else value)
    return {name: round(value, 6) for name, value in sums.items()}


def _thread(task: Path) -> Iterator[tuple[str, float]]:
    """Yield time on a CPU and time runnable without one, if the kernel keeps them; switches."""
    lines = (line.partition(":") for line in (task / "status").read_text().splitlines())
    status = {name: value.strip() for name, _, value in lines}
    with suppress(OSError):
        run_ns, wait_ns, _ = (task / "schedstat").read_text().split()
        yield "sched_run_s", int(run_ns) / 1e9
        yield "sched_wait_s", int(wait_ns) / 1e9
    if _SWITCHES in status:
        yield "sched_switches_voluntary", float(status[_SWITCHES])


@cache
def _below(directory: Path) -> Witness:
    """Look only once: each slice checks that the file system is the planned one."""
    return witness(directory)


def _pressure() -> dict[str, float]:
    """Return seconds in which some or all tasks waited for memory; nothing without PSI."""
    stalled: dict[str, float] = {}
    with suppress(OSError):
        for line in Path("/proc/pressure/memory").read_text().splitlines():
            share, _, rest = line.partition(" ")
            stalled[f"psi_memory_{share}_s"] = float(rest.rpartition("total=")[2]) / 1e6
    return stalled


def _fetched(pids: Sequence[int]) -> dict[str, float]:
    """Return bytes that the kernel read from a disk for those of these processes that we may ask.

    This includes what it read ahead, but not what it had cached.
    """
    known: list[float] = []
    for pid in pids:
        with suppress(psutil.Error, OSError):
            known.append(psutil.Process(pid).io_counters().read_bytes)
    return {"process_read_bytes": float(sum(known))}


def _diskstats(directory: Path) -> dict[str, float]:
    """Return requests, bytes and times of the device below; nothing for memory-backed ones."""
    device = directory.stat().st_dev
    counts = list[float]()
    with suppress(OSError):
        stat = Path(f"/sys/dev/block/{os.major(device)}:{os.minor(device)}/stat")
        counts = [float(word) for word in stat.read_text().split()]
    return {name: counts[at] * unit for name, (at, unit) in _DISK.items() if at < len(counts)}


def cores() -> int:
    """Return how many CPUs we and our programs may use: taskset and cpusets may leave fewer."""
    return len(os.sched_getaffinity(0))


def provenance() -> dict[str, str | int | float]:
    """Return row columns that say where and with what a slice was measured."""
    return {**_lasting(), "cores": cores()}


@cache
def _lasting() -> dict[str, str | int | float]:
    """Return the columns that stay as long as we run."""
    return {
        "waltax_version": metadata.version("waltax"),
        "git_commit": home.commit() or _commit(),
        "kernel": platform.release(),
        "cpu_model": _cpu_model(),
        "memory_gib": round(psutil.virtual_memory().total / 2**30, 1),
    }


def _commit() -> str:
    git = ("git", "-C", home.ROOT)
    try:
        commit = proc.run([*git, "rev-parse", "--short=12", "HEAD"]).strip()
        return commit + "-dirty" * bool(proc.run([*git, "status", "--porcelain"]).strip())
    except WaltaxError:
        return "unknown"


def _cpu_model() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "unknown"


def warnings() -> list[str]:
    """Return what devalues figures of this machine now."""
    return ["swap is in use"] if psutil.swap_memory().used > 0 else []
