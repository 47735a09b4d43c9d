"""The place of the log of most installations: the file system that the data are on."""

from __future__ import annotations

from ..cell import WITH_DATA
from .device import Device

RECORD = Device.model_validate(
    {
        "name": WITH_DATA,
        "title": "The data directory's file system",
        "stands_for": "whatever the data are on",
        "class": "virtual",  # it is of no class that a directory could contradict
        "kind": "none",
        "power_loss_protection": "unknown",
        "notes": "The log beside the data, as a server or a library places it that is not told "
        "otherwise. Its file is not in the catalog, since it stands for no hardware.",
    }
)
"""Its directory is each cell's own, beside its data: see `resolve`."""
