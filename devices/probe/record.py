"""Turning readings and the kernel's facts into a device that can be replayed elsewhere."""

from __future__ import annotations

import datetime
import math
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from ...base.errors import UsageError
from ...base.printable import one_line
from ..block import UNKNOWN, Disk
from ..check import check
from ..device import Device, Figure, FigureKind, Latencies, Probe, SyncRow
from ..facts import DirectoryFacts
from ..importing.record import SOURCES, key_of, model
from ..kernel import Kernel
from ..quantiles import table
from ..tap_model import MAX_SLEEPS, STATES, FileState
from .costs import caller_cpu, kernel_cpu, sync_sleeps, write_cost
from .doubts import doubts, foreign_cores, spread_percent
from .jobs import PREALLOCATED
from .measure import Measured, pool

ABOUT = "# Measured by waltax devices probe; docs/devices.md says what each key means.\n"
_VAGUE = (UNKNOWN, "virtual")  # the kernel does not say what is behind it
_SOURCE = "probe"


@dataclass(frozen=True)
class Target:
    """What is probed: facts with their warnings, and the class in the device file."""

    facts: DirectoryFacts
    device_class: str


def target(directory: Path, device_class: str | None, kernel: Kernel | None = None) -> Target:
    """Return what the directory sits on.

    Errors: UsageError when neither the kernel nor `device_class` gives the class, or when they
    contradict each other.
    """
    facts = check(directory, kernel=kernel)
    if device_class is None and facts.device_class == UNKNOWN:
        raise UsageError(
            f"{directory}: the kernel does not say what class of device is behind it "
            "(waltax devices check shows what it says); name it with --class"
        )
    chosen = device_class or facts.device_class
    if chosen != facts.device_class and facts.device_class not in _VAGUE:
        raise UsageError(
            f"--class: found {chosen}, but {directory} is on {facts.device_class}; leave it out"
        )
    return Target(facts, chosen)


def device(name: str, of: Target, measured: Measured) -> Device:
    """Return the device that the readings describe, with its evidence."""
    facts = of.facts
    disks = ", ".join(dict.fromkeys(map(_title, facts.disks))) or UNKNOWN
    repeats = max(len(readings) for readings in measured.of("sync").values())
    notes = (
        f"One writer; appended files preallocated by {PREALLOCATED >> 20} MiB, growing files, and "
        "overwritten files. Quantiles are of all repeats together; p100 is set such that the mean "
        "is the measured one; it is no maximum. What a replay leaves out: docs/devices.md."
    )
    data = {
        "name": name,
        "title": one_line(f"{disks}, {facts.fs_type}"),
        "stands_for": one_line(f"{disks} with {facts.fs_type}, as probed"),
        "class": of.device_class,
        "kind": "measured",
        "power_loss_protection": "no" if of.device_class == "ram" else "unknown",
        "notes": notes if measured.preallocates else f"{notes} Nothing could be preallocated.",
        "sources": {
            _SOURCE: f"fio {measured.fio}, ioengine=sync, buffered appends each with a fdatasync, "
            f"{repeats} repeats in random order; see [probe]",
            "fsync": "fsync of a directory after a file was made in it, median of 30",
            **SOURCES,
        },
        "model": _model(of, measured),
        "probe": _probe(of, measured),
    }
    return Device.model_validate(data)


def _title(disk: Disk) -> str:
    if disk.bus == "memory":
        return "memory"
    return f"{disk.bus} disk" if disk.model == UNKNOWN else f"{disk.model} ({disk.bus})"


