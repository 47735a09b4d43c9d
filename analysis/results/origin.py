"""Rows and what holds for all of them: where they come from, and what limits them."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from ...row import HalfWrittenLine, Row
from .reading import load

T = TypeVar("T")


@dataclass(frozen=True)
class Origin:
    """Each tuple holds the distinct values, in order of appearance: one is the rule."""

    campaigns: tuple[str, ...]
    profiles: tuple[str, ...]
    seeds: tuple[int, ...]
    versions: dict[str, tuple[str, ...]]
    git_commits: tuple[str, ...]
    kernels: tuple[str, ...]
    measured_on: tuple[str, ...]  # days, UTC
    slices_accepted: int
    slices_failed: int
    measured_s: float
    warnings: tuple[str, ...]


@dataclass(frozen=True)
class Source:
    """The rows of campaigns, and the folder that their report belongs to.

    The files of a folder are of its own rows: of several campaigns, and of a file of rows, there
    is no such folder. `warnings` are those of reading, and those of the origin.
    """

    rows: list[Row]
    origin: Origin
    folder: Path | None
    warnings: tuple[str, ...]


def source(campaigns: Sequence[Path]) -> Source:
    """The rows of these campaigns, taken together. Errors: as `load`."""
    with warnings.catch_warnings(record=True, action="always", category=HalfWrittenLine) as dropped:
        rows = load(campaigns)
    about = origin(rows)
    folder = campaigns[0] if len(campaigns) == 1 and campaigns[0].is_dir() else None
    said = (*(str(one.message) for one in dropped), *about.warnings)
    return Source(rows, about, folder, said)


def origin(rows: Sequence[Row]) -> Origin:
    """What these rows say of where they come from."""
    accepted = [one for one in rows if one["status"] == "ok"]
    days = (_day(one["start_unix_s"]) for one in accepted if "start_unix_s" in one)
    return Origin(
        campaigns=_distinct(one["campaign"] for one in rows),
        profiles=_distinct(one["profile"] for one in rows),
        seeds=_distinct(one["seed"] for one in accepted if "seed" in one),
        versions=_versions(accepted),
        git_commits=_distinct(one["git_commit"] for one in accepted if one.get("git_commit")),
        kernels=_distinct(one["kernel"] for one in accepted if "kernel" in one),
        measured_on=_distinct(sorted(days)),
        slices_accepted=len(accepted),
        slices_failed=len(rows) - len(accepted),
        measured_s=sum(one.get("measure_s", 0.0) for one in accepted),
        warnings=_mixed_versions(accepted),
    )


def _versions(rows: Sequence[Row]) -> dict[str, tuple[str, ...]]:
    pairs = _distinct(pair for one in rows for pair in (one.get("versions") or {}).items())
    return {name: tuple(v for n, v in pairs if n == name) for name, _ in pairs}


def _mixed_versions(rows: Sequence[Row]) -> tuple[str, ...]:
    """Engines are not compared with each other, and may have versions of their own."""
    engines = _distinct(one["engine"] for one in rows)
    return _distinct(
        f"the rows mix {program} {' and '.join(versions)}: their difference is in the overheads"
        for engine in engines
        for program, versions in _versions([o for o in rows if o["engine"] == engine]).items()
        if len(versions) > 1
    )


def _day(unix_s: float) -> str:
    try:
        return time.strftime("%Y-%m-%d", time.gmtime(unix_s))
    except (OverflowError, ValueError, OSError):  # a row that somebody edited
        return "unknown"


def _distinct(values: Iterable[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(values))
