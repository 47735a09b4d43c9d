"""Turning readings and the kernel's facts into a device that can be replayed elsewhere."""

from __future__ import annotations

import datetime
import os
from collections.abc import Iterator
from statistics import fmean, median

from ..block import UNKNOWN, Disk
from ..device import Device, Figure, FigureKind, Latencies
from ..facts import DirectoryFacts
from ..importing.record import measured_device, model, row
from ..quantiles import table
from ..tap_model import MAX_SLEEPS
from .jobs import PREALLOCATED
from .measure import Measured, caller_cpu, kernel_cpu, pool, sync_sleeps, write_cost

ABOUT = "# Measured by waltax devices probe; docs/devices.md says what each key means.\n"
_SOURCE = "probe"
_SWALLOWED_US = 5.0  # no flush of a disk behind a block layer is faster
_SPREAD_PERCENT = 10.0
_FOREIGN_CORES = 0.2
_BLOCK_CLASSES = frozenset({"nvme", "sata", "sas", "hdd", "nvram", "virtual", "remote"})


def device(
    name: str, facts: DirectoryFacts, device_class: str | None, measured: Measured
) -> Device:
    """Return the device that the readings describe; `device_class` is what the user says it is.

    Its file is committed and mailed, so it names nothing that somebody named on this machine.
    """
    chosen = class_of(facts, device_class)
    disks = ", ".join(dict.fromkeys(map(_title, facts.disks))) or UNKNOWN
    repeats = max(len(readings) for readings in measured.of("sync").values())
    warnings = (
        *doubts(measured, facts, chosen),
        *(text for text in facts.warnings if not any(layer in text for layer in facts.layers)),
    )
    return measured_device(
        name,
        chosen,
        title=f"{disks}, {facts.fs_type}",
        stands_for=f"{disks} with {facts.fs_type}, as probed",
        notes=f"One writer; appended files preallocated by {PREALLOCATED >> 20} MiB. Quantiles are "
        "of all repeats together; p100 is set such that the mean is the measured one; it is no "
        "maximum. What a replay leaves out: docs/devices.md.",
        sources={
            _SOURCE: f"{measured.fio} on {datetime.date.today().isoformat()}, buffered appends "
            f"each with a fdatasync, {repeats} repeats in random order; {facts.fs_type}, journal "
            f"{facts.filesystem.journal}, {len(os.sched_getaffinity(0))} CPUs",
            "fsync": "fsync of a directory after a file was made in it, median of 30",
        },
        model=_model(measured, memory=chosen == "ram"),
        probe={"warnings": warnings},
    )


def class_of(facts: DirectoryFacts, device_class: str | None) -> str:
    """Return the class in the device file; what nobody says is called virtual."""
    known = "virtual" if facts.device_class == UNKNOWN else facts.device_class
    return device_class or known


def _title(disk: Disk) -> str:
    if disk.bus == "memory":
        return "memory"
    return f"{disk.bus} disk" if disk.model == UNKNOWN else f"{disk.model} ({disk.bus})"


def _model(measured: Measured, *, memory: bool) -> Latencies:
    """Return the model; a sync in memory writes nothing, and needs no kernel worker."""
    write_us, per_kib_us = write_cost(measured)
    kernel_us = 0.0 if memory else kernel_cpu(measured)
    sync = tuple(
        row(size, table(pool(readings)), _SOURCE) for size, readings in measured.of("sync").items()
    )
    # CPU times are means over everything and may exceed the medians in memory.
    caller_us = min(caller_cpu(measured), *(each.quantiles_us["p50"] for each in sync))
    return model(
        sync,
        write_us=_figure(write_us),
        write_us_per_kib=_figure(per_kib_us),
        bandwidth_mb_per_s=_figure(0.0 if memory else _sequential_mb_per_s(measured)),
        cpu_caller_us=_figure(caller_us),
        cpu_kernel_us=_figure(kernel_us or 0.0, "estimate" if kernel_us is None else "measured"),
        dir_sync_us=_figure(measured.dir_sync_us, source="fsync"),
        sync_sleeps=None if memory else _figure(min(round(sync_sleeps(measured), 1), MAX_SLEEPS)),
    )


def _figure(value: float, kind: FigureKind = "measured", source: str = _SOURCE) -> Figure:
    return Figure(value=round(value, 3), kind=kind, source=source)  # the tap reads nanoseconds


def _sequential_mb_per_s(measured: Measured) -> float:
    """Return the median rate, in 10^6 bytes a second, of whole MiB with a flush at the end."""
    readings = [r for repeats in measured.of("sequential").values() for r in repeats]
    return median(r.answer.write.iops * r.job.bytes / 1e6 for r in readings)


def doubts(measured: Measured, facts: DirectoryFacts, device_class: str) -> Iterator[str]:
    """Yield every doubt, the worst first; `device_class` is the class in the device file."""
    fastest = min(r.p50_us for readings in measured.of("sync").values() for r in readings)
    dax = facts.filesystem.dax.startswith("yes") or any(disk.dax for disk in facts.disks)
    if fastest < _SWALLOWED_US and not dax and {facts.device_class, device_class} & _BLOCK_CLASSES:
        yield (
            f"not durable: a sync took {fastest:.2g} us, which no disk behind a block layer does; "
            "something swallows it (nobarrier, a host's cache, a library in front of fsync)"
        )
    if device_class not in (facts.device_class, class_of(facts, None)):
        yield f"class {device_class} was given by the user; the kernel says {facts.device_class}"
    foreign = fmean(reading.foreign_cores for reading in measured.readings)
    medians = [[r.p50_us for r in readings] for readings in measured.of("sync").values()]
    spread = median(100 * (max(us) - min(us)) / max(median(us), 1e-3) for us in medians)
    if foreign > _FOREIGN_CORES:
        yield (
            f"{foreign:.2g} CPUs were busy for others: syncs waited for a CPU; probe again when "
            "the machine is idle"
        )
    if spread > _SPREAD_PERCENT:
        yield f"medians of a size differ by {spread:.0f} % between repeats"
