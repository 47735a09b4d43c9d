"""Profiles at another size, under their own names: a share of it, or data for a bound of memory."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from .. import profiles, workloads
from ..base.errors import UsageError
from ..engines import ENGINES
from ..profiles import Profile
from ..profiles.model import Section, Timing
from ..runners.recipe.parts import Bound

if TYPE_CHECKING:
    from .request import Request
    from .study import Changes

# Even a small campaign needs time for sessions and rounds with slices no shorter than those of
# `quick`.
_LEAST_S = {"time_budget_s": 300.0, "measure_s": 1.5, "warmup_s": 0.3, "settle_s": 2.0}


def at_scale(profile: Profile, scale: float) -> Profile:
    """Scale ids, warehouses and time to `scale` in (0, 1]; threads and settings stay the same."""
    sections = {
        name: section_at_scale(profile, workloads.sized_by(name).name, scale)
        for name in profile.sections
    }
    timing = _timing_at_scale(profile.timing, scale)
    return renamed(profile, f"x{scale:g}", f", times {scale:g}", timing=timing, **sections)


def renamed(profile: Profile, name: str, title: str, **changes: object) -> Profile:
    """Return the profile with these changes, and with suffixes to its name and title.

    Its digest is empty, because only a file has one.
    """
    names = {"name": f"{profile.name}-{name}", "title": f"{profile.title}{title}"}
    return profile.model_copy(update={**names, **changes, "digest": "", "path": ""})


def _timing_at_scale(timing: Timing, scale: float) -> Timing:
    """Scale the budget, and slices in proportion, so that equally many sessions fit."""
    share = max(scale, _LEAST_S["time_budget_s"] / timing.time_budget_s)
    whole = {name: getattr(timing, name) for name in _LEAST_S}
    return timing.model_copy(
        update={
            name: min(seconds, max(_LEAST_S[name], round(seconds * share, 2)))
            for name, seconds in whole.items()
        }
    )


def section_at_scale(profile: Profile, workload: str, scale: float) -> Section:
    """Return a section as its workload shrinks it, or unchanged if the workload cannot shrink.

    REQUIRES: the profile has it.
    """
    section, record = profile.section_as_it_is(workload), workloads.of(workload)
    assert section is not None
    if record.scale.shrink is None:
        return section
    threads = section.threads or profile.threads
    load, run = record.scale.shrink(section.load, section.run, scale, threads)
    # The share after rounding and floors.
    share = float(load[record.scale.parameter]) / float(section.load[record.scale.parameter])
    fixed = section.data_mb if record.is_mix else record.scale.fixed_mb
    data_mb = math.ceil(round(fixed + (section.data_mb - fixed) * share, 1))
    return section.model_copy(update={"load": load, "run": run, "data_mb": data_mb})


def bounded(request: Request, works: Sequence[str]) -> Iterator[Changes]:
    """Yield the changes of a campaign for each bound of memory, or one without a bound.

    Errors: UsageError for a ratio without a bound, a workload whose data size is unknown, mixes
    that share a scale, and a bound that is too small.
    """
    bounds = [*map(Bound.of, request.axes.get("memory", ()))]
    if not bounds:
        yield {}
        return
    if not bounds[0].mib:
        raise UsageError(
            "--ratio: found without --memory, which it is a multiple of; add --memory 1GiB"
        )
    profile = profiles.load(request.profile, request.engine)
    wanted = tuple(works) or profile.workloads
    known = [record.name for record in workloads.WORKLOADS.values() if record.scale.in_bytes]
    mixes = {workloads.of(name).data_digest for name in wanted if workloads.of(name).is_mix}
    if len(mixes) > 1 or not {*known}.issuperset(wanted):
        raise UsageError(
            f"--memory: found with workload {' '.join(wanted)}, whose data cannot be given a size "
            f"in bytes; type --workload with one of {', '.join(known)}"
        )
    of_profile = max(profile.workload(name).data_mb for name in wanted)
    for typed in bounds:
        bound = Bound(typed.mib, typed.ratio or round(of_profile / typed.mib, 4))
        sized = _past_the_page_cache(_with_data(profile, wanted, bound), wanted, bound)
        yield {
            "workloads": wanted,
            "axes": request.at(memory=(bound.word,)).axes,
            "resized": sized.model_dump(exclude_none=True),
        }


def _with_data(profile: Profile, wanted: Sequence[str], bound: Bound) -> Profile:
    """Return the profile with data of the bound's ratio to its memory."""
    mib = bound.ratio * bound.mib
    sections = {
        workloads.of(name).sized_by: section_at_scale(
            profile, name, mib / profile.workload(name).data_mb
        )
        for name in wanted
    }
    title = f"; data {bound.ratio:g} times the memory of {bound.mib} MiB"
    return renamed(profile, f"d{bound.mib}-r{bound.ratio:.4g}", title, **sections)


def _past_the_page_cache(profile: Profile, wanted: Sequence[str], bound: Bound) -> Profile:
    """Return the profile with direct I/O, and a cache of what the bound leaves."""
    from ..runners.cells.cell_memory import cache_within

    engine = ENGINES[profile.engine]
    cache = min(cache_within(profile, name, bound) for name in wanted)
    if not engine.on_server:
        embedded = profile.embedded
        settings = {"block_cache_mb": cache, "db": {**embedded.db, **engine.direct}}
        return profile.model_copy(update={"rocksdb": embedded.model_copy(update=settings)})
    ours = {**engine.direct, engine.cache: f"{cache}M"}
    sections = {
        name: section.model_copy(update={"server": {**section.server, **ours}})
        for name, section in profile.sections.items()
    }
    return profile.model_copy(update=sections)
