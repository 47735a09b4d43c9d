"""What is fixed for a campaign: its cells, their places, its seed and its folder."""

from __future__ import annotations

import json
import secrets
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .. import devices, profiles
from ..cell import BASELINE, Cell, plan
from ..devices.resolve import Placement, resolve
from ..errors import UsageError
from ..profiles import Profile

_RECIPE = "campaign.json"


@dataclass(frozen=True)
class Recipe:
    """What a user asked for; enough to plan the same campaign again."""

    engine: str
    workload: str
    profile: str
    devices: tuple[str, ...]
    durability: str
    threads: int | None = None
    wal_dir: str | None = None
    allow_mismatch: bool = False
    seed: int = field(default_factory=lambda: secrets.randbelow(2**31))


@dataclass(frozen=True)
class Campaign:
    """A recipe resolved on this machine."""

    id: str
    folder: Path
    data_root: Path
    recipe: Recipe
    profile: Profile
    cells: tuple[Cell, ...]
    placements: dict[str, Placement]  # by cell id

    @property
    def rows_path(self) -> Path:
        return self.folder / "rows.jsonl"

    @property
    def work(self) -> Path:
        """Clones and logs of the cells that are alive; removed with them."""
        return self.data_root / "work" / self.id

    def save(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        recipe = {**vars(self.recipe), "profile_digest": self.profile.digest}
        (self.folder / _RECIPE).write_text(json.dumps(recipe, indent=1) + "\n")


def memory_folder(campaign: str) -> str:
    """The name of a campaign's folder in the memory file system."""
    return f"waltax-{campaign}"


def new(recipe: Recipe, results: Path, data_root: Path) -> Campaign:
    """A campaign with a folder name of its own; nothing is written yet."""
    profile = profiles.load(recipe.profile)
    name = f"{time.strftime('%Y%m%d-%H%M%S')}-{recipe.workload}-{profile.name}"
    return _resolve(name, recipe, profile, results, data_root)


def resume(folder: Path, data_root: Path) -> Campaign:
    """The campaign of an existing results folder.

    Errors: UsageError when there is none, or when its profile has changed since: rows of
    two profiles must not meet in one estimate.
    """
    try:
        saved: dict[str, Any] = json.loads((folder / _RECIPE).read_text())
    except (OSError, ValueError) as error:
        raise UsageError(
            f"--resume: {folder}: no campaign there ({error}); it takes a folder of results/"
        ) from error
    digest = saved.pop("profile_digest")
    recipe = Recipe(**{**saved, "devices": tuple(saved["devices"])})
    profile = profiles.load(recipe.profile)
    if profile.digest != digest:
        raise UsageError(
            f"--resume: {folder.name}: profile {recipe.profile} has changed since it began; "
            "start a new campaign"
        )
    return _resolve(folder.name, recipe, profile, folder.parent, data_root)


def _resolve(
    name: str, recipe: Recipe, profile: Profile, results: Path, data_root: Path
) -> Campaign:
    found = [devices.load(device, recipe.wal_dir) for device in recipe.devices]
    by_name = {device.name: device for device in [devices.load(BASELINE), *found]}
    cells = plan(
        recipe.engine,
        recipe.workload,
        profile.name,
        [device.name for device in found],
        recipe.durability,
        recipe.threads or profile.threads,
    )
    data_root.mkdir(parents=True, exist_ok=True)
    placements = {
        cell.id: resolve(
            by_name[cell.device], data_dir=data_root, allow_mismatch=recipe.allow_mismatch
        )
        for cell in cells
    }
    return Campaign(name, results / name, data_root, recipe, profile, tuple(cells), placements)