def _model(of: Target, measured: Measured) -> Latencies:
    memory = of.device_class == "ram"  # a sync there writes nothing, and needs no kernel worker
    write_us, per_kib_us = write_cost(measured)
    kernel_us = 0.0 if memory else kernel_cpu(measured)
    sync, growing, recycled = (_rows(measured, state) for state in STATES)
    caller_us, caller_us_per_kib = fitting(caller_cpu(measured), (*sync, *growing, *recycled))
    return model(
        sync,
        sync_growing=growing,
        sync_recycled=recycled,
        write_us=_figure(write_us),
        write_us_per_kib=_figure(per_kib_us),
        bandwidth_mb_per_s=_figure(0.0 if memory else _sequential_mb_per_s(measured)),
        cpu_caller_us=_figure(caller_us),
        cpu_kernel_us=_figure(kernel_us or 0.0, "estimate" if kernel_us is None else "measured"),
        dir_sync_us=_figure(measured.dir_sync_us, source="fsync"),
        cpu_caller_us_per_kib=_figure(caller_us_per_kib) if caller_us_per_kib else None,
        sync_sleeps=None if memory else _figure(min(round(sync_sleeps(measured), 1), MAX_SLEEPS)),
    )


def fitting(cost: tuple[float, float], rows: Sequence[SyncRow]) -> tuple[float, float]:
    """Return (us, us per KiB) of the caller's CPU time, limited to the median sync of each row.

    CPU times are means over everything and may exceed the medians in memory.
    """
    caller_us, per_kib_us = cost
    medians = [(row.bytes / 1024, row.quantiles_us["p50"]) for row in rows]
    caller_us = round(min(caller_us, *(us for _, us in medians)), 3)
    per_kib_us = min(per_kib_us, *((us - caller_us) / kib for kib, us in medians))
    return caller_us, math.floor(per_kib_us * 1000 + 1e-6) / 1000  # 0.5 may be 0.49999


def _figure(value: float, kind: FigureKind = "measured", source: str = _SOURCE) -> Figure:
    return Figure(value=round(value, 3), kind=kind, source=source)  # the tap reads nanoseconds


def _rows(measured: Measured, state: FileState) -> tuple[SyncRow, ...]:
    return tuple(
        SyncRow(
            bytes=size,
            quantiles_us={key_of(percent): round(us, 3) for percent, us in table(pool(readings))},
            kind="measured",
            tail_kind="measured",
            source=_SOURCE,
        )
        for size, readings in measured.of("sync", state).items()
    )


def _sequential_mb_per_s(measured: Measured) -> float:
    """Return the median rate, in 10^6 bytes a second, of whole MiB with a flush at the end."""
    readings = [r for repeats in measured.of("sequential").values() for r in repeats]
    return median(r.answer.write.iops * r.job.bytes / 1e6 for r in readings)


def _probe(of: Target, measured: Measured) -> Probe:
    facts = of.facts
    return Probe(
        date=datetime.date.today().isoformat(),
        fio=measured.fio,
        cpus=len(os.sched_getaffinity(0)),
        fs_type=facts.fs_type,
        journal=_without_path(facts.filesystem.journal),
        spread_percent=round(spread_percent(measured), 1),
        foreign_cpu_cores=round(foreign_cores(measured), 2),
        sequential_mb_per_s=round(_sequential_mb_per_s(measured), 1),
        warnings=(*doubts(measured, facts, of.device_class), *_warnings(facts)),
    )


# A device file is committed and mailed, so names that somebody gave on this machine (servers,
# users, addresses, volumes, directories) are removed.


def _without_path(journal: str) -> str:
    """Return `FilesystemFacts.journal` without the path of a device."""
    before, path, _ = journal.partition(", /")
    return f"{before})" if path else journal


def _warnings(facts: DirectoryFacts) -> Iterator[str]:
    """Yield the directory's warnings without the names of overlays and loop devices."""
    for text in facts.warnings:
        for layer in facts.layers:
            text = text.replace(layer, _kind_of(layer))
        yield text


def _kind_of(layer: str) -> str:
    """Return the kind of a layer of `DirectoryFacts`, without paths and volume names."""
    kind = re.match(r"overlay|[\w!-]+ \(loop device", layer)
    if kind is None:
        return "a layer that is not named here"
    return kind[0] if kind[0] == "overlay" else f"{kind[0]})"
