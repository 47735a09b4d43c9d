"""Read strictly what a campaign keeps of itself in campaign.json."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ... import workloads
from ...base import strictjson
from ...base.errors import UsageError
from ...base.tomlfile import validate_json
from .recipe import Kept

RECIPE = "campaign.json"


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
        workloads.recall(strictjson.loads(content, printable=False))
    except ValueError as error:
        raise UsageError(f"--resume: {path}: no JSON ({error}); start a new campaign") from error
    try:
        return validate_json(path, content, Kept)
    except UsageError as error:
        why = error.lines[0].removeprefix(f"{path}: ")
        raise UsageError(
            f"--resume: {path}: {why}; written by another waltax, or changed since: start a new "
            "campaign"
        ) from error


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

    One that cannot be read is treated as missing.
    """
    content = strictjson.read(folder / RECIPE)
    if not isinstance(content, dict):
        return Told()
    builds, axes = content.get("builds"), content.get("axes")
    names = [build.get("name") for build in builds or () if isinstance(build, dict)]
    return Told(
        str(content.get("kind", "")),
        str(content.get("engine", "")),
        _words(content.get("workloads")),
        _words(content.get("devices")),
        _words(names),
        {name: _words(typed) for name, typed in axes.items()} if isinstance(axes, dict) else {},
    )


def _words(texts: object) -> tuple[str, ...]:
    return tuple(str(word) for word in texts) if isinstance(texts, list) else ()
