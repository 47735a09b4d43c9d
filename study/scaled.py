"""The paper's profile at a fraction of its size, under a name of its own."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

from .. import profiles
from ..owned import whole
from ..profiles import Profile
from ..profiles.model import Parameter, Timing, Workload

# The original gives its largest node so many links whatever the number of ids.
_LARGEST_NODE = 961_963
# What a small campaign must have all the same: enough ids for the draws to differ, time for
# sessions and rounds in which slices are no shorter than those of `quick`.
_MIN_IDS = 1_000
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
        "name": f"{profile.name}-x{scale:g}",
        "title": f"{profile.title}, times {scale:g}",
        "timing": _timing(profile.timing, scale),
        "digest": "",
    }
    if profile.linkbench is not None:
        changes["linkbench"] = _linkbench(profile.linkbench, scale)
    if profile.tpcc is not None:
        changes["tpcc"] = _tpcc(profile.tpcc, scale, profile.threads_of("tpcc"))
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


def _linkbench(workload: Workload, scale: float) -> Workload:
    """The largest node shrinks with the graph, or it would be most of it."""
    load = dict(workload.load)
    ids = max(_MIN_IDS, round((int(load["maxid1"]) - 1) * scale))
    cap = min(int(load.get("degree_cap", _LARGEST_NODE)), _LARGEST_NODE)
    load |= {"maxid1": ids + 1, "degree_cap": max(1, round(cap * scale))}
    return workload.model_copy(update={"load": load, "data_mb": _data_mb(workload, scale)})


def _tpcc(workload: Workload, scale: float, threads: int) -> Workload:
    load, run = dict(workload.load), dict(workload.run)
    count = max(1, round(int(load["warehouses"]) * scale))
    load["warehouses"] = count
    if "terminals" in run:  # a multiple of the threads
        run["terminals"] = threads * max(1, round(int(run["terminals"]) * scale / threads))
    sizes = {"load": load, "run": run, "data_mb": _data_mb(workload, scale)}
    return workload.model_copy(update=sizes)


def _data_mb(workload: Workload, scale: float) -> int:
    return math.ceil(workload.data_mb * scale)


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
