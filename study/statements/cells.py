"""The cells that take turns on one statement: each engine's modes, and the study's arrivals."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ... import profiles
from ...runners import campaign
from ...runners.campaign import Campaign, Recipe
from .shapes import POOL, STUDENTS, Shape

if TYPE_CHECKING:
    from ...profiles import Profile
    from ...profiles.model import Section

CLOSED, ARRIVALS, FOREIGN = "closed", "arrivals", "foreign"
KIND = "study-sqlops"
_SECTION = "sqlops"
_FEWEST = 1_000  # students, also of a table that is to be filled
_LATE_S = 600.0  # that arrivals may take beyond their ramp


@dataclass(frozen=True)
class Asked:
    """`scale` is the share of the study's rows, and of what it took; `rounds` of each statement."""

    shapes: tuple[Shape, ...]
    device: str
    profile: str
    scale: float
    rounds: int
    seed: int
    folder: Path
    data_root: Path


def closed(asked: Asked, shape: Shape, engine: str) -> Campaign:
    """Every mode of an engine, with a client for each connection of the study's pool.

    Errors: UsageError for a device or a profile that is not to be had.
    """
    profile = sized(profiles.load(asked.profile, engine), asked, shape)
    recipe = Recipe(
        engine=engine,
        workloads=(shape.workload,),
        profile=asked.profile,
        devices=(asked.device,),
        durability="sync",
        beside=("flush",),
        threads=(POOL,),
        seed=asked.seed,
        kind=KIND,
    )
    name = "-".join((campaign.now(), engine, shape.workload))
    planned = campaign.resolved(name, recipe, profile, asked.folder.parent, asked.data_root)
    return replace(planned, folder=asked.folder)


def arriving(whole: Campaign, shape: Shape) -> Campaign:
    """The one cell whose commits are synced, under the study's arrivals."""
    synced = next(cell for cell in whole.cells if cell.durability == "sync")
    cell = replace(synced, threads=shape.threads)
    return replace(
        whole,
        id=f"{whole.id}-{ARRIVALS}",
        profile=_arriving(whole.profile, shape),
        cells=(cell,),
        placements={cell.id: whole.placements[synced.id]},
    )


def referring(whole: Campaign) -> Campaign:
    """The one cell whose commits are synced, its students referring to a table of courses."""
    synced = next(cell for cell in whole.cells if cell.durability == "sync")
    section = whole.profile.workload(synced.workload)
    load = {**section.load, "foreign_keys": True}
    return replace(
        whole,
        id=f"{whole.id}-{FOREIGN}",
        profile=_with_section(whole.profile, section.model_copy(update={"load": load})),
        cells=(synced,),
        placements={synced.id: whole.placements[synced.id]},
    )


def sized(profile: Profile, asked: Asked, shape: Shape) -> Profile:
    section = profile.workload(shape.workload)
    full = max(_FEWEST, round(STUDENTS * asked.scale))
    load = {**section.load, "students": _FEWEST if shape.fills else full}
    share = full / int(section.load["students"])
    changes = {"load": load, "data_mb": math.ceil(section.data_mb * max(1.0, share))}
    return _with_section(profile, section.model_copy(update=changes))


def _arriving(profile: Profile, shape: Shape) -> Profile:
    """No warm-up: what a generator's report counts begins with its first thread."""
    section = profile.workload(shape.workload)
    run = {**section.run, "pool": POOL, "ramp_s": shape.ramp_s}
    times = {"warmup_s": 0.0, "settle_s": 0.0, "measure_s": shape.ramp_s + _LATE_S}
    arriving = _with_section(profile, section.model_copy(update={"run": run}))
    return arriving.model_copy(update={"timing": profile.timing.model_copy(update=times)})


def _with_section(profile: Profile, section: Section) -> Profile:
    return profile.model_copy(update={_SECTION: section})
