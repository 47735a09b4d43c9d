"""Profiles at another size, under their own names."""

from __future__ import annotations

import math

from .. import workloads
from ..profiles import Profile
from ..profiles.model import Section, Timing

# Even a small campaign needs time for sessions and rounds with slices no shorter than those of
# `quick`.
_MIN_BUDGET_S = 300.0
_MIN_MEASURE_S = 1.5
_MIN_WARMUP_S = 0.3
_MIN_SETTLE_S = 2.0


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
    budget_s = min(timing.time_budget_s, max(_MIN_BUDGET_S, timing.time_budget_s * scale))
    share = budget_s / timing.time_budget_s

    def part(seconds: float, floor_s: float) -> float:
        return min(seconds, max(floor_s, round(seconds * share, 2)))

    changes = {
        "time_budget_s": round(budget_s, 1),
        "measure_s": part(timing.measure_s, _MIN_MEASURE_S),
        "warmup_s": part(timing.warmup_s, _MIN_WARMUP_S),
        "settle_s": part(timing.settle_s, _MIN_SETTLE_S),
    }
    return timing.model_copy(update=changes)


def section_of(profile: Profile, workload: str, mib: float) -> Section:
    """Return the section of a workload with `mib` of data. REQUIRES: its scale is `in_bytes`.

    Errors: UsageError when the profile does not size it.
    """
    return section_at_scale(profile, workload, mib / profile.workload(workload).data_mb)


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
