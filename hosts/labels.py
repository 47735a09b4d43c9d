"""What a host offers beside itself: the devices that are real there, each a resource of dask."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from .. import devices
from ..devices.resolve import resolve
from ..devices.userconfig import user_paths
from ..errors import UsageError
from ..runners.campaign import Campaign
from ..runners.folders import existing

HOST = "host"
"""The resource of which each worker has one: a host measures one session at a time."""


def real_devices(campaign: Campaign) -> set[str]:
    """The campaign's devices that are directories of their own on this machine."""
    placements = [*campaign.placements.values()]
    placements += [binlog.placement for binlog in campaign.binlogs.values()]
    return {one.device.name for one in placements if one.kind == "real" and not one.with_data}


def offered(data_root: Path) -> tuple[list[str], list[str]]:
    """The devices that this user's devices.toml makes real here, and why others are not offered."""
    names, refused = [], []
    for name in user_paths():
        try:
            resolve(devices.load(name), data_dir=existing(data_root))
        except UsageError as error:
            refused.append(f"{name} is not offered: {error}")
        else:
            names.append(name)
    return names, refused


def of_resources(resources: Mapping[str, float]) -> dict[str, float]:
    """The labels among a worker's resources."""
    return {name: count for name, count in resources.items() if name != HOST}
