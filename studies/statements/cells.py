"""The cells that take turns on a statement: each engine's modes, and the study's arrivals."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ... import profiles, workloads
from ...runners import campaign
from ...runners.campaign import Campaign, Recipe
from .shapes import POOL, STUDENTS, Shape

if TYPE_CHECKING:
    from ...profiles import Profile

CLOSED, ARRIVALS, FOREIGN = "closed", "arrivals", "foreign"
KIND = "study-sqlops"
_ROWS = 400_000  # students in the statements' own files
_FEWEST = 1_000  # students, also in a table that the statement fills
_REFERENCE = re.compile(r"^(columns[.]sub\d = ).*", re.MULTILINE)
_COURSES = f"""
[tables.courses]
rows = {_ROWS}
key = {{ bytes = 4 }}
columns.title = {{ type = "text", size = 20 }}
"""
_LATE_S = 600.0  # time that arrivals may take beyond their ramp


@dataclass(frozen=True)
class Request:
    """`scale` is a share of the study's rows and time; each statement has this many `rounds`."""

    shapes: tuple[Shape, ...]
    device: str
    scale: float
    folder: Path
    data_root: Path
    profile: str
    rounds: int
    seed: int


def closed(request: Request, shape: Shape, engine: str) -> Campaign:
    """Plan every mode of an engine, with a client for each connection of the study's pool.

    Errors: UsageError for an unknown device or profile.
    """
    profile = sized(profiles.load(request.profile, engine), request, shape)
    recipe = Recipe(
        engine=engine,
        workloads=(shape.workload,),
        profile=request.profile,
        devices=(request.device,),
        durability="sync",
        beside=("flush",),
        threads=(POOL,),
        seed=request.seed,
        kind=KIND,
    )
    name = "-".join((campaign.now(), engine, shape.workload))
    planned = campaign.resolved(name, recipe, profile, request.folder.parent, request.data_root)
    return replace(planned, folder=request.folder)


def arriving(whole: Campaign, shape: Shape) -> Campaign:
    """Return the campaign with only the synced cell, under the study's arrivals.

    It has no warm-up, since the study's report counts from the generator's first thread.
    """
    text = workloads.of(shape.workload).text
    load = f"\n[load]\npool = {POOL}\nramp_s = {shape.ramp_s}\n"
    times = {"warmup_s": 0.0, "settle_s": 0.0, "measure_s": shape.ramp_s + _LATE_S}
    timing = whole.profile.timing.model_copy(update=times)
    profile = whole.profile.model_copy(update={"timing": timing})
    return _of_one(whole, ARRIVALS, profile, varied(shape, ARRIVALS, text + load), shape.threads)


def referring(whole: Campaign, shape: Shape) -> Campaign:
    """Return the campaign with only the synced cell, whose students refer to a table of courses."""
    text = workloads.of(shape.workload).text
    text = _REFERENCE.sub(r'\1{ type = "int", references = "courses" }', text) + _COURSES
    return _of_one(whole, FOREIGN, whole.profile, varied(shape, FOREIGN, text), POOL)


def _of_one(whole: Campaign, way: str, profile: Profile, workload: str, threads: int) -> Campaign:
    synced = next(cell for cell in whole.cells if cell.durability == "sync")
    cell = replace(synced, workload=workload, threads=threads)
    return replace(
        whole,
        id=f"{whole.id}-{way}",
        profile=profile,
        cells=(cell,),
        placements={cell.id: whole.placements[synced.id]},
    )


def varied(shape: Shape, how: str, text: str) -> str:
    """Add a statement with another file to the workloads, and return its name there."""
    name = f"{shape.workload}-{how}"
    workloads.add_mixes({name: text})
    return name


def sized(profile: Profile, request: Request, shape: Shape) -> Profile:
    """Return the profile with as many students as the study had, at the request's scale."""
    full = max(_FEWEST, round(STUDENTS * request.scale))
    students = _FEWEST if shape.fills else full
    section = profile.section_as_it_is(shape.workload)
    assert section is not None
    load = {**section.load, "scale": students / _ROWS}
    of = workloads.of(shape.workload).sized_by
    return profile.model_copy(update={of: section.model_copy(update={"load": load})})
