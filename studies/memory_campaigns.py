"""Bounded memory of a campaign's cells, and data of a given ratio to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from .. import workloads
from ..base.errors import UsageError
from ..engines import ENGINES
from ..runners.recipe.parts import Bound
from .request import Request
from .study import Changes

if TYPE_CHECKING:
    from ..profiles import Profile


def bounded(request: Request, works: Sequence[str]) -> Iterator[Changes]:
    """Yield the changes of a campaign for each bound of the request, or one without a bound.

    Errors: UsageError for a ratio without a bound, a workload whose data size is unknown, and a
    bound that is too small.
    """
    bounds = [*map(Bound.of, request.axes.get("memory", ()))]
    if not bounds:
        yield {}
        return
    if not bounds[0].mib:
        raise UsageError(
            "--ratio: found without --memory, which it is a multiple of; add --memory 1GiB"
        )
    from .. import profiles

    profile = profiles.load(request.profile, request.engine)
    wanted = tuple(works) or profile.workloads
    _refuse_unsized(wanted)
    of_profile = max(profile.workload(w).data_mb for w in wanted)
    for typed in bounds:
        bound = Bound(typed.mib, typed.ratio or round(of_profile / typed.mib, 4))
        of_bound = {"workloads": wanted, "axes": request.at(memory=(bound.word,)).axes}
        resized = _within(profile, wanted, bound).model_dump(exclude_none=True)
        yield {**of_bound, "resized": resized}


def _refuse_unsized(wanted: Sequence[str]) -> None:
    """Refuse a workload whose size in bytes is unknown, and two that share a scale.

    Errors: UsageError.
    """
    known = [record.name for record in workloads.WORKLOADS.values() if record.scale.in_bytes]
    mixes = [name for name in wanted if workloads.of(name).is_mix]
    if len({workloads.of(name).data_digest for name in mixes}) > 1:
        raise UsageError(
            f"--memory: found with {' and '.join(mixes)}, whose data have one scale for both; type "
            "--workload with one of them"
        )
    for name in wanted:
        if name not in known:
            raise UsageError(
                f"--memory: found with workload {name}, which does not say how large its data is "
                f"at what scale; type --workload with one of {', '.join(known)}"
            )


def _within(profile: Profile, wanted: Sequence[str], bound: Bound) -> Profile:
    """Return the profile with the bound's data size, under its own name."""
    from . import profile_scale

    sections: dict[str, Any] = {
        workloads.of(name).sized_by: profile_scale.section_of(
            profile, name, bound.ratio * bound.mib
        )
        for name in wanted
    }
    name = f"d{bound.mib}-r{bound.ratio:.4g}"
    title = f"; data {bound.ratio:g} times the memory of {bound.mib} MiB"
    sized = profile_scale.renamed(profile, name, title, **sections)
    return _past_the_page_cache(sized, wanted, bound)


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
