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
    sync 131 0:90000 50000:100000 100000:400000

A `sync` row is a table of quantiles, in thousandths of a percent, of the time of a sync that has
that many unsynced bytes before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

# Below this the tap's own time dominates: an emulated sync that should take nothing takes about
# 0.25 us (bench/emulation.py), twice that leaves room for the spin's granularity.
FLOOR_US = 0.5
MAX_SYNC_ROWS = 32
MAX_QUANTILES = 64

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
    smallest the smallest, beyond the largest plus (bytes - largest) / bandwidth.
    `write_us` + `write_us_per_kib` is the least time of a write call. `bandwidth_mb_per_s` is in
    10^6 bytes a second, 0 for no limit; writes wait once `cache_mib` of bytes are not written back
    at that rate. `cpu_caller_us` is the CPU time a sync takes on its caller and is part of the
    latency; `cpu_kernel_us` is what it takes beside the caller, on kernel workers.
    """

    sync: tuple[SyncLatency, ...]
    write_us: float
    write_us_per_kib: float
    bandwidth_mb_per_s: float
    cache_mib: float
    cpu_caller_us: float
    cpu_kernel_us: float
    dir_sync_us: float


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
    for row in model.sync:
        table = " ".join(f"{round(percent * 1000)}:{_ns(us)}" for percent, us in row.quantiles)
        lines.append(f"sync {row.bytes} {table}")
    return "\n".join(lines) + "\n"


def refusal(model: DeviceModel, cores: int) -> str | None:
    """Say why the tap cannot emulate `model` honestly on `cores` CPUs, or None when it can."""
    malformed = _malformed(model)
    if malformed is not None:
        return malformed
    fastest = min(us for row in model.sync for _, us in row.quantiles)
    if fastest < FLOOR_US:
        return f"a sync of {fastest:g} us is under the tap's floor of {FLOOR_US:g} us"
    needed = 2 if model.cpu_kernel_us > 0 else 1
    if cores < needed:
        return f"{needed} threads spin at once (server, kernel workers), but there are {cores} CPUs"
    return None


def _malformed(model: DeviceModel) -> str | None:
    if not 1 <= len(model.sync) <= MAX_SYNC_ROWS:
        return f"{len(model.sync)} sync sizes, want 1 to {MAX_SYNC_ROWS}"
    if any(a.bytes >= b.bytes for a, b in pairwise(model.sync)):
        return "sync sizes must rise"
    for row in model.sync:
        if not 1 <= len(row.quantiles) <= MAX_QUANTILES:
            return f"sync {row.bytes}: {len(row.quantiles)} quantiles, want 1 to {MAX_QUANTILES}"
        if any(a[0] >= b[0] or a[1] > b[1] for a, b in pairwise(row.quantiles)):
            return f"sync {row.bytes}: percents and times must rise"
        if row.quantiles[0][0] < 0 or row.quantiles[-1][0] > 100:
            return f"sync {row.bytes}: percents must lie in 0 to 100"
    scalars = (
        model.write_us,
        model.write_us_per_kib,
        model.bandwidth_mb_per_s,
        model.cache_mib,
        model.cpu_caller_us,
        model.cpu_kernel_us,
        model.dir_sync_us,
    )
    return "costs must not be negative" if min(scalars) < 0 else None


def _ns(us: float) -> int:
    return round(us * 1000)
