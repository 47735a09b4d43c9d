"""What the CPUs counted of some processes: instructions, cycles, misses of the last-level cache.

These are the kernel's perf events, by perf_event_open(2): Python has no library of them that is
kept, and a program such as `perf` would have to be started in each slice. A counter is opened for
each thread, and covers the threads that this one makes later.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

MISSING = "cpu_counters_missing"
"""The column that says why others are null."""
Event = tuple[int, int]
"""Type and number of an event, as linux/perf_event.h has them."""
EVENTS: Mapping[str, Event] = {
    "cpu_instructions": (0, 1),  # PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS
    "cpu_cycles": (0, 0),
    "llc_misses": (0, 3),  # PERF_COUNT_HW_CACHE_MISSES: of the last-level cache
}
"""The columns of rows, and what is counted for each."""

_NUMBERS = {"x86_64": 298, "aarch64": 241}  # of the system call
_INHERIT = 1 << 1
_CLOEXEC = 1 << 3
_TIMES = 3  # PERF_FORMAT_TOTAL_TIME_ENABLED and _RUNNING, after the count
# struct perf_event_attr, as its first release had it: type, size, config, period, sample_type,
# read_format, flags, wakeup_events, bp_type, bp_addr.
_ATTRIBUTES = struct.Struct("<IIQQQQQIIQ")
_READ = struct.Struct("<3Q")
_NOT_ALLOWED = (errno.EACCES, errno.EPERM)
_NOT_THERE = (errno.ENOENT, errno.EOPNOTSUPP, errno.ENODEV, errno.ENOSYS, errno.EINVAL)


@dataclass
class Counting:
    """Counters that run, from `begin` on; `end` reads and closes them."""

    descriptors: dict[str, list[int]] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)  # why, by column

    def end(self) -> dict[str, int | str | None]:
        """Row columns: what was counted, None of what was not, and why not."""
        columns: dict[str, int | str | None] = dict.fromkeys(self.missing)
        for name, descriptors in self.descriptors.items():
            counts = [_read(one) for one in descriptors]
            known = [count for count in counts if count is not None]
            columns[name] = sum(known) if len(known) == len(counts) else None
            if columns[name] is None:
                self.missing[name] = "no counter of the CPU was free"
        self.close()
        whys: dict[str, list[str]] = {}
        for name, why in self.missing.items():
            whys.setdefault(why, []).append(name)
        said = "; ".join(f"{', '.join(names)}: {why}" for why, names in whys.items())
        return columns | ({MISSING: said} if said else {})

    def close(self) -> None:
        for descriptors in self.descriptors.values():
            for one in descriptors:
                os.close(one)
        self.descriptors = {}


def begin(pids: Iterable[int], events: Mapping[str, Event] = EVENTS) -> Counting:
    """Count what all threads of these processes do from now on, and those that they make.

    REQUIRES: the processes are stopped, since a thread made meanwhile would be missed. What cannot
    be counted is told by `end`.
    """
    counting = Counting()
    threads = [thread for pid in pids for thread in _threads(pid)]
    for name, event in events.items():
        counting.descriptors[name] = []
        try:
            for thread in threads:
                with suppress(ProcessLookupError):
                    counting.descriptors[name].append(_open(thread, event))
        except OSError as error:
            for one in counting.descriptors.pop(name):
                os.close(one)
            counting.missing[name] = _why(error)
    return counting


def unavailable(events: Mapping[str, Event] = EVENTS) -> str:
    """Why some of it cannot be counted on this machine; empty where all can."""
    found = begin([os.getpid()], events).end().get(MISSING)
    return str(found or "")


def _threads(pid: int) -> list[int]:
    with suppress(OSError):
        return [int(task.name) for task in Path(f"/proc/{pid}/task").iterdir()]
    return []


def _open(thread: int, event: Event) -> int:
    """A counter of one thread, which runs. Errors: OSError."""
    number = _NUMBERS.get(platform.machine())
    if number is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    kind, config = event
    attributes = _ATTRIBUTES.pack(kind, _ATTRIBUTES.size, config, 0, 0, _TIMES, _INHERIT, 0, 0, 0)
    library = ctypes.CDLL(None, use_errno=True)
    library.syscall.restype = ctypes.c_long
    descriptor: int = library.syscall(
        ctypes.c_long(number), attributes, thread, -1, -1, ctypes.c_ulong(_CLOEXEC)
    )
    if descriptor < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return descriptor


def _read(descriptor: int) -> int | None:
    """A count; None where the counter never had its turn. One that had a part of the time is
    taken for as busy in the rest, as `perf stat` has it.
    """
    values: tuple[int, int, int] = _READ.unpack(os.read(descriptor, _READ.size))
    count, enabled_ns, running_ns = values
    if running_ns:
        return round(count * enabled_ns / running_ns)
    return None if enabled_ns else 0


def _why(error: OSError) -> str:
    if error.errno in _NOT_ALLOWED:
        return "not permitted; be root, or set kernel.perf_event_paranoid to 1 or less"
    if error.errno in _NOT_THERE:
        return "neither this CPU nor its hypervisor lets it be counted"
    return str(error.strerror)
