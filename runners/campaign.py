"""Resolve a recipe on this machine: a new campaign, one that goes on, or another machine's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from .. import devices, profiles, workloads
from ..axes import PAIRED
from ..base.errors import UsageError
from ..base.folders.places import existing
from ..cell import BASELINE, Cell
from ..devices.identity import identity
from ..devices.resolve import Placement, resolve
from ..engines import PROGRAM, SHARDED
from ..engines.builds import build
from ..engines.builds.inspection import look
from ..profiles import Profile
from . import lives
from .cells.campaign import Campaign
from .cells.driver import endpoint
from .recipe import axes, campaign_file, command_line
from .recipe.axes import second_log
from .recipe.comparison import ladder, plan, refuse_foreign_engine, second_ladder
from .recipe.recipe import Recipe

__all__ = ["Campaign", "Recipe", "new", "now", "on_host", "resolved", "resume"]


def new(recipe: Recipe, results: Path, data_root: Path) -> Campaign:
    """Return a campaign with a folder name of its own; write nothing yet."""
    if recipe.engine in SHARDED and not recipe.workloads:
        raise UsageError(
            f"--engine: found {recipe.engine} without a workload that knows which node owns a key; "
            "add --workload ycsb-a"
        )
    for workload in recipe.workloads:
        refuse_foreign_engine(workload, recipe.engine)
    profile = _profile(recipe)
    wanted, path = recipe.workloads or profile.workloads, command_line.kept(recipe.profile)
    recipe = replace(recipe, workloads=wanted, profile=path)
    if not recipe.workloads:
        raise UsageError(
            f"--workload: missing; profile {profile.name} sizes mixes alone: type --workload "
            "kv-fillrandom, or another --profile"
        )
    words = (now(), recipe.engine, *workloads.called(recipe.workloads), profile.name)
    return _possible(resolved("-".join(words), recipe, profile, results, data_root))


def now() -> str:
    """Return the time in the form that campaigns' names begin with: 20240131-235959-123.

    Names then sort by time. Two campaigns that begin in the same second must not share folders.
    """
    return datetime.now().strftime("%Y%m%d-%H%M%S-%f")[:-3]


def resume(folder: Path, data_root: Path | None) -> Campaign:
    """Return the campaign of an existing results folder, with its data where they were.

    `data_root` is where the user says the data are, or None. Errors: UsageError when there is no
    campaign, or when its profile or the place of its data has changed since: rows of two profiles,
    or of two disks, must not meet in one estimate.
    """
    saved = campaign_file.read(folder)
    data_root = _data_root(folder, Path(saved.data_dir), data_root)
    _refuse_another_disk(folder, saved.data_identity, data_root)
    recipe = saved.recipe
    profile = _profile(recipe)
    if profile.digest != saved.profile_digest:
        raise UsageError(
            f"--resume: {folder.name}: profile {recipe.profile} has changed since it began; "
            "start a new campaign"
        )
    return _possible(resolved(folder.name, recipe, profile, folder.parent, data_root))


def on_host(folder: Path, name: str, host: str, data_root: Path) -> Campaign:
    """Resolve on this machine another machine's campaign, whose campaign.json is in `folder`.

    `folder` becomes its folder. Errors: UsageError when this machine cannot run it.
    """
    recipe = campaign_file.read(folder).recipe
    here = resolved(name, recipe, _profile(recipe), folder.parent, data_root)
    return _possible(replace(here, folder=folder, host=host))


def _profile(recipe: Recipe) -> Profile:
    """Load the profile; a command brings its own rounds and sessions, and may take any time."""
    if recipe.resized:
        return profiles.resized(recipe.resized, recipe.engine)
    profile, command = profiles.load(recipe.profile, recipe.engine), recipe.command
    if command is None:
        return profile
    counts = {"rounds_per_session": command.rounds, "min_sessions": command.sessions}
    return profile.model_copy(update={"timing": profile.timing.model_copy(update=counts)})


def _data_root(folder: Path, began_in: Path, wanted: Path | None) -> Path:
    """Return where a campaign's data are. Errors: UsageError when that may be another disk."""
    if wanted is not None and wanted.resolve() != began_in.resolve():
        raise UsageError(
            f"--data-dir: found {wanted}, but {folder.name} began in {began_in}, and rows of two "
            "disks must not be mixed; leave --data-dir out, or start a new campaign"
        )
    return began_in


