"""Read strictly what a campaign keeps of itself in campaign.json."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ... import workloads
from ...base import strictjson
from ...base.errors import UsageError
from ...base.tomlfile import validate_json
from ...cell import point_us
from ...workloads.own_program import COMMAND, TIMED
from .recipe import Kept

RECIPE = "campaign.json"
_MOST_BYTES = 1 << 20
_RENAMED = {"serve": "try"}  # kinds of older releases


def read(folder: Path) -> Kept:
    """Return what the campaign in `folder` keeps. Errors: UsageError that says what to do."""
    path = folder / RECIPE
    try:
        content = path.read_bytes()
    except OSError as error:
        problem = f"no {RECIPE} in it" if folder.is_dir() else "no such folder"
        raise UsageError(
            f"--resume: {folder}: {problem}; type a campaign's folder, as in --resume "
            "results/20240131-235959-123-rocksdb-linkbench-quick"
        ) from error
    try:
        if len(content) > _MOST_BYTES:
            raise ValueError(f"{len(content):,} bytes")
        workloads.recall(strictjson.loads(content, printable=False))
    except ValueError as error:
        raise UsageError(f"--resume: {path}: no JSON ({error}); start a new campaign") from error
    try:
        return _of_today(validate_json(path, content, Kept))
    except UsageError as error:
        why = error.lines[0].removeprefix(f"{path}: ")
        raise UsageError(
            f"--resume: {path}: {why}; written by another waltax, or changed since: start a new "
            "campaign"
        ) from error


def _of_today(kept: Kept) -> Kept:
    """Complete what campaigns of older releases kept: infer their kind.

    A sweep of knobs measured `flush` beside what it kept. Errors: UsageError for a command without
    its workload, and for the workload without a command.
    """
    if (kept.command is None) == bool({COMMAND, TIMED} & set(kept.workloads)):
        given = "none" if kept.command is None else "a command"
        raise UsageError(f"command: found {given} with workloads {', '.join(kept.workloads)}")
    if kept.kind:
        return replace(kept, kind=_RENAMED.get(kept.kind, kept.kind))
    beside = ("flush",) if kept.knobs else ()
    return replace(kept, kind=_kind(vars(kept)), beside=beside)


def _kind(recipe: Mapping[str, Any]) -> str:
    """Infer the kind of a campaign saved by an older release from options that only it has."""
    points = sum(point_us(Path(name).stem) is not None for name in recipe["devices"])
    signs = {
        "sweep-knobs": bool(recipe["knobs"]),
        "sweep-sizes": bool(recipe["sizes"]),
        "sweep-latency": points > 1,
        "sweep-threads": len(recipe["threads"]) > 1,
        "run": True,
    }
    return next(name for name, is_it in signs.items() if is_it)


@dataclass(frozen=True)
class Told:
    """What a campaign says of itself; a field is empty where it says nothing, or nothing valid."""

    kind: str = ""
    engine: str = ""
    workloads: tuple[str, ...] = ()
    devices: tuple[str, ...] = ()
    builds: tuple[str, ...] = ()
    axes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def told(folder: Path) -> Told:
    """Read what a campaign was asked to do, leniently: to find or report it, not to resume it.

    Campaigns of other releases count too, and one that cannot be read is treated as missing.
    """
    content = strictjson.read(folder / RECIPE)
    if not isinstance(content, dict):
        return Told()
    named = ("workloads", "devices", "threads", "sizes", "knobs")
    lists = {name: _words(content.get(name)) for name in named}
    kind = str(content.get("kind") or _kind(lists))
    builds, axes = content.get("builds"), content.get("axes")
    names = [build.get("name") for build in builds or () if isinstance(build, dict)]
    return Told(
        _RENAMED.get(kind, kind),
        str(content.get("engine", "")),
        lists["workloads"],
        lists["devices"],
        _words(names),
        {name: _words(typed) for name, typed in axes.items()} if isinstance(axes, dict) else {},
    )


def _words(texts: object) -> tuple[str, ...]:
    return tuple(str(word) for word in texts) if isinstance(texts, list) else ()
