"""What is fixed for a campaign: its cells, their places, its seed and its folder."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from .. import devices, profiles
from ..cell import BASELINE, Cell, bench_of, plan
from ..dbbench.knobs import knob
from ..devices.resolve import Placement, resolve
from ..errors import UsageError, WaltaxError
from ..profiles import Profile
from .dbbench import data as dbbench
from .engines import ENGINES

_RECIPE = "campaign.json"


@dataclass(frozen=True)
class Recipe:
    """What a user asked for; enough to plan the same campaign again."""

    engine: str
    workloads: tuple[str, ...]  # none: all that the profile sizes
    profile: str
    devices: tuple[str, ...]
    durability: str | None = None  # None: what `cell.plan` measures then
    threads: tuple[int, ...] = ()  # none: what the profile says
    sizes: tuple[str, ...] = ()  # of db_bench's keys and values; none: the profile's
    knobs: tuple[str, ...] = ()  # of db_bench: a cell more for each
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

    def save(self) -> None:
        """Keep what --resume needs, once, and what a reader wants to look up.

        Errors: WaltaxError when the folder cannot be written.
        """
        recipe = {**vars(self.recipe), "profile_digest": self.profile.digest}
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if (self.folder / _RECIPE).exists():
                return
            embedded = not ENGINES[self.recipe.engine].on_server
            for workload in self.recipe.workloads if embedded else ():
                options = self.folder / f"rocksdb-{workload}.options"
                options.write_text(profiles.options_file(self.profile, workload))
            half = self.folder / f"{_RECIPE}.half"
            half.write_text(json.dumps(recipe, indent=1) + "\n")
            half.rename(self.folder / _RECIPE)
        except OSError as error:
            raise WaltaxError(f"{self.folder}: cannot be written: {error.strerror}") from error


def new(recipe: Recipe, results: Path, data_root: Path) -> Campaign:
    """A campaign with a folder name of its own; nothing is written yet."""
    profile = profiles.load(recipe.profile, recipe.engine)
    recipe = replace(recipe, workloads=recipe.workloads or profile.workloads)
    if not recipe.workloads:
        raise UsageError(
            f"--workload: missing; profile {profile.name} sizes db_bench alone: type "
            "--workload dbbench (with make: WORKLOAD=dbbench), or another --profile"
        )
    words = (now(), recipe.engine, *recipe.workloads, profile.name)
    return _resolve("-".join(words), recipe, profile, results, data_root)


def now() -> str:
    """The time as names of campaigns begin with it, so that they sort: 20240131-235959-123.

    To the millisecond: two that begin in the same second must not share their folders.
    """
    return datetime.now().strftime("%Y%m%d-%H%M%S-%f")[:-3]


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
    try:
        digest = saved.pop("profile_digest")
        lists = ("workloads", "devices", "threads", "sizes", "knobs")
        tuples = {name: tuple(saved[name]) for name in lists}
        recipe = Recipe(**{**saved, **tuples})
    except (KeyError, TypeError) as error:
        raise UsageError(
            f"--resume: {folder / _RECIPE}: written by another waltax; start a new campaign"
        ) from error
    profile = profiles.load(recipe.profile, recipe.engine)
    if profile.digest != digest:
        raise UsageError(
            f"--resume: {folder.name}: profile {recipe.profile} has changed since it began; "
            "start a new campaign"
        )
    return _resolve(folder.name, recipe, profile, folder.parent, data_root)


def _resolve(
    name: str, recipe: Recipe, profile: Profile, results: Path, data_root: Path
) -> Campaign:
    _refuse_without_db_bench(recipe, profile)
    found = [devices.load(device, recipe.wal_dir) for device in recipe.devices]
    by_name = {device.name: device for device in [devices.load(BASELINE), *found]}
    cells = [
        cell
        for baseline in _baselines(recipe, profile)
        for cell in plan(
            baseline, [device.name for device in found], recipe.durability, recipe.knobs
        )
    ]
    existing = next(path for path in (data_root, *data_root.absolute().parents) if path.exists())
    placements = {
        cell.id: resolve(
            by_name[cell.device], data_dir=existing, allow_mismatch=recipe.allow_mismatch
        )
        for cell in cells
    }
    return Campaign(name, results / name, data_root, recipe, profile, tuple(cells), placements)


def _refuse_without_db_bench(recipe: Recipe, profile: Profile) -> None:
    """Sizes and knobs are db_bench's. Errors: UsageError, before anything is written."""
    benches = [one for one in recipe.workloads if bench_of(one) is not None]
    if (recipe.sizes or recipe.knobs) and len(benches) < len(recipe.workloads):
        raise UsageError(
            f"sizes and knobs: found {', '.join(recipe.sizes + recipe.knobs)} with a workload that "
            "is not db_bench's; only that has them: type --workload dbbench"
        )
    for name in recipe.knobs:
        knob(name)
    for workload in benches:
        for size in recipe.sizes or ("",):
            dbbench.data(profile, workload, size)


def _baselines(recipe: Recipe, profile: Profile) -> list[Cell]:
    """What the cells of each comparison share."""
    return [
        Cell(recipe.engine, workload, profile.name, BASELINE, "off", threads, size=size)
        for workload in recipe.workloads
        for threads in recipe.threads or (profile.threads_of(workload),)
        for size in recipe.sizes or ("",)
    ]
