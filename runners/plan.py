"""Plan what a campaign will do, and check that there is room for it."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import psutil

from ..base.errors import UsageError, WaltaxError
from ..base.folders.places import existing, require_writable
from ..cell import BASELINE, Cell
from ..devices import emulation_memory
from ..engines import PROGRAM
from . import doctor, lives
from .campaign import Campaign
from .cells.live import Share
from .recipe.parts import MIB
from .workspace import real_directories

_SECONDS = 1.0  # spent on looking at what others do: a campaign has no more to spare
# A campaign of half an hour writes 3 MiB of rows, figures and output of programs.
_RESULTS_MIB = 8.0


class NoRoom(UsageError):
    """Memory or disk is too small for the plan."""


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
    """Raise NoRoom when memory or disk is too small for the plan."""
    require_share(campaign.data_root, plan(campaign), _fewer_workloads(campaign))
    require_disk(campaign.folder.parent, _RESULTS_MIB, flag="--results")


def require_share(data_root: Path, share: Share, fewer: str = "") -> None:
    """Raise NoRoom, which advises to do `fewer`, when memory or disk is too small for the share."""
    if share.emulated_mib:
        try:
            emulation_memory.require(int(share.emulated_mib * MIB))
        except WaltaxError as error:
            raise NoRoom(str(error)) from error
    _require_memory(share.memory_mib, fewer)
    require_disk(data_root, share.disk_mib, fewer)


def _fewer_workloads(campaign: Campaign) -> str:
    """Return what to type to need less, where fewer nodes or a single workload can be taken."""
    if any(cell.nodes > 1 for cell in campaign.cells):
        return "take fewer nodes (--nodes 1), "
    first, *others = campaign.recipe.workloads
    if not others:
        return ""
    return f"take one workload at a time (--workload {first}), "


def require_disk(
    directory: Path, needed_mib: float, fewer: str = "", flag: str = "--data-dir"
) -> None:
    """Raise NoRoom, likewise, when the disk of a directory is too small."""
    folder = existing(directory)
    free_mib = shutil.disk_usage(folder).free / MIB
    if free_mib < needed_mib:
        raise NoRoom(
            f"{flag}: {folder}: {free_mib:,.0f} MiB free, but the campaign may need "
            f"{needed_mib:,.0f}; free some, {fewer}or name another directory with {flag}"
        )


def _require_memory(needed_mib: float, fewer: str) -> None:
    available_mib = psutil.virtual_memory().available / MIB
    if available_mib < needed_mib:
        raise NoRoom(
            f"{available_mib:,.0f} MiB of memory available, but block caches, memtables and "
            f"emulated WALs may need {needed_mib:,.0f}; choose a smaller --profile, "
            f"{fewer}or name fewer with --device"
        )


def examine(campaign: Campaign) -> list[doctor.Finding]:
    """Return what each check says of the machine and of each real device's directory."""
    seen = doctor.look(_SECONDS, data_dir=existing(campaign.data_root))
    return doctor.examine(seen, real_directories(campaign))