def _refuse_another_disk(folder: Path, began_on: str | None, data_root: Path) -> None:
    """Raise UsageError for another disk than the one that is known."""
    if began_on is not None and identity(existing(data_root)) != began_on:
        raise UsageError(
            f"--resume: {folder.name}: its data directory {data_root} is on another file system or "
            "disk than when the campaign began; mount it again, or start a new campaign"
        )


def resolved(
    name: str, recipe: Recipe, profile: Profile, results: Path, data_root: Path
) -> Campaign:
    """Resolve a recipe's cells and their places. Errors: UsageError for what is not available."""
    axes.require(recipe)
    if recipe.endpoints:
        served = tuple(
            replace(baseline, device=server.device, durability=server.durability)
            for baseline in _baselines(recipe, profile)
            for server in recipe.endpoints
        )
        places = {cell.id: endpoint.placement(endpoint.of(recipe, cell)) for cell in served}
        return Campaign(name, results / name, data_root, recipe, profile, served, places)
    builds = look(recipe.engine, [*map(build.named, recipe.axes.get("build", ()))])
    named = [command_line.load_device(device, recipe.wal_dir) for device in recipe.devices]
    beside = existing(data_root)
    placed = {
        device.name: resolve(device, data_dir=beside, allow_mismatch=recipe.allow_mismatch)
        for device in [devices.load(BASELINE), *named]
    }
    cells = _cells_of(recipe, profile, [device.name for device in named], placed)
    placements = {cell.id: placed[cell.device] for cell in cells}
    return Campaign(
        name,
        results / name,
        data_root,
        recipe,
        profile,
        tuple(cells),
        placements,
        builds=builds,
        binlogs=second_log.of_cells(recipe, cells, placed, beside),
        profiles={cell.id: axes.profile_of(profile, cell, recipe) for cell in cells if cell.axes},
    )


def _cells_of(
    recipe: Recipe, profile: Profile, named: Sequence[str], placed: Mapping[str, Placement]
) -> list[Cell]:
    """Return all cells. `named` are the devices but the baseline; `placed` says where each is."""
    cells = [
        cell
        for baseline in _baselines(recipe, profile)
        for cell in _compared(baseline, recipe, named, placed)
    ]
    return cells + _twins(recipe, cells)


def _compared(
    baseline: Cell, recipe: Recipe, named: Sequence[str], placed: Mapping[str, Placement]
) -> list[Cell]:
    if recipe.ladder and recipe.axes.get("binlog"):
        return second_ladder(baseline, named)
    if recipe.ladder:
        return ladder(baseline, {name: placed[name].emulated for name in named})
    cells = plan(baseline, named, recipe.durability, recipe.axes.get("knob", ()), recipe.beside)
    if recipe.engine != PROGRAM:
        return cells
    # Its own `off` waits for no device, so that it is measured once.
    once = (BASELINE, named[0])
    return [cell for cell in cells if cell.durability != "off" or cell.device in once]


def _twins(recipe: Recipe, cells: Sequence[Cell]) -> list[Cell]:
    """Return each workload's first baseline once more; none where replicas were asked for.

    A command may take any time, so whether to measure its baseline twice is left to its user.
    Builds and settings are compared cell by cell, and a baseline that was measured more often than
    another's would not be comparable.
    """
    paired = any(len(axes.TABLE[name].values(recipe)) > 1 for name in PAIRED)
    excluded = recipe.command is not None or BASELINE in recipe.devices or paired
    if not recipe.twin or excluded:
        return []
    first: dict[str, Cell] = {}
    for cell in cells:
        if cell.is_baseline:
            first.setdefault(cell.workload, cell)
    return [cell.twin for cell in first.values()]


def _baselines(recipe: Recipe, profile: Profile) -> list[Cell]:
    """Return a baseline for each comparison, which holds what its cells share."""
    return [
        Cell(recipe.engine, workload, profile.name, BASELINE, "off", int(clients)).at(**point)
        for workload in recipe.workloads
        for point in axes.points(recipe)
        for clients in [point.pop("threads", None) or profile.threads_of(workload)]
    ]


def _possible(campaign: Campaign) -> Campaign:
    """Return the campaign. Errors: UsageError for impossible cells, before anything is written."""
    lives.of(campaign).require(campaign)
    return campaign
