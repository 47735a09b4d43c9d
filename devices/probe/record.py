"""Turning readings and the kernel's facts into a TOML device that can be replayed elsewhere.

The file has the order and form of the catalog's. Strings and numbers are written as JSON, which
TOML reads alike, since strings hold no control characters and the strict models no infinities.
"""

from __future__ import annotations

import datetime
import json
import math
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from ...base.errors import UsageError, WaltaxError
from ...base.folders import atomic_file
from ...base.printable import one_line
from ..block import UNKNOWN, Disk
from ..check import check
from ..device import Device, Figure, FigureKind, Latencies, SyncRow
from ..emulation_memory import read_memory
from ..facts import DirectoryFacts
from ..kernel import Kernel
from ..observations import Probe
from ..tap_model import MAX_SLEEPS, STATES, FileState
from .costs import caller_cpu, kernel_cpu, sync_sleeps, write_cost
from .doubts import doubts, foreign_cores, spread_percent
from .fio import Fio
from .jobs import IN_ORDER, TYPICAL
from .measure import SLOW_PERCENT, Measured, pool
from .quantiles import table

_MIB = 1 << 20
_VAGUE = (UNKNOWN, "virtual")  # the kernel does not say what is behind it
_SOURCE = "probe"
_DIRTY = "dirty-limit"
_ORDER = "order"
_ABOUT = "# Measured by waltax devices probe; docs/devices.md says what each key means.\n"
_BEHIND = ("spread", "probe")  # tables that stand below the model


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


def device(name: str, of: Target, program: Fio, measured: Measured, preallocated: int) -> Device:
    """Return the device that the readings describe, with its evidence."""
    facts = of.facts
    disks = ", ".join(dict.fromkeys(_title(disk) for disk in facts.disks)) or UNKNOWN
    data = {
        "name": name,
        "title": one_line(f"{disks}, {facts.fs_type}"),
        "stands_for": one_line(f"{disks} with {facts.fs_type}, as probed"),
        "class": of.device_class,
        "kind": "measured",
        "power_loss_protection": "no" if of.device_class == "ram" else "unknown",
        "notes": _notes(measured, preallocated),
        "sources": _sources(program, measured),
        "model": _model(of, measured),
        "probe": _probe(of, program, measured),
    }
    return Device.model_validate(data)


def _title(disk: Disk) -> str:
    if disk.bus == "memory":
        return "memory"
    model = "" if disk.model == UNKNOWN else f"{disk.model} "
    return f"{model}({disk.bus})" if model else f"{disk.bus} disk"


def _notes(measured: Measured, preallocated: int) -> str:
    text = (
        f"One writer; appended files preallocated by {preallocated / _MIB:.0f} MiB, growing files, "
        "and overwritten files. Quantiles are of all repeats together; p100 is set such that the "
        "mean is the measured one; it is no maximum. What a replay leaves out: docs/devices.md."
    )
    return text if measured.preallocates else f"{text} Nothing could be preallocated."


def _sources(program: Fio, measured: Measured) -> dict[str, str]:
    repeats = max(len(readings) for readings in measured.of("sync").values())
    order = f"{IN_ORDER.writes:,} appends of {TYPICAL} B or fewer, each with a fdatasync, in order"
    return {
        **({} if measured.slow_run is None else {_ORDER: order}),
        _SOURCE: f"fio {program.version}, ioengine=sync, buffered appends each with a fdatasync, "
        f"{repeats} repeats in random order; see [probe]",
        "fsync": "fsync of a directory after a file was made in it, median of 30",
        _DIRTY: "where this kernel starts to slow writers: the middle of its background and hard "
        "dirty limits, of the memory available then; not a figure of the device",
    }


def _model(of: Target, measured: Measured) -> Latencies:
    memory = of.device_class == "ram"  # a sync there writes nothing, and needs no kernel worker
    write_us, per_kib_us = write_cost(measured)
    kernel_us = 0.0 if memory else kernel_cpu(measured)
    sync, growing, recycled = (_rows(measured, state) for state in STATES)
    caller_us, caller_us_per_kib = fitting(caller_cpu(measured), (*sync, *growing, *recycled))
    rate = 0.0 if memory else sequential_mb_per_s(measured)
    slow_run = None if memory else measured.slow_run
    sleeps = 0.0 if memory else round(sync_sleeps(measured), 1)
    return Latencies(
        sync=sync,
        sync_growing=growing,
        sync_recycled=recycled,
        write_us=_figure(write_us),
        write_us_per_kib=_figure(per_kib_us),
        bandwidth_mb_per_s=_figure(rate),
        cache_mib=_figure(dirty_limit_mib(), "estimate", _DIRTY),
        cpu_caller_us=_figure(caller_us),
        cpu_kernel_us=_figure(kernel_us or 0.0, "estimate" if kernel_us is None else "measured"),
        dir_sync_us=_figure(measured.dir_sync_us, source="fsync"),
        cpu_caller_us_per_kib=_figure(caller_us_per_kib) if caller_us_per_kib else None,
        sync_sleeps=None if memory else _figure(min(sleeps, MAX_SLEEPS)),
        slow_percent=None if slow_run is None else _figure(SLOW_PERCENT, source=_ORDER),
        slow_run=None if slow_run is None else _figure(slow_run, source=_ORDER),
    )


