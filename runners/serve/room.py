"""Whether there is room for the servers, before anything is made for them."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import psutil

from ...cell import WORKLOADS
from ...profiles import Profile
from ..campaign import Campaign
from ..engines import ENGINES, cache_mib, log_mib
from ..plan import NoRoom, require_emulated
from .template import EMPTY

# The last log file, which RocksDB began before it could delete another.
_LOG_OVERSHOOT = 1.5
_EMPTY_MIB = 20.0  # a data directory without data
_MIB = 1 << 20


@dataclass(frozen=True)
class Needs:
    """In MiB: what can be told before a command has run. What it writes comes on top."""

    memory: float  # servers and emulated logs
    emulated: float  # those logs, in the memory file system
    disk: float  # the data, and what every server's clone has of it as copies


def needs(campaign: Campaign, data: str) -> Needs:
    """Of all servers of a campaign on `data`, as `template.make` takes it, without making any."""
    profile, workload = _sizing(campaign.profile, data)
    engine, cells = ENGINES[campaign.recipe.engine], campaign.cells
    cache, log = cache_mib(profile, workload), log_mib(profile, workload)
    # Memtables are as large as the log that they are in.
    server = cache + engine.process_mib + (0.0 if engine.writes_pages else log)
    emulated = sum(campaign.placements[cell.id].kind == "emulated" for cell in cells)
    logs = emulated * log * _LOG_OVERSHOOT
    data_mib = _data_mib(campaign.profile, data)
    return Needs(
        memory=len(cells) * server + logs,
        emulated=logs,
        disk=_EMPTY_MIB * (1 + len(cells)) + data_mib * (1 + engine.copied * len(cells)),
    )


def _sizing(profile: Profile, data: str) -> tuple[Profile, str]:
    """A profile, and a workload of which it has the settings that the servers get."""
    if data in WORKLOADS:
        return profile, data
    first = profile.workloads[0]
    plain = profile.workload(first).model_copy(update={"server": {}})
    return profile.model_copy(update={first: plain}), first


def _data_mib(profile: Profile, data: str) -> float:
    if data == EMPTY:
        return 0.0
    if data in WORKLOADS:
        return profile.workload(data).data_mb
    return sum(file.stat().st_size for file in Path(data).rglob("*") if file.is_file()) / _MIB


def require(campaign: Campaign, data: str) -> None:
    """Errors: NoRoom when memory or disk are too small, before anything is made."""
    wanted = needs(campaign, data)
    require_emulated(wanted.emulated)
    available = psutil.virtual_memory().available / _MIB
    servers = f"{len(campaign.cells)} server{'s' if len(campaign.cells) > 1 else ''}"
    if available < wanted.memory:
        raise NoRoom(
            f"{available:,.0f} MiB of memory available, but caches, memtables and emulated logs "
            f"of {servers} may need {wanted.memory:,.0f}; choose a smaller --profile or fewer "
            "devices"
        )
    free = shutil.disk_usage(campaign.data_root).free / _MIB
    if free < wanted.disk:
        raise NoRoom(
            f"{campaign.data_root}: {free:,.0f} MiB free, but the data and the clones of {servers} "
            f"need {wanted.disk:,.0f}, and what is written comes on top; free some, or name "
            "another directory with --data-dir"
        )
