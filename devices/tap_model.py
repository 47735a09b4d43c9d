"""The latency model of an emulated WAL device, and its text form for the tap (devices/tap/model.c).

Text form, one key a line, integers only, times in nanoseconds:

    waltax-tap-model 1
    seed 7
    write_ns 2500
    write_ns_per_kib 300
    bandwidth_bytes_per_s 500000000
    cache_bytes 67108864
    cpu_caller_ns 25000
    cpu_kernel_ns 15000
    dir_sync_ns 120000
    cpu_caller_ns_per_kib 1500
    sync_sleeps 3
    sync 131 0:90000 50000:100000 100000:400000

`cpu_caller_ns_per_kib` and `sync_sleeps` may be missing, which is 0. A `sync` row is a table of
quantiles, in thousandths of a percent, of the time of a sync that has that many unsynced bytes
before it, in a file preallocated for them. `sync_growing` and `sync_recycled` rows are of files
without preallocation, and of blocks that were written before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

FileState = Literal["preallocated", "growing", "recycled"]

# Below this the tap's own time dominates: an emulated sync that should take nothing takes about
# 0.25 us (bench/emulation.py), twice that leaves room for the spin's granularity.
FLOOR_US = 0.5
MAX_SYNC_ROWS = 32
MAX_QUANTILES = 64
MAX_SLEEPS = 64  # of one sync: a real one has three or so

_MIB = 1 << 20


@dataclass(frozen=True)
class SyncLatency:
    """Distribution of the time of a sync with `bytes` unsynced bytes.

    `quantiles` are (percent, microseconds) pairs, both rising. Draws are linear between them, and
    constant outside the first and the last, so one pair (50, x) is the constant x.
    """

    bytes: int
    quantiles: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class DeviceModel:
    """What a device makes WAL system calls cost.

    `sync` has one row a size, sizes rising: linear between sizes at equal quantile; below the
    smallest the smallest, beyond the largest plus (bytes - largest) / bandwidth. It is for a
    preallocated file that is appended to; `sync_growing` is for one without preallocation,
    `sync_recycled` for overwriting what was written before. Empty, either is as `sync`.
    `write_us` + `write_us_per_kib` is the least time of a write call. `bandwidth_mb_per_s` is in
    10^6 bytes a second, 0 for no limit; writes wait once `cache_mib` of bytes are not written back
    at that rate. `cpu_caller_us` is the CPU time a sync takes on its caller and is part of the
    latency, `cpu_caller_us_per_kib` more for each KiB; `cpu_kernel_us` is what it takes beside the
    caller, on kernel workers. `sync_sleeps` is how often the caller sleeps in one sync; with 0,
    unknown, the tap sleeps once and spins up to the deadline.
    """

    sync: tuple[SyncLatency, ...]
    write_us: float
    write_us_per_kib: float
    bandwidth_mb_per_s: float
    cache_mib: float
    cpu_caller_us: float
    cpu_kernel_us: float
    dir_sync_us: float
    sync_growing: tuple[SyncLatency, ...] = ()
    sync_recycled: tuple[SyncLatency, ...] = ()
    cpu_caller_us_per_kib: float = 0.0
    sync_sleeps: float = 0.0


def render(model: DeviceModel, seed: int = 1) -> str:
    """Return the model as the text that WALTAX_TAP_MODEL names; `seed` starts the draws."""
    lines = [
        "waltax-tap-model 1",
        f"seed {seed}",
        f"write_ns {_ns(model.write_us)}",
        f"write_ns_per_kib {_ns(model.write_us_per_kib)}",
        f"bandwidth_bytes_per_s {round(model.bandwidth_mb_per_s * 1e6)}",
        f"cache_bytes {round(model.cache_mib * _MIB)}",
        f"cpu_caller_ns {_ns(model.cpu_caller_us)}",
        f"cpu_kernel_ns {_ns(model.cpu_kernel_us)}",
        f"dir_sync_ns {_ns(model.dir_sync_us)}",
    ]
    if model.cpu_caller_us_per_kib:
        lines.append(f"cpu_caller_ns_per_kib {_ns(model.cpu_caller_us_per_kib)}")
    if model.sync_sleeps:
        lines.append(f"sync_sleeps {round(model.sync_sleeps)}")
    for key, row in _rows(model):
        table = " ".join(f"{round(percent * 1000)}:{_ns(us)}" for percent, us in row.quantiles)
        lines.append(f"{key} {row.bytes} {table}")
    return "\n".join(lines) + "\n"


def refusal(model: DeviceModel, cores: int) -> str | None:
    """Say why the tap cannot emulate `model` honestly on `cores` CPUs, or None when it can."""
    malformed = _malformed(model)
    if malformed is not None:
        return malformed
    fastest = min(us for _, row in _rows(model) for _, us in row.quantiles)
    if fastest < FLOOR_US:
        return f"a sync of {fastest:g} us is under the tap's floor of {FLOOR_US:g} us"
    needed = 2 if model.cpu_kernel_us > 0 else 1
    if cores < needed:
        return f"{needed} threads spin at once (server, kernel workers), but there are {cores} CPUs"
    return None


def mean_sync_us(model: DeviceModel, size: float, state: FileState = "preallocated") -> float:
    """Return the mean time of a sync of `size` unsynced bytes, as the tap draws it, no queueing."""
    tables = {"growing": model.sync_growing, "recycled": model.sync_recycled}
    rows = tables.get(state) or model.sync
    means = [(row.bytes, _mean_us(row)) for row in rows]
    if size <= means[0][0]:
        return means[0][1]
    for (low, low_us), (high, high_us) in pairwise(means):
        if size <= high:
            return low_us + (high_us - low_us) * (size - low) / (high - low)
    bandwidth = model.bandwidth_mb_per_s
    return means[-1][1] + ((size - means[-1][0]) / bandwidth if bandwidth else 0.0)


def _mean_us(row: SyncLatency) -> float:
    first, last = row.quantiles[0], row.quantiles[-1]
    points = ((0.0, first[1]), *row.quantiles, (100.0, last[1]))
    return sum((b[0] - a[0]) / 100 * (a[1] + b[1]) / 2 for a, b in pairwise(points))


def _tables(model: DeviceModel) -> tuple[tuple[str, tuple[SyncLatency, ...]], ...]:
    return (
        ("sync", model.sync),
        ("sync_growing", model.sync_growing),
        ("sync_recycled", model.sync_recycled),
    )


def _rows(model: DeviceModel) -> Iterator[tuple[str, SyncLatency]]:
    return ((key, row) for key, rows in _tables(model) for row in rows)


def _malformed(model: DeviceModel) -> str | None:
    if not model.sync:
        return f"0 sync sizes, want 1 to {MAX_SYNC_ROWS}"
    for key, rows in _tables(model):
        if len(rows) > MAX_SYNC_ROWS:
            return f"{len(rows)} {key} sizes, want 1 to {MAX_SYNC_ROWS}"
        if any(a.bytes >= b.bytes for a, b in pairwise(rows)):
            return f"{key} sizes must rise"
    for key, row in _rows(model):
        if not 1 <= len(row.quantiles) <= MAX_QUANTILES:
            return f"{key} {row.bytes}: {len(row.quantiles)} quantiles, want 1 to {MAX_QUANTILES}"
        if any(a[0] >= b[0] or a[1] > b[1] for a, b in pairwise(row.quantiles)):
            return f"{key} {row.bytes}: percents and times must rise"
        if row.quantiles[0][0] < 0 or row.quantiles[-1][0] > 100:
            return f"{key} {row.bytes}: percents must lie in 0 to 100"
    scalars = (
        model.write_us,
        model.write_us_per_kib,
        model.bandwidth_mb_per_s,
        model.cache_mib,
        model.cpu_caller_us,
        model.cpu_kernel_us,
        model.dir_sync_us,
        model.cpu_caller_us_per_kib,
        model.sync_sleeps,
    )
    if model.sync_sleeps > MAX_SLEEPS:
        return f"sync_sleeps is {model.sync_sleeps:g}, want {MAX_SLEEPS} or fewer"
    return "costs must not be negative" if min(scalars) < 0 else None


def _ns(us: float) -> int:
    return round(us * 1000)
