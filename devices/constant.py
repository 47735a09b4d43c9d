"""Emulated devices that differ only in the time of a sync, as the grid of a latency sweep has them.

Their name contains that time, sync-38us, and stands for them wherever a device is named.
"""

from __future__ import annotations

from typing import Any

from ..device_names import point_name
from . import catalog, tap_model
from .device import Device, Figure, Latencies, SyncRow

# Catalog devices from which they take their other costs: CPU time and bandwidth of a fast one, and
# a limit on CPU time from a slow one.
_FAST, _SLOW = "nvme", "ssd"
# The time is constant up to this many unsynced bytes, more than any group of commits writes.
_CONSTANT_BYTES = 1 << 20


def device(latency_us: int) -> Device:
    """Return the device whose syncs take so long: nvme's, with times of its own.

    The CPU time of a sync is nvme's share of its time, but never more than ssd's, so that both lie
    between such devices. The tap's floor, 0, has no CPU time on kernel workers, since waking one
    takes longer.
    """
    us = max(float(latency_us), tap_model.FLOOR_US)
    nvme, slow = catalog.load(_FAST), _latencies(_SLOW).tap_model()
    latencies = _latencies(_FAST)
    fast = latencies.tap_model()
    share = us / tap_model.mean_sync_us(fast, 4096)
    caller = min(fast.cpu_caller_us * share, slow.cpu_caller_us, us)
    kernel = 0.0 if latency_us == 0 else min(fast.cpu_kernel_us * share, slow.cpu_kernel_us)
    evidence: dict[str, Any] = {"kind": "estimate", "source": "grid"}
    own = {
        "cpu_caller_us": Figure(value=round(caller, 2), **evidence),
        "cpu_kernel_us": Figure(value=round(kernel, 2), **evidence),
        "dir_sync_us": Figure(value=2 * us, **evidence),
    }
    taken = {name: getattr(latencies, name) for name in tap_model.REQUIRED}
    row = SyncRow(bytes=_CONSTANT_BYTES, quantiles_us={"p50": us}, tail_kind="estimate", **evidence)
    return nvme.model_copy(
        update={
            "name": point_name(latency_us),
            "title": f"A log device with a constant sync of {us:g} us",
            "stands_for": f"a sync of {us:g} us",
            "device_class": "virtual",
            "kind": "estimate",
            "power_loss_protection": "not applicable",
            "notes": _FLOOR_NOTES if latency_us == 0 else _NOTES,
            "sources": {**nvme.sources, "grid": _SOURCE},
            "model": Latencies(sync=(row,), **{**taken, **own}),
        }
    )


def _latencies(name: str) -> Latencies:
    model = catalog.load(name).model
    assert model is not None  # both are emulated devices of the catalog
    return model


_SOURCE = (
    "a point of the grid of a latency sweep, which stands for no device; CPU time is nvme's share "
    "of the time of a sync, up to the catalog's ssd, and a directory sync is taken as two syncs"
)
_NOTES = "Every sync takes the same time; the rest is as the catalog's nvme and ssd have it."
_FLOOR_NOTES = (
    f"Point 0 of the grid: {tap_model.FLOOR_US:g} us, the tap's floor, below which its own time is "
    "more. What it costs is the log itself: its records and its write calls."
)
