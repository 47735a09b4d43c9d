"""Plan what a campaign will do, and check that there is room for it."""

from __future__ import annotations

import math
import shutil
from collections.abc import Sequence
from pathlib import Path

import psutil

from ..base.errors import UsageError
from ..base.folders.places import existing, require_writable
from ..cell import BASELINE, Cell
from ..devices.resolve import SHM
from ..engines import PROGRAM
from . import doctor, lives
from .campaign import Campaign
from .cells.live import Share
from .recipe.parts import MIB
from .workspace import real_directories

# A campaign of half an hour writes 3 MiB of rows, figures and output of programs.
_RESULTS_MIB = 8.0
_LESS = "a smaller --profile, fewer devices, workloads or --nodes take less"


def plan(campaign: Campaign) -> Share:
    """Return what a campaign takes of disk and memory, without touching anything."""
    return lives.of(campaign).share(campaign)


def measuring_s(campaign: Campaign) -> float:
    """Return how long a campaign measures at most; whole runs take additional, unknown time."""
    return campaign.profile.timing.time_budget_s * len(campaign.recipe.workloads)


def place(campaign: Campaign, cell_id: str) -> str:
    """Return, for people, where the log of a cell goes."""
    placement = campaign.placements[cell_id]
    if placement.kind == "off":
        return "in memory, its syncs left out" if campaign.recipe.engine == PROGRAM else "no WAL"
    if placement.kind == "emulated":
        return f"emulated over {placement.wal_root}"
    if placement.kind == "owner":
        return placement.device.stands_for
    if placement.with_data:
        return f"beside the data in {campaign.data_root}"
    return str(placement.wal_root)


def require_sense(campaign: Campaign) -> None:
    """Raise UsageError for a campaign without a comparison, or for folders that cannot be used."""
    _require_comparison(campaign.cells)
    require_writable("--results", campaign.folder.parent)
    require_writable("--data-dir", campaign.data_root)


def _require_comparison(cells: Sequence[Cell]) -> None:
    """Raise UsageError if there are only baselines, whose intervals are all narrow."""
    if not all(cell.is_baseline or cell.is_twin for cell in cells):
        return
    if all(cell.device == BASELINE for cell in cells):
        raise UsageError(
            "--device: found off alone, which is what other devices are compared with, and is "
            "measured beside each of them; type --device nvme, or off "
            "twice (--device off --device off) to see how far two equals come out apart"
        )
    raise UsageError(
        f"--wal: found delayed alone with --engine {cells[0].engine}, which is what its other "
        "modes are compared with, and is measured beside each of them; type --wal sync or --wal "
        "flush, or leave it out"
    )


def require_room(campaign: Campaign) -> None:
    """Raise UsageError when memory or disk is too small for the plan."""
    require_share(campaign.data_root, plan(campaign))
    require_disk("--results", campaign.folder.parent, _RESULTS_MIB)


def require_share(data_root: Path, share: Share) -> None:
    """Raise UsageError when memory or disk is too small for the share."""
    free_mib, needed_mib = shutil.disk_usage(SHM).free / MIB, share.emulated_mib
    if free_mib < needed_mib:
        raise UsageError(
            f"{SHM}: {free_mib:,.0f} MiB free, but emulated WALs may need {needed_mib:,.0f}; "
            f"remount it larger (mount -o remount,size={math.ceil(needed_mib)}m {SHM}), or name "
            f"real devices with --wal-dir; {_LESS}"
        )
    available_mib = psutil.virtual_memory().available / MIB
    if available_mib < share.memory_mib:
        raise UsageError(
            f"{available_mib:,.0f} MiB of memory available, but block caches, memtables and "
            f"emulated WALs may need {share.memory_mib:,.0f}; {_LESS}"
        )
    require_disk("--data-dir", data_root, share.disk_mib)


def require_disk(flag: str, directory: Path, needed_mib: float) -> None:
    """Raise UsageError when the disk of the directory that `flag` names is too small."""
    folder = existing(directory)
    free_mib = shutil.disk_usage(folder).free / MIB
    if free_mib < needed_mib:
        raise UsageError(
            f"{flag}: {folder}: {free_mib:,.0f} MiB free, but the campaign may need "
            f"{needed_mib:,.0f}; free some, or name another directory with {flag}; {_LESS}"
        )


def examine(campaign: Campaign) -> list[doctor.Finding]:
    """Return what each check says of the machine and of each real device's directory."""
    return doctor.examine(real_directories(campaign), existing(campaign.data_root))
