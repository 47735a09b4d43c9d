"""The paper's profile at a fraction of its size, under a name of its own."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

from .. import profiles, workloads
from ..owned import whole
from ..profiles import Profile
from ..profiles.model import Section, Timing
from ..workload import Parameter

# What a small campaign must have all the same: time for sessions and rounds in which slices are
# no shorter than those of `quick`.
_MIN_BUDGET_S = 300.0
_MIN_MEASURE_S = 1.5
_MIN_WARMUP_S = 0.3
_MIN_SETTLE_S = 2.0

Table = dict[str, "Parameter | Table"]


def write(profile: Profile, scale: float, folder: Path) -> Path:
    """The TOML of the scaled profile, in `folder`: --resume reads it again by its path."""
    small = scaled(profile, scale)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{small.engine}-{small.name}.toml"
    about = f"# Profile {profile.name} of {profile.engine} at {scale:g} of its size.\n"
    whole.write(path, about + toml(small.model_dump(exclude={"digest"}, exclude_none=True)))
    profiles.load(str(path), small.engine)
    return path


def scaled(profile: Profile, scale: float) -> Profile:
    """Ids, warehouses and time at `scale` in (0, 1]; threads and the engine's settings stay.

    Its digest is empty: that is a file's.
    """
    changes: dict[str, object] = {
        **{name: _section(profile, name, scale) for name in profile.sections},
        "name": f"{profile.name}-x{scale:g}",
        "title": f"{profile.title}, times {scale:g}",
        "timing": _timing(profile.timing, scale),
        "digest": "",
    }
    return profile.model_copy(update=changes)


def _timing(timing: Timing, scale: float) -> Timing:
    """A budget, and slices in proportion to it, so that as many sessions fit into it."""
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


def _section(profile: Profile, name: str, scale: float) -> Section:
    """A section as its workload shrinks it; that of a workload which does not is left as it is."""
    section, record = profile.sections[name], workloads.sized_by(name)
    if record.scale.shrink is None:
        return section
    threads = section.threads or profile.threads
    load, run = record.scale.shrink(section.load, section.run, scale, threads)
    data_mb = math.ceil(section.data_mb * scale)
    return section.model_copy(update={"load": load, "run": run, "data_mb": data_mb})


def toml(table: Table, prefix: str = "") -> str:
    """Scalars first, then the tables, as TOML wants it; JSON's scalars are TOML's."""
    scalars = [
        f"{_key(key)} = {json.dumps(value, ensure_ascii=False)}"
        for key, value in table.items()
        if not isinstance(value, dict)
    ]
    parts = ["\n".join(scalars) + "\n"] if scalars else []
    for key, value in table.items():
        if isinstance(value, dict):
            name = prefix + _key(key)
            parts.append(f"[{name}]\n{toml(value, f'{name}.')}")
    return "\n".join(parts)


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name, ensure_ascii=False)
