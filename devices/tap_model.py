"""The latency model of an emulated WAL device, and its form for the tap (devices/preload/tap).

To add a number, add a field to `DeviceModel` here and a key to `device.Latencies`, and in the same
place a member to struct tap_model in devices/preload/tap/model.h.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from itertools import chain, pairwise
from typing import Any

# Below this the tap's own time dominates: an emulated sync of no time takes about 0.25 us (make
# bench NAME=emulation), and twice that leaves room for the spin's granularity.
FLOOR_US = 0.5
MAX_SYNC_ROWS = 32
MAX_QUANTILES = 64
MAX_SLEEPS = 64  # in one sync; a real one has about three

_MAGIC = 0x454D58544C41574C  # TAP_MODEL_MAGIC
_MIB = 1 << 20


@dataclass(frozen=True)
class SyncLatency:
    """Distribution of the time of a sync with `bytes` unsynced bytes.

    `quantiles` are (percent, microseconds) pairs, both rising. Draws are linear between them, and
    constant outside the first and the last, so one pair (50, x) is the constant x.
    """

    bytes: int
    quantiles: tuple[tuple[float, float], ...]


def _number(factor: float, *, optional: bool = False) -> Any:
    """Declare a number of the model, with the factor of its unit in the tap."""
    metadata = {"factor": factor, "optional": optional}
    return field(default=0.0, metadata=metadata) if optional else field(metadata=metadata)


@dataclass(frozen=True)
class DeviceModel:
    """The cost of system calls on the WAL of a device.

    `sync` has one row a size, in rising order. Times between sizes are linear at equal quantile;
    below the smallest they are the smallest's, beyond the largest (bytes - largest) / bandwidth is
    added. `write_us` + `write_us_per_kib` is the least time of a write call. `bandwidth_mb_per_s`
    is in 10^6 bytes a second, 0 for no limit; writes wait once `cache_mib` of bytes are not written
    back at that rate. `cpu_caller_us` is the CPU time a sync takes on its caller, as part of the
    latency. `cpu_kernel_us` is what kernel workers take besides; the tap lets the caller use it,
    too, within the latency. `sync_sleeps` is how often the caller sleeps in one sync; with 0,
    unknown, the tap sleeps once if a sleep fits.
    """

    sync: tuple[SyncLatency, ...]
    write_us: float = _number(1000)
    write_us_per_kib: float = _number(1000)
    bandwidth_mb_per_s: float = _number(1e6)
    cache_mib: float = _number(_MIB)
    cpu_caller_us: float = _number(1000)
    cpu_kernel_us: float = _number(1000)
    dir_sync_us: float = _number(1000)
    sync_sleeps: float = _number(1, optional=True)


NUMBERS = tuple(number for number in fields(DeviceModel) if number.metadata)
"""The fields of a model that are single numbers, declared by `_number`."""
REQUIRED = tuple(number.name for number in NUMBERS if not number.metadata["optional"])


def packed(model: DeviceModel, seed: int = 1) -> bytes:
    """Return struct tap_model, which a page ends with; `seed` starts the draws."""
    words = [_MAGIC, seed]
    words += [round(getattr(model, number.name) * number.metadata["factor"]) for number in NUMBERS]
    words.append(len(model.sync))
    for row in model.sync:
        pairs = [(round(percent * 1000), round(us * 1000)) for percent, us in row.quantiles]
        words += [row.bytes, len(pairs), *chain(*pairs)]
        words += [0, 0] * (MAX_QUANTILES - len(pairs))
    words += [0, 0] * (1 + MAX_QUANTILES) * (MAX_SYNC_ROWS - len(model.sync))
    return struct.pack(f"<{len(words)}Q", *words)


SIZE = 8 * (2 + len(NUMBERS) + 1 + MAX_SYNC_ROWS * 2 * (1 + MAX_QUANTILES))
"""Bytes of a packed model."""


def sync_us(model: DeviceModel, size: float, percent: float) -> float:
    """Return the time of a sync of `size` unsynced bytes at a quantile, as the tap draws it."""
    return _by_size(model, size, lambda row: _between(row.quantiles, percent))


def mean_sync_us(model: DeviceModel, size: float) -> float:
    """Return the mean time of such a sync, without queueing."""
    return _by_size(model, size, _mean_us)


def _by_size(model: DeviceModel, size: float, of: Callable[[SyncLatency], float]) -> float:
    points = [(float(row.bytes), of(row)) for row in model.sync]
    beyond = max(0.0, size - points[-1][0])
    bandwidth = model.bandwidth_mb_per_s
    return _between(points, size) + (beyond / bandwidth if bandwidth else 0.0)


def _between(points: Sequence[tuple[float, float]], x: float) -> float:
    """Interpolate linearly between the points; stay constant outside them."""
    if x <= points[0][0]:
        return points[0][1]
    for (x0, y0), (x1, y1) in pairwise(points):
        if x <= x1:
            return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    return points[-1][1]


def _mean_us(row: SyncLatency) -> float:
    first, last = row.quantiles[0], row.quantiles[-1]
    return mass(((0.0, first[1]), *row.quantiles, (100.0, last[1])))


def mass(points: Sequence[tuple[float, float]]) -> float:
    """Return what the times between these quantiles, drawn linearly, add to the mean."""
    return sum((b[0] - a[0]) / 100 * (a[1] + b[1]) / 2 for a, b in pairwise(points))
