"""What holds for the whole report: where its rows come from, and what limits them."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from ..row import Row

T = TypeVar("T")


@dataclass(frozen=True)
class Facts:
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


def of_rows(rows: list[Row]) -> Facts:
    accepted = [one for one in rows if one["status"] == "ok"]
    days = (_day(one["start_unix_s"]) for one in accepted if "start_unix_s" in one)
    return Facts(
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


def _versions(rows: list[Row]) -> dict[str, tuple[str, ...]]:
    pairs = _distinct(pair for one in rows for pair in (one.get("versions") or {}).items())
    return {name: tuple(v for n, v in pairs if n == name) for name, _ in pairs}


def _mixed_versions(rows: list[Row]) -> tuple[str, ...]:
    """Engines are not compared with each other, and may have versions of their own."""
    engines = _distinct(one["engine"] for one in rows)
    return _distinct(
        f"the rows mix {program} {' and '.join(found)}: their difference is in the overheads"
        for engine in engines
        for program, found in _versions([one for one in rows if one["engine"] == engine]).items()
        if len(found) > 1
    )


def _day(unix_s: float) -> str:
    try:
        return time.strftime("%Y-%m-%d", time.gmtime(unix_s))
    except (OverflowError, ValueError, OSError):  # a row that somebody edited
        return "unknown"


def _distinct(values: Iterable[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(values))
