"""Build the cells of a recipe: for each workload a baseline and what is compared with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..axes import PAIRED
from ..cell import BASELINE, Cell, ladder, plan, second_ladder
from ..devices.resolve import Placement
from ..engines import PROGRAM
from ..profiles import Profile
from .cells.endpoint import life as endpoints
from .recipe import axes
from .recipe.parts import Endpoint
from .recipe.recipe import Recipe


def cells_of(
    recipe: Recipe, profile: Profile, named: Sequence[str], placed: Mapping[str, Placement]
) -> list[Cell]:
    """Return all cells. `named` are the devices but the baseline; `placed` says where each is."""
    cells = [
        cell
        for baseline in _baselines(recipe, profile)
        for cell in _cells(baseline, recipe, named, placed)
    ]
    return cells + _twins(recipe, cells)


def of_endpoints(
    recipe: Recipe, profile: Profile
) -> tuple[tuple[Cell, ...], dict[str, Placement], dict[str, Endpoint]]:
    """Return a cell for each server of its owner, and its log's place and the server by cell id."""
    servers = {
        replace(baseline, device=endpoint.device, durability=endpoint.durability): endpoint
        for baseline in _baselines(recipe, profile)
        for endpoint in recipe.endpoints
    }
    places = {cell.id: endpoints.placement(endpoint) for cell, endpoint in servers.items()}
    return tuple(servers), places, {cell.id: endpoint for cell, endpoint in servers.items()}


def _cells(
    baseline: Cell, recipe: Recipe, named: Sequence[str], placed: Mapping[str, Placement]
) -> list[Cell]:
    if recipe.ladder and recipe.binlog is not None:
        return second_ladder(baseline, named)
    if recipe.ladder:
        return ladder(baseline, {name: placed[name].emulated for name in named})
    cells = plan(baseline, named, recipe.durability, recipe.knobs, recipe.beside)
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
