"""What a user of `waltax serve` asks for, resolved on this machine."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from pathlib import Path

from ... import devices, profiles
from ...cell import BASELINE, Cell, plan
from ...devices.resolve import Placement, resolve
from ...errors import UsageError
from ...profiles import Profile
from ..campaign import Campaign, Recipe, now
from ..plan import require_told

COMMAND = "command"
"""The workload of cells in which a user's command is measured."""
ALONE = "serve"
"""The word that stands for it where nothing is measured."""


@dataclass(frozen=True)
class Asked:
    """The servers that a user wants."""

    engine: str
    profile: str
    devices: tuple[str, ...]
    durability: str | None
    wal_dir: str | None
    allow_mismatch: bool
    seed: int | None


def to_measure(asked: Asked, results: Path, data_root: Path) -> Campaign:
    """A campaign of a cell per device and their baselines; nothing is written yet.

    Errors: UsageError for a device, directory or mode that is not to be had.
    """
    _refuse_shared_directory(asked)
    profile = profiles.load(asked.profile, asked.engine)
    names = [device.name for device in _devices(asked)]
    cells = plan(_off(asked, COMMAND, profile), names, asked.durability)
    return _campaign(asked, profile, cells, results, data_root)


def to_serve(asked: Asked, results: Path, data_root: Path) -> tuple[Campaign, Cell]:
    """The one cell of a server that only serves, in a campaign of its own."""
    profile = profiles.load(asked.profile, asked.engine)
    names = [device.name for device in _devices(asked)]
    mode = asked.durability or "sync"
    cell = plan(_off(asked, ALONE, profile), names, mode)[-1]
    return _campaign(asked, profile, [cell], results, data_root), cell


def _off(asked: Asked, word: str, profile: Profile) -> Cell:
    """What all cells share. How many clients a user's program has only it knows."""
    return Cell(asked.engine, word, profile.name, BASELINE, "off", 1)


def _refuse_shared_directory(asked: Asked) -> None:
    if asked.wal_dir is not None and len(set(asked.devices)) != 1:
        raise UsageError("--wal-dir: it is one device's directory; name that with one --device")


def _devices(asked: Asked) -> list[devices.Device]:
    return [devices.load(name, asked.wal_dir) for name in asked.devices]


def _campaign(
    asked: Asked, profile: Profile, cells: list[Cell], results: Path, data_root: Path
) -> Campaign:
    word = cells[0].workload
    name = "-".join((now(), word, asked.engine, profile.name))
    recipe = Recipe(
        engine=asked.engine,
        workloads=(word,),
        profile=asked.profile,
        devices=asked.devices,
        durability=asked.durability,
        wal_dir=asked.wal_dir,
        allow_mismatch=asked.allow_mismatch,
        seed=secrets.randbelow(2**31) if asked.seed is None else asked.seed,
    )
    placements = _placements(asked, cells, data_root)
    campaign = Campaign(name, results / name, data_root, recipe, profile, tuple(cells), placements)
    require_told(campaign)
    return campaign


def _placements(asked: Asked, cells: list[Cell], data_root: Path) -> dict[str, Placement]:
    by_name = {device.name: device for device in [devices.load(BASELINE), *_devices(asked)]}
    existing = next(path for path in (data_root, *data_root.absolute().parents) if path.exists())
    return {
        cell.id: resolve(
            by_name[cell.device], data_dir=existing, allow_mismatch=asked.allow_mismatch
        )
        for cell in cells
    }
