"""Where a device lies on a curve: the mean time of its syncs, at the bytes that they would have."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...analysis.sweep import Curve
    from ...devices import Device
    from ...devices.tap_model import DeviceModel

_TURNS = 100
_CLOSE = 1e-6  # relative
_UNKNOWN_BYTES = 4096.0  # where a curve's rows do not say


def sync_us(curve: Curve, model: DeviceModel) -> float:
    """The mean time of a sync of the log on this device, in us.

    A slower sync lets more commits gather for the next, which then has more bytes and, on most
    devices, takes longer still. Each turn asks the curve how many bytes, and the model how long.
    Neither falls, so that the turns end at the least time that both agree on. What a caller waits
    longer, where cores are busy, is the curve's to add.
    """
    from ...devices import tap_model

    found = tap_model.mean_sync_us(model, 1)
    for _ in range(_TURNS):
        before, found = found, tap_model.mean_sync_us(model, bytes_per_sync(curve, found))
        if abs(found - before) <= _CLOSE * found:
            break
    return found


def bytes_per_sync(curve: Curve, sync_us: float) -> float:
    """What gathers for a sync of a device that takes so long."""
    size = curve.bytes_per_sync_at(curve.waited_us(sync_us))
    return _UNKNOWN_BYTES if size is None else size


def on(found: Iterable[Device]) -> Callable[[Curve], dict[str, float]]:
    """What the report of a sweep asks: these devices' times on a curve, and the catalog's.

    A directory has no model to ask. The report marks it at what its own callers waited.
    """
    from ... import devices

    known = {device.name: device for device in (*map(devices.load, devices.names()), *found)}
    models = {name: one.model.tap_model() for name, one in known.items() if one.model is not None}

    def marked(curve: Curve) -> dict[str, float]:
        return {name: sync_us(curve, model) for name, model in models.items()}

    return marked
