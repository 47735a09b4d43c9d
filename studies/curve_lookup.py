"""Where a device lies on a measured curve: at the mean time of its syncs, by what they write."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..analysis.results.curve import Curve
    from ..devices import Device
    from ..devices.tap_model import DeviceModel

_TURNS = 100
_CLOSE = 1e-6  # relative
_UNKNOWN_BYTES = 4096.0  # when a curve's rows have no sizes


def sync_us(curve: Curve, model: DeviceModel) -> float:
    """Return the mean time of a sync of the log on this device, in us.

    During a slower sync more commits gather for the next, which then writes more bytes and, on most
    devices, takes longer still. Each turn asks the curve for the bytes, and the model for the time.
    Neither decreases, so the turns converge to the least time on which both agree. The curve adds
    the time that callers wait for busy cores.
    """
    from ..devices import tap_model

    mean_us = tap_model.mean_sync_us(model, 1)
    for _ in range(_TURNS):
        before, mean_us = mean_us, tap_model.mean_sync_us(model, bytes_per_sync(curve, mean_us))
        if abs(mean_us - before) <= _CLOSE * mean_us:
            break
    return mean_us


def bytes_per_sync(curve: Curve, sync_us: float) -> float:
    """Return the bytes that gather for a sync that takes this long."""
    size = curve.bytes_per_sync_at(curve.waited_us(sync_us))
    return _UNKNOWN_BYTES if size is None else size


def lookup(found: Iterable[Device]) -> Callable[[Curve], dict[str, float]]:
    """Return a function that gives the sync times of these devices and the catalog's on a curve.

    A sweep's report calls it. Directories, which have no model, are marked there at the time that
    their own callers waited.
    """
    from .. import devices

    known = {device.name: device for device in (*map(devices.load, devices.names()), *found)}
    models = {name: device.model.tap_model() for name, device in known.items() if device.model}
    return lambda curve: {name: sync_us(curve, model) for name, model in models.items()}
