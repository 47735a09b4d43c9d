"""Doubts about a probe's figures; each is a sentence in the device file."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean, median

from ..facts import DirectoryFacts
from ..tap_model import STATES
from .measure import Measured

SWALLOWED_US = 5.0  # no flush of a disk behind a block layer is faster
_SPREAD_PERCENT = 10.0
_FOREIGN_CORES = 0.2
_FEW = 250
_BLOCK_CLASSES = frozenset({"nvme", "sata", "sas", "hdd", "nvram", "virtual", "remote"})


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
    if fastest < SWALLOWED_US and not dax and {facts.device_class, device_class} & _BLOCK_CLASSES:
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
    if not measured.preallocates:
        yield (
            "this file system does not preallocate (fallocate with KEEP_SIZE): 'preallocated' is a "
            "growing file, as RocksDB's own log would be here"
        )
    if all(reading.kernel_us is None for reading in measured.readings):
        yield "kernel threads are not visible here: cpu_kernel_us is 0 for want of a figure"
