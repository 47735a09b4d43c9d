"""What a campaign would do, and whether there is room for it."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import psutil

from ..devices import memory
from ..errors import WaltaxError
from .campaign import Campaign
from .workloads import WORKLOADS

# RocksDB deletes a WAL only when all its memtables are flushed, so that the live
# WAL overshoots its bound by the one being written.
_WAL_OVERSHOOT = 1.5
# A block cache holds blocks as they are uncompressed: of small data, this much and no more.
_UNCOMPRESSED = 1.5
_MIB = 1 << 20


@dataclass(frozen=True)
class Plan:
    """Sizes in MiB, times in seconds; upper bounds except `written_mib`, an estimate."""

    cells: tuple[str, ...]
    places: tuple[str, ...]
    measuring_s: float
    sessions_at_least: int
    disk_mib: float
    written_mib: float
    emulated_mib: float  # WALs in the memory file system
    memory_mib: float  # those, and the processes


def plan(campaign: Campaign) -> Plan:
    """The sizes of a campaign, without touching anything."""
    profile = campaign.profile
    shares = [_share(campaign, workload) for workload in campaign.recipe.workloads]
    emulated = sum(place.kind == "emulated" for place in campaign.placements.values())
    wal_mib = profile.rocksdb.max_total_wal_mb * _WAL_OVERSHOOT
    return Plan(
        cells=tuple(cell.id for cell in campaign.cells),
        places=tuple(_place(campaign, cell.id) for cell in campaign.cells),
        measuring_s=profile.timing.time_budget_s * len(shares),
        sessions_at_least=profile.timing.min_sessions,
        disk_mib=sum(share.disk_mib for share in shares),
        written_mib=sum(share.written_mib for share in shares),
        emulated_mib=emulated * wal_mib,
        memory_mib=emulated * wal_mib + sum(share.processes_mib for share in shares),
    )


@dataclass(frozen=True)
class _Share:
    """One workload's part of the disk and of the memory, in MiB."""

    disk_mib: float
    written_mib: float
    processes_mib: float


def _share(campaign: Campaign, workload: str) -> _Share:
    data_mib = campaign.profile.workload(workload).data_mb
    cells = sum(cell.workload == workload for cell in campaign.cells)
    # A clone shares the loaded SSTs; what it writes and compacts is its own.
    facts, slices_s = WORKLOADS[workload], campaign.profile.timing.time_budget_s
    return _Share(
        disk_mib=data_mib * (1 + cells * facts.clone_growth),
        written_mib=data_mib + slices_s * facts.written_mib_per_s,
        processes_mib=cells * _process_mib(campaign, data_mib),
    )


def _process_mib(campaign: Campaign, data_mib: float) -> float:
    """One driver at its largest: block cache and memtables (about the WAL's bound)."""
    rocksdb = campaign.profile.rocksdb
    return min(rocksdb.block_cache_mb, _UNCOMPRESSED * data_mib) + rocksdb.max_total_wal_mb


def _place(campaign: Campaign, cell_id: str) -> str:
    placement = campaign.placements[cell_id]
    if placement.kind == "off":
        return "no WAL"
    if placement.kind == "emulated":
        return f"emulated over {placement.wal_root}"
    return str(placement.wal_root)


def require_room(campaign: Campaign) -> None:
    """Errors: WaltaxError when memory or disk are too small for the plan."""
    sizes = plan(campaign)
    if sizes.emulated_mib:
        memory.require(int(sizes.emulated_mib * _MIB))
    _require_memory(sizes.memory_mib, _fewer_workloads(campaign))
    _require_disk(campaign.data_root, sizes.disk_mib, _fewer_workloads(campaign))


def _fewer_workloads(campaign: Campaign) -> str:
    """What to type to need less, where one workload alone can be taken."""
    first, *others = campaign.recipe.workloads
    if not others:
        return ""
    return f"take one workload at a time (--workload {first}; with make: WORKLOAD={first}), "


def _require_disk(directory: Path, needed_mib: float, fewer: str) -> None:
    free_mib = shutil.disk_usage(directory).free / _MIB
    if free_mib < needed_mib:
        raise WaltaxError(
            f"{directory}: {free_mib:,.0f} MiB free, but the campaign may need "
            f"{needed_mib:,.0f}; free some, {fewer}or name another directory with --data-dir"
        )


def _require_memory(needed_mib: float, fewer: str) -> None:
    available_mib = psutil.virtual_memory().available / _MIB
    if available_mib < needed_mib:
        raise WaltaxError(
            f"{available_mib:,.0f} MiB of memory available, but block caches, memtables and "
            f"emulated WALs may need {needed_mib:,.0f}; choose a smaller profile, "
            f"{fewer}or fewer devices"
        )
