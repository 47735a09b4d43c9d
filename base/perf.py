"""CPU counters of processes: instructions, cycles, misses of the last-level cache.

These are the kernel's perf events, read through perf_event_open(2): Python has no maintained
library for them, and a program such as `perf` would have to be started in each slice. A counter is
opened for each thread and also covers the threads which that thread starts later.
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
"""The column that says why other columns are null."""
Event = tuple[int, int]
"""Type and number of an event, as in linux/perf_event.h."""
EVENTS: Mapping[str, Event] = {
    "cpu_instructions": (0, 1),  # PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS
    "cpu_cycles": (0, 0),
    "llc_misses": (0, 3),  # PERF_COUNT_HW_CACHE_MISSES: of the last-level cache
}
"""The row columns, and the event that is counted for each."""

_NUMBERS = {"x86_64": 298, "aarch64": 241}  # of the system call
_INHERIT = 1 << 1
_CLOEXEC = 1 << 3
_TIMES = 3  # PERF_FORMAT_TOTAL_TIME_ENABLED and _RUNNING, after the count
# struct perf_event_attr as first released: type, size, config, period, sample_type, read_format,
# flags, wakeup_events, bp_type, bp_addr.
_ATTRIBUTES = struct.Struct("<IIQQQQQIIQ")
_READ = struct.Struct("<3Q")
_NOT_ALLOWED = (errno.EACCES, errno.EPERM)
_NOT_THERE = (errno.ENOENT, errno.EOPNOTSUPP, errno.ENODEV, errno.ENOSYS, errno.EINVAL)


@dataclass
class Counting:
    """Running counters, which `begin` starts; `end` reads and closes them."""

    descriptors: dict[str, list[int]] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)  # why, by column

    def end(self) -> dict[str, int | str | None]:
        """Return row columns: the counts, None for those that are missing, and why they are."""
        columns: dict[str, int | str | None] = dict.fromkeys(self.missing)
        for name, descriptors in self.descriptors.items():
            counts = [_read(descriptor) for descriptor in descriptors]
            known = [count for count in counts if count is not None]
            columns[name] = sum(known) if len(known) == len(counts) else None
            if columns[name] is None:
                self.missing[name] = "no counter of the CPU was free"
        self.close()
        whys: dict[str, list[str]] = {}
        for name, why in self.missing.items():
            whys.setdefault(why, []).append(name)
        reasons = "; ".join(f"{', '.join(names)}: {why}" for why, names in whys.items())
        return columns | ({MISSING: reasons} if reasons else {})

    def close(self) -> None:
        for descriptors in self.descriptors.values():
            for descriptor in descriptors:
                os.close(descriptor)
        self.descriptors = {}


def begin(pids: Iterable[int], events: Mapping[str, Event] = EVENTS) -> Counting:
    """Start counters for all threads of these processes, and for those that they start later.

    REQUIRES: the processes are stopped, or a thread started meanwhile would be missed. `end`
    reports what cannot be counted.
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
            for descriptor in counting.descriptors.pop(name):
                os.close(descriptor)
            counting.missing[name] = _why(error)
    return counting


def unavailable(events: Mapping[str, Event] = EVENTS) -> str:
    """Return why this machine cannot count some of the events; "" when it can count all."""
    return str(begin([os.getpid()], events).end().get(MISSING) or "")


def _threads(pid: int) -> list[int]:
    with suppress(OSError):
        return [int(task.name) for task in Path(f"/proc/{pid}/task").iterdir()]
    return []


def _open(thread: int, event: Event) -> int:
    """Start a counter for one thread and return its descriptor. Errors: OSError."""
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
    """Return a count, or None when the counter never ran.

    A counter that ran part of the time is scaled to the whole, as `perf stat` does.
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
