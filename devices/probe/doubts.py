"""Doubts about a probe's figures; each is a sentence in the device file."""

from __future__ import annotations

from statistics import median

from ..facts import DirectoryFacts
from .measure import Measured, Reading, kept, p50

SWALLOWED_US = 5.0  # no flush of a disk behind a block layer is faster
_SPREAD_PERCENT = 10.0
_FOREIGN_CORES = 0.2
_FEW = 300
_GAP = 0.1  # of fio's time for a write and its sync, which its latencies may leave unexplained
_GAP_US = 5.0
_BLOCK_CLASSES = frozenset({"nvme", "sata", "sas", "hdd", "nvram", "virtual", "remote"})


def spread_percent(measured: Measured) -> float:
    """Return the range of a size's median over the repeats, in percent; median of all sizes."""
    spreads = []
    for _, _, repeats in measured.synced():
        medians = [p50(reading) for reading in repeats]
        spreads.append(100 * (max(medians) - min(medians)) / max(median(medians), 1e-3))
    return median(spreads)


def foreign_cores(measured: Measured) -> float:
    """Return how many CPUs were busy for others, the mean over the jobs."""
    return sum(reading.foreign_cores for reading in measured.readings) / len(measured.readings)


def doubts(measured: Measured, facts: DirectoryFacts, device_class: str) -> list[str]:
    """Return every doubt, the worst first; `device_class` is the class in the device file."""
    texts = _not_durable(measured, facts, device_class)
    if device_class != facts.device_class:
        texts.append(
            f"class {device_class} was given by the user; the kernel says {facts.device_class}"
        )
    texts += [*_disturbed(measured), *_thin(measured)]
    if not measured.preallocates:
        texts.append(
            "this file system does not preallocate (fallocate with KEEP_SIZE): 'preallocated' is a "
            "growing file, as RocksDB's own log would be here"
        )
    if all(reading.kernel_us is None for reading in measured.readings):
        texts.append("kernel threads are not visible here: cpu_kernel_us is 0 for want of a figure")
    return texts


def _not_durable(measured: Measured, facts: DirectoryFacts, device_class: str) -> list[str]:
    """Return a doubt if a sync was faster than any disk behind a block layer can be."""
    fastest = min(p50(reading) for readings in measured.of("sync").values() for reading in readings)
    dax = facts.filesystem.dax.startswith("yes") or any(disk.dax for disk in facts.disks)
    if fastest >= SWALLOWED_US or dax or not {facts.device_class, device_class} & _BLOCK_CLASSES:
        return []
    return [
        f"not durable: a sync took {fastest:.2g} us, which no disk behind a block layer does; "
        "something swallows it (nobarrier, a host's cache, a library in front of fsync)"
    ]


def _disturbed(measured: Measured) -> list[str]:
    sentences = []
    foreign = foreign_cores(measured)
    if foreign > _FOREIGN_CORES:
        sentences.append(
            f"{foreign:.2g} CPUs were busy for others: syncs waited for a CPU; probe again when "
            "the machine is idle"
        )
    spread = spread_percent(measured)
    if spread > _SPREAD_PERCENT:
        sentences.append(f"medians of a size differ by {spread:.0f} % between repeats")
    total = sum(len(repeats) for _, _, repeats in measured.synced())
    left_out = total - sum(len(kept(repeats)) for _, _, repeats in measured.synced())
    if left_out:
        sentences.append(f"{left_out} of {total} jobs are left out as disturbed")
    return sentences


def _thin(measured: Measured) -> list[str]:
    """Return doubts about single sizes: too few syncs, or time missing in fio's latencies."""
    few = [
        f"{size} B {state} {syncs}"
        for state, size, readings in measured.synced()
        if (syncs := sum(reading.answer.syncs for reading in readings)) < _FEW
    ]
    gaps = [
        f"{size} B"
        for size, readings in measured.of("sync").items()
        if median(map(_unexplained_us, readings)) > _GAP_US
        and median(_unexplained_us(r) * r.answer.writes_per_s / 1e6 for r in readings) > _GAP
    ]
    sentences = []
    if few:
        sentences.append(f"fewer than {_FEW} syncs of {', '.join(few)}: their tails are not known")
    if gaps:
        sentences.append(
            f"over {_GAP:.0%} of the time of {', '.join(gaps)} is neither write nor sync: the "
            "writer waited for a CPU"
        )
    return sentences


def _unexplained_us(r: Reading) -> float:
    """Return the time of a write and its sync that is in neither's latency."""
    return 1e6 / r.answer.writes_per_s - r.answer.write_mean_us - r.answer.sync_mean_us
