"""The cells of a recipe: a baseline and what is compared with it, workload by workload."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..axes import PAIRED
from ..cell import BASELINE, Cell, ladder, plan
from ..devices.resolve import Placement
from ..profiles import Profile
from .cells.endpoint import life as endpoints
from .cells.setting import Endpoint
from .recipe import axes
from .recipe.recipe import Recipe


def cells_of(
    recipe: Recipe, profile: Profile, named: Sequence[str], placed: Mapping[str, Placement]
) -> list[Cell]:
    """All of them. `named` are the devices, baseline aside, and `placed` where each is, by name."""
    cells = [
        cell
        for baseline in _baselines(recipe, profile)
        for cell in _cells(baseline, recipe, named, placed)
    ]
    return cells + _twins(recipe, cells)


def of_endpoints(
    recipe: Recipe, profile: Profile
) -> tuple[tuple[Cell, ...], dict[str, Placement], dict[str, Endpoint]]:
    """A cell for each server of its owner's; where its log is, and the server, by the cell's id."""
    servers = {
        replace(baseline, device=one.device, durability=one.durability): one
        for baseline in _baselines(recipe, profile)
        for one in recipe.endpoints
    }
    places = {cell.id: endpoints.placement(one) for cell, one in servers.items()}
    return tuple(servers), places, {cell.id: one for cell, one in servers.items()}


def _cells(
    baseline: Cell, recipe: Recipe, named: Sequence[str], placed: Mapping[str, Placement]
) -> list[Cell]:
    if recipe.ladder:
        return ladder(baseline, {name: placed[name].emulated for name in named})
    return plan(baseline, named, recipe.durability, recipe.knobs, recipe.beside)


def _twins(recipe: Recipe, cells: Sequence[Cell]) -> list[Cell]:
    """The first baseline of each workload once more; none where replicas were asked for.

    A command takes the time that it takes: what it is worth to run it once more, its user knows.
    Builds and settings are compared cell by cell, and a baseline that was measured more often than
    another's would be no like for like.
    """
    compared = any(len(axes.TABLE[name].values(recipe)) > 1 for name in PAIRED)
    asked = recipe.command is not None or BASELINE in recipe.devices or compared
    if not recipe.twin or asked:
        return []
    first: dict[str, Cell] = {}
    for cell in cells:
        if cell.is_baseline:
            first.setdefault(cell.workload, cell)
    return [cell.twin for cell in first.values()]


def _baselines(recipe: Recipe, profile: Profile) -> list[Cell]:
    """What the cells of each comparison share."""
    return [
        Cell(recipe.engine, workload, profile.name, BASELINE, "off", int(clients)).at(**point)
        for workload in recipe.workloads
        for point in axes.points(recipe)
        for clients in [point.pop("threads", None) or profile.threads_of(workload)]
    ]
