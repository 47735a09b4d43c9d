"""Turning readings and the kernel's facts into a device that can be replayed elsewhere."""

from __future__ import annotations

import datetime
import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median

from ...base.errors import UsageError
from ...base.kernel import Kernel
from ...base.printable import one_line
from ..block import UNKNOWN, Disk
from ..check import check
from ..device import Device, Figure, FigureKind, Latencies, Probe, SyncRow
from ..facts import DirectoryFacts
from ..importing.record import SOURCES, model, row
from ..quantiles import table
from ..tap_model import MAX_SLEEPS, STATES, FileState
from .costs import caller_cpu, kernel_cpu, sync_sleeps, write_cost
from .jobs import PREALLOCATED
from .measure import Measured, pool

ABOUT = "# Measured by waltax devices probe; docs/devices.md says what each key means.\n"
_VAGUE = (UNKNOWN, "virtual")  # the kernel does not say what is behind it
_SOURCE = "probe"
_SWALLOWED_US = 5.0  # no flush of a disk behind a block layer is faster
_SPREAD_PERCENT = 10.0
_FOREIGN_CORES = 0.2
_FEW = 250
_BLOCK_CLASSES = frozenset({"nvme", "sata", "sas", "hdd", "nvram", "virtual", "remote"})


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
        "notes": notes,
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
    of = measured.of("sync", state)
    return tuple(row(size, table(pool(readings)), _SOURCE) for size, readings in of.items())


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
        journal=facts.filesystem.journal,
        spread_percent=round(spread_percent(measured), 1),
        foreign_cpu_cores=round(foreign_cores(measured), 2),
        sequential_mb_per_s=round(_sequential_mb_per_s(measured), 1),
        # A file is committed and mailed, so it names nothing that somebody named on this machine.
        warnings=(
            *doubts(measured, facts, of.device_class),
            *(text for text in facts.warnings if not any(layer in text for layer in facts.layers)),
        ),
    )


def spread_percent(measured: Measured) -> float:
    """Return the range of a size's median over the repeats, in percent; median of all sizes."""
    spreads = []
    for repeats in (of for state in STATES for of in measured.of("sync", state).values()):
        medians = [reading.p50_us for reading in repeats]
        spreads.append(100 * (max(medians) - min(medians)) / max(median(medians), 1e-3))
    return median(spreads)


def foreign_cores(measured: Measured) -> float:
    """Return how many CPUs were busy for others, the mean over the jobs."""
    return fmean(reading.foreign_cores for reading in measured.readings)


def doubts(measured: Measured, facts: DirectoryFacts, device_class: str) -> Iterator[str]:
    """Yield every doubt, the worst first; `device_class` is the class in the device file."""
    fastest = min(r.p50_us for readings in measured.of("sync").values() for r in readings)
    dax = facts.filesystem.dax.startswith("yes") or any(disk.dax for disk in facts.disks)
    if fastest < _SWALLOWED_US and not dax and {facts.device_class, device_class} & _BLOCK_CLASSES:
        yield (
            f"not durable: a sync took {fastest:.2g} us, which no disk behind a block layer does; "
            "something swallows it (nobarrier, a host's cache, a library in front of fsync)"
        )
    if device_class != facts.device_class:
        yield f"class {device_class} was given by the user; the kernel says {facts.device_class}"
    foreign, spread = foreign_cores(measured), spread_percent(measured)
    if foreign > _FOREIGN_CORES:
        yield (
            f"{foreign:.2g} CPUs were busy for others: syncs waited for a CPU; probe again when "
            "the machine is idle"
        )
    if spread > _SPREAD_PERCENT:
        yield f"medians of a size differ by {spread:.0f} % between repeats"
    few = [
        f"{size} B {state} {syncs}"
        for state in STATES
        for size, readings in measured.of("sync", state).items()
        if (syncs := sum(reading.answer.synced.N for reading in readings)) < _FEW
    ]
    if few:
        yield f"fewer than {_FEW} syncs of {', '.join(few)}: their tails are not known"
    if all(reading.kernel_us is None for reading in measured.readings):
        yield "kernel threads are not visible here: cpu_kernel_us is 0 for want of a figure"
