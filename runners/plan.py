"""What a campaign would do, and whether there is room for it."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

from ..cell import BASELINE, Cell, bench_of
from ..devices import memory
from ..errors import UsageError, WaltaxError
from ..mariadb.paths import require_plain
from .campaign import Campaign
from .dbbench import room as dbbench
from .engines import ENGINES, cache_mib, log_mib
from .folders import existing, require_writable
from .share import Share
from .workloads import WORKLOADS

# RocksDB deletes a WAL only when all its memtables are flushed, so that the live
# WAL overshoots its bound by the one being written.
_WAL_OVERSHOOT = 1.5
# A block cache holds blocks as they are uncompressed: of small data, this much and no more.
_UNCOMPRESSED = 1.5
# Rows, figures and the programs' words of a campaign of half an hour: 3 MiB.
_RESULTS_MIB = 8.0
_MIB = 1 << 20


class NoRoom(UsageError):
    """Memory or disk are too small for the plan.

    `share` is the part of the plan that the data directory's disk has room for, if that is why.
    """

    def __init__(self, *lines: object, share: float | None = None) -> None:
        super().__init__(*lines)
        self.share = share


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
    whole_runs: int  # at least so many take as long as they take, beside `measuring_s`; or none


def plan(campaign: Campaign) -> Plan:
    """The sizes of a campaign, without touching anything."""
    profile = campaign.profile
    workloads = campaign.recipe.workloads
    shares = [_share(campaign, one) for one in workloads if bench_of(one) is None]
    shares += dbbench.shares(campaign)
    emulated_mib = sum(share.emulated_mib for share in shares)
    return Plan(
        cells=tuple(cell.id for cell in campaign.cells),
        places=tuple(_place(campaign, cell.id) for cell in campaign.cells),
        measuring_s=profile.timing.time_budget_s * len(workloads),
        sessions_at_least=profile.timing.min_sessions,
        disk_mib=sum(share.disk_mib for share in shares),
        written_mib=sum(share.written_mib for share in shares),
        emulated_mib=emulated_mib,
        memory_mib=emulated_mib + sum(share.processes_mib for share in shares),
        whole_runs=sum(share.whole_runs for share in shares),
    )


def _share(campaign: Campaign, workload: str) -> Share:
    data_mib = campaign.profile.workload(workload).data_mb
    engine = ENGINES[campaign.recipe.engine]
    cells = [cell for cell in campaign.cells if cell.workload == workload]
    emulated = sum(campaign.placements[cell.id].kind == "emulated" for cell in cells)
    facts, timing = WORKLOADS[workload], campaign.profile.timing
    # A clone shares the loaded SSTs; what it writes and compacts is its own.
    own = engine.copied + facts.clone_growth * engine.growth
    copied_mib = engine.copied * data_mib * len(cells) * timing.min_sessions
    slices_mib = timing.time_budget_s * facts.written_mib_per_s * engine.growth
    return Share(
        disk_mib=data_mib * (1 + len(cells) * own),
        written_mib=data_mib + copied_mib + slices_mib,
        emulated_mib=emulated * log_mib(campaign.profile, workload) * _WAL_OVERSHOOT,
        processes_mib=len(cells) * _process_mib(campaign, workload),
    )


def _process_mib(campaign: Campaign, workload: str) -> float:
    """One cell's processes at their largest: cache and memtables (about the WAL's bound)."""
    profile, engine = campaign.profile, ENGINES[campaign.recipe.engine]
    data_mib = profile.workload(workload).data_mb
    cached_mib = min(cache_mib(profile, workload), _UNCOMPRESSED * data_mib)
    memtables_mib = 0.0 if engine.writes_pages else log_mib(profile, workload)
    return cached_mib + memtables_mib + engine.process_mib


def _place(campaign: Campaign, cell_id: str) -> str:
    placement = campaign.placements[cell_id]
    if placement.kind == "off":
        return "no WAL"
    if placement.kind == "emulated":
        return f"emulated over {placement.wal_root}"
    return str(placement.wal_root)


def require_sense(campaign: Campaign) -> None:
    """Errors: UsageError for a campaign without a comparison, and folders that are no place."""
    _require_comparison(campaign.cells)
    require_writable("--results", campaign.folder.parent)
    require_writable("--data-dir", campaign.data_root)
    if ENGINES[campaign.recipe.engine].on_server:
        require_told(campaign)


def require_told(campaign: Campaign) -> None:
    """Errors: UsageError for a directory whose name a server cannot be told."""
    require_plain(campaign.data_root.absolute())
    for placement in campaign.placements.values():
        if placement.wal_root is not None and not placement.emulated:
            require_plain(placement.wal_root, "--wal-dir")


def _require_comparison(cells: Sequence[Cell]) -> None:
    """Errors: UsageError when there are only baselines, of which every interval is narrow."""
    if not all(cell.is_baseline for cell in cells):
        return
    if all(cell.device == BASELINE for cell in cells):
        raise UsageError(
            "--device: found off alone, which is what other devices are compared with, and is "
            "measured beside each of them; type --device nvme (with make: DEVICE=nvme), or off "
            "twice (--device off --device off) to see how far two equals come out apart"
        )
    raise UsageError(
        f"--wal: found delayed alone with --engine {cells[0].engine}, which is what its other "
        "modes are compared with, and is measured beside each of them; type --wal sync or --wal "
        "flush (with make: WAL=sync), or leave it out"
    )


def require_room(campaign: Campaign) -> None:
    """Errors: NoRoom when memory or disk are too small for the plan."""
    sizes, fewer = plan(campaign), _fewer_workloads(campaign)
    require_emulated(sizes.emulated_mib)
    _require_memory(sizes.memory_mib, fewer)
    _require_disk("--data-dir", campaign.data_root, sizes.disk_mib, fewer)
    _require_disk("--results", campaign.folder.parent, _RESULTS_MIB)


def require_emulated(needed_mib: float) -> None:
    """Errors: NoRoom when the memory file system cannot hold so much of WALs."""
    if not needed_mib:
        return
    try:
        memory.require(int(needed_mib * _MIB))
    except WaltaxError as error:
        raise NoRoom(str(error)) from error


def _fewer_workloads(campaign: Campaign) -> str:
    """What to type to need less, where one workload alone can be taken."""
    first, *others = campaign.recipe.workloads
    if not others:
        return ""
    return f"take one workload at a time (--workload {first}; with make: WORKLOAD={first}), "


def _require_disk(flag: str, directory: Path, needed_mib: float, fewer: str = "") -> None:
    found = existing(directory)
    free_mib = shutil.disk_usage(found).free / _MIB
    if free_mib < needed_mib:
        raise NoRoom(
            f"{flag}: {found}: {free_mib:,.0f} MiB free, but the campaign may need "
            f"{needed_mib:,.0f}; free some, {fewer}or name another directory with {flag}",
            share=free_mib / needed_mib if flag == "--data-dir" else None,
        )


def _require_memory(needed_mib: float, fewer: str) -> None:
    available_mib = psutil.virtual_memory().available / _MIB
    if available_mib < needed_mib:
        raise NoRoom(
            f"{available_mib:,.0f} MiB of memory available, but block caches, memtables and "
            f"emulated WALs may need {needed_mib:,.0f}; choose a smaller --profile, "
            f"{fewer}or name fewer with --device"
        )