def fitting(cost: tuple[float, float], rows: Sequence[SyncRow]) -> tuple[float, float]:
    """Return (us, us per KiB) of the caller's CPU time, limited to the median sync of each row.

    CPU times are means over everything and may exceed the medians in memory.
    """
    caller_us, per_kib_us = cost
    medians = [(row.bytes / 1024, row.quantiles_us["p50"]) for row in rows]
    caller_us = _round(min(caller_us, *(us for _, us in medians)))
    per_kib_us = min(per_kib_us, *((us - caller_us) / kib for kib, us in medians))
    return caller_us, math.floor(per_kib_us * 1000 + 1e-6) / 1000  # 0.5 may be 0.49999


def _figure(value: float, kind: FigureKind = "measured", source: str = _SOURCE) -> Figure:
    return Figure(value=_round(value), kind=kind, source=source)


def _rows(measured: Measured, state: FileState) -> tuple[SyncRow, ...]:
    return tuple(
        SyncRow(
            bytes=size,
            quantiles_us={key_of(percent): _round(us) for percent, us in table(pool(readings))},
            kind="measured",
            tail_kind="measured",
            source=_SOURCE,
        )
        for size, readings in measured.of("sync", state).items()
    )


def key_of(percent: float) -> str:
    """Return "p99_9" for 99.9."""
    return f"p{percent:g}".replace(".", "_")


def _round(value: float) -> float:
    """Round to a nanosecond, which is all that the tap reads."""
    return round(value, 3)


def sequential_mb_per_s(measured: Measured) -> float:
    """Return the median rate, in 10^6 bytes a second, of whole MiB with a flush at the end."""
    readings = [r for repeats in measured.of("sequential").values() for r in repeats]
    return median(r.answer.writes_per_s * r.job.bytes / 1e6 for r in readings)


def dirty_limit_mib(kernel: Kernel | None = None) -> float:
    """Return where the kernel starts to slow a writer of buffered data (mm/page-writeback.c)."""
    kernel = kernel or Kernel()
    available_mib = read_memory(kernel).available / _MIB
    limits = (_dirty_mib(kernel, name, available_mib) for name in ("dirty_background", "dirty"))
    return round(sum(limits) / 2)


def _dirty_mib(kernel: Kernel, name: str, available_mib: float) -> float:
    exact = int(kernel.read(f"/proc/sys/vm/{name}_bytes") or 0)
    if exact:
        return exact / _MIB
    return int(kernel.read(f"/proc/sys/vm/{name}_ratio") or 0) / 100 * available_mib


def _probe(of: Target, program: Fio, measured: Measured) -> Probe:
    facts = of.facts
    return Probe(
        date=datetime.date.today().isoformat(),
        fio=program.version,
        cpus=len(os.sched_getaffinity(0)),
        fs_type=facts.fs_type,
        journal=_without_path(facts.filesystem.journal),
        spread_percent=round(spread_percent(measured), 1),
        foreign_cpu_cores=round(foreign_cores(measured), 2),
        sequential_mb_per_s=round(sequential_mb_per_s(measured), 1),
        warnings=(*doubts(measured, facts, of.device_class), *_warnings(facts)),
    )


# A device file is committed and mailed, so names that somebody gave on this machine (servers,
# users, addresses, volumes, directories) are removed.


def _without_path(journal: str) -> str:
    """Return `FilesystemFacts.journal` without the path of a device."""
    before, path, _ = journal.partition(", /")
    return f"{before})" if path else journal


def _warnings(facts: DirectoryFacts) -> list[str]:
    """Return the directory's warnings without the names of overlays and loop devices."""
    warnings = []
    for text in facts.warnings:
        for layer in facts.layers:
            text = text.replace(layer, _kind_of(layer))
        warnings.append(text)
    return warnings


def _kind_of(layer: str) -> str:
    """Return the kind of a layer of `DirectoryFacts`, without paths and volume names."""
    kind = re.match(r"overlay|[\w!-]+ \(loop device", layer)
    if kind is None:
        return "a layer that is not named here"
    return kind[0] if kind[0] == "overlay" else f"{kind[0]})"


def toml(device: Device, about: str = _ABOUT) -> str:
    """Return the file's text, below a comment."""
    data = device.model_dump(by_alias=True, exclude_none=True)
    model, sources = data.pop("model"), data.pop("sources")
    behind = {name: data.pop(name) for name in _BEHIND if name in data}
    figures = {key: value for key, value in model.items() if isinstance(value, dict)}
    parts = [about + _table(data), f"[sources]\n{_table(sources)}", f"[model]\n{_table(figures)}"]
    for key, rows in model.items():
        if isinstance(rows, (list, tuple)):
            parts += [f"[[model.{key}]]\n{_table(row)}" for row in rows]
    return "\n".join([*parts, *(f"[{name}]\n{_table(table)}" for name, table in behind.items())])


def write(device: Device, path: Path, about: str = _ABOUT) -> None:
    """Write the file, so that a reader never sees half of it. Errors: WaltaxError."""
    try:
        atomic_file.write(path, toml(device, about))
    except OSError as error:
        raise WaltaxError(f"{path}: cannot be written: {error.strerror}") from error


def _table(data: dict[str, Any]) -> str:
    return "".join(f"{key} = {_value(value)}\n" for key, value in data.items())


def _value(value: Any) -> str:
    if isinstance(value, dict):
        # TOML 1.0 requires an inline table to be on one line, however long.
        return "{ " + ", ".join(f"{key} = {_value(item)}" for key, item in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        items = "".join(f"    {_value(item)},\n" for item in value)
        return f"[\n{items}]" if items else "[]"
    return json.dumps(value, ensure_ascii=False)
