"""What makes a probe's figures worth less; each doubt is a sentence in the device file."""

from __future__ import annotations

from statistics import median

from ..facts import DirectoryFacts
from .measure import Measured, Reading, kept, p50

SWALLOWED_US = 5.0  # no flush of a disk behind a block layer is faster
_SPREAD_PERCENT = 10.0
_FOREIGN_CORES = 0.2
_FEW = 300
_GAP = 0.1  # of fio's time for a write and its sync, that its latencies may leave unexplained
_GAP_US = 5.0
_BLOCK_CLASSES = frozenset({"nvme", "sata", "sas", "hdd", "nvram", "virtual", "remote"})


def spread_percent(measured: Measured) -> float:
    """Return the range of a size's median over the repeats, in percent; the median of all sizes."""
    spreads = []
    for _, _, found in measured.synced():
        medians = [p50(one) for one in found]
        spreads.append(100 * (max(medians) - min(medians)) / max(median(medians), 1e-3))
    return median(spreads)


def foreign_cores(measured: Measured) -> float:
    """Return how many CPUs were busy for others, the mean over the jobs."""
    return sum(one.foreign_cores for one in measured.readings) / len(measured.readings)


def doubts(measured: Measured, facts: DirectoryFacts, device_class: str) -> list[str]:
    """Return every doubt, the worst first; `device_class` is the one that the file will carry."""
    found = _not_durable(measured, facts, device_class)
    if device_class != facts.device_class:
        found.append(
            f"class {device_class} was given by the user; the kernel says {facts.device_class}"
        )
    found += [*_disturbed(measured), *_thin(measured)]
    if not measured.preallocates:
        found.append(
            "this file system does not preallocate (fallocate with KEEP_SIZE): 'preallocated' is a "
            "growing file, as RocksDB's own log would be here"
        )
    if all(one.kernel_us is None for one in measured.readings):
        found.append("kernel threads are not visible here: cpu_kernel_us is 0 for want of a figure")
    return found


def _not_durable(measured: Measured, facts: DirectoryFacts, device_class: str) -> list[str]:
    """Whether a sync was faster than any disk behind a block layer, where it is called one."""
    fastest = min(p50(one) for found in measured.of("sync").values() for one in found)
    dax = facts.filesystem.dax.startswith("yes") or any(disk.dax for disk in facts.disks)
    if fastest >= SWALLOWED_US or dax or not {facts.device_class, device_class} & _BLOCK_CLASSES:
        return []
    return [
        f"not durable: a sync took {fastest:.2g} us, which no disk behind a block layer does; "
        "something swallows it (nobarrier, a host's cache, a library in front of fsync)"
    ]


def _disturbed(measured: Measured) -> list[str]:
    found = []
    foreign = foreign_cores(measured)
    if foreign > _FOREIGN_CORES:
        found.append(
            f"{foreign:.2g} CPUs were busy for others: syncs waited for a CPU; probe again when "
            "the machine is idle"
        )
    spread = spread_percent(measured)
    if spread > _SPREAD_PERCENT:
        found.append(f"medians of a size differ by {spread:.0f} % between repeats")
    total = sum(len(repeats) for _, _, repeats in measured.synced())
    left_out = total - sum(len(kept(repeats)) for _, _, repeats in measured.synced())
    if left_out:
        found.append(f"{left_out} of {total} jobs are left out as disturbed")
    return found


def _thin(measured: Measured) -> list[str]:
    """Doubts about single sizes: too few syncs, or time that fio's latencies leave unexplained."""
    few = [
        f"{size} B {state} {syncs}"
        for state, size, found in measured.synced()
        if (syncs := sum(one.answer.syncs for one in found)) < _FEW
    ]
    gaps = [
        f"{size} B"
        for size, found in measured.of("sync").items()
        if median(_unexplained_us(one) for one in found) > _GAP_US
        and median(_unexplained_us(one) * one.answer.writes_per_s / 1e6 for one in found) > _GAP
    ]
    found = []
    if few:
        found.append(f"fewer than {_FEW} syncs of {', '.join(few)}: their tails are not known")
    if gaps:
        found.append(
            f"over {_GAP:.0%} of the time of {', '.join(gaps)} is neither write nor sync: the "
            "writer waited for a CPU"
        )
    return found


def _unexplained_us(one: Reading) -> float:
    """Time of a write and its sync that is in neither's latency."""
    return 1e6 / one.answer.writes_per_s - one.answer.write_mean_us - one.answer.sync_mean_us
