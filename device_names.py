"""The names of devices that have no file in the catalog."""

from __future__ import annotations

import re

WITH_DATA = "with-data"
"""The device that is the file system of the data, where most installations keep their log."""
# The devices whose syncs all take the same time are named for it: sync-38us.
_POINT = "sync-{}us"


def point_name(latency_us: int) -> str:
    """Name the device of a latency sweep's grid whose syncs take so long."""
    return _POINT.format(latency_us)


def point_us(device: str) -> int | None:
    """Return the time in the name of a grid's device, 38 for sync-38us; None for any other."""
    match = re.fullmatch(_POINT.format(r"(\d{1,7})"), device)
    return int(match[1]) if match else None


def is_point(device: str) -> bool:
    """Return whether it is a device of a latency sweep's grid."""
    return point_us(device) is not None
