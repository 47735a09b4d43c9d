"""Rows from the disk, checked to be one consistent set, and what holds for all of them."""

from __future__ import annotations

import contextlib
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from ... import workloads
from ...base import strictjson
from ...base.errors import UsageError, WaltaxError
from ...cell import Cell
from ...evidence import kept
from ...row import HalfWrittenLine, Row, standing

T = TypeVar("T")

ROWS = "rows.jsonl"
CAMPAIGN = "campaign.json"


@dataclass(frozen=True)
class Origin:
    """Each tuple holds the distinct values, in order of appearance: one is the rule."""

    campaigns: tuple[str, ...]
    profiles: tuple[str, ...]
    seeds: tuple[int, ...]
    versions: dict[str, tuple[str, ...]]
    git_commits: tuple[str, ...]
    kernels: tuple[str, ...]
    machines: tuple[str, ...]  # CPU model and cores
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


def read(campaigns: Sequence[Path]) -> Source:
    """The rows of these campaigns, taken together. Errors: as `load`."""
    with warnings.catch_warnings(record=True, action="always", category=HalfWrittenLine) as dropped:
        rows = load(campaigns)
    about = origin_of(rows)
    folder = campaigns[0] if len(campaigns) == 1 and campaigns[0].is_dir() else None
    said = (*(str(one.message) for one in dropped), *about.warnings)
    return Source(rows, about, folder, said)


def load(paths: Iterable[Path]) -> list[Row]:
    """The rows of campaign folders or JSON-lines files, in the order given.

    Raises UsageError for a path without rows, WaltaxError when one slice comes twice: two
    measurements under one name would be averaged in silence; and for a row that contradicts itself.
    """
    rows: list[Row] = []
    files = (path / ROWS if path.is_dir() else path for path in paths)
    for file in dict.fromkeys(file.resolve() for file in files):
        # A campaign that cannot be read has rows all the same.
        with contextlib.suppress(OSError, ValueError):
            kept_there = (file.parent / CAMPAIGN).read_bytes()
            workloads.recall(strictjson.loads(kept_there, printable=False))
        if not file.is_file():
            raise UsageError(f"{file}: no rows there; it takes a folder of results/")
        rows += kept.read(file)
    if not rows:
        raise UsageError("no rows yet: the campaign ended before its first slice")
    _refuse_doubles(rows)
    return standing(rows)


def _refuse_doubles(rows: list[Row]) -> None:
    seen: set[tuple[object, ...]] = set()
    for one in rows:
        key = one["campaign"], one["session"], one["round"], Cell.of_row(one)
        if one["status"] == "ok" and key in seen:
            raise WaltaxError(
                f"campaign {key[0]}: session {key[1]}, round {key[2]} has two slices of "
                f"cell {one['cell']}; give each campaign once"
            )
        if one["status"] == "ok":
            seen.add(key)


def origin_of(rows: Sequence[Row]) -> Origin:
    """What these rows say of where they come from."""
    accepted = [one for one in rows if one["status"] == "ok"]
    days = (_day(one["start_unix_s"]) for one in accepted if "start_unix_s" in one)
    machines = (one for one in accepted if one.get("cpu_model"))
    return Origin(
        campaigns=_distinct(one["campaign"] for one in rows),
        profiles=_distinct(one["profile"] for one in rows),
        seeds=_distinct(one["seed"] for one in accepted if "seed" in one),
        versions=_versions(accepted),
        git_commits=_distinct(one["git_commit"] for one in accepted if one.get("git_commit")),
        kernels=_distinct(one["kernel"] for one in accepted if "kernel" in one),
        machines=_distinct(
            f"{one['cpu_model']}, {one.get('cores', '?')} cores" for one in machines
        ),
        measured_on=_distinct(sorted(days)),
        slices_accepted=len(accepted),
        slices_failed=len(rows) - len(accepted),
        measured_s=sum(one.get("measure_s", 0.0) for one in accepted),
        warnings=_distinct(_mixed(accepted)),
    )


def _versions(rows: Sequence[Row]) -> dict[str, tuple[str, ...]]:
    pairs = _distinct(pair for one in rows for pair in (one.get("versions") or {}).items())
    return {name: tuple(v for n, v in pairs if n == name) for name, _ in pairs}


def _mixed(rows: Sequence[Row]) -> Iterator[str]:
    """What differs between rows that are read as one.

    Engines have versions of their own, and so have builds, which are compared for that. Cells of
    one session have one kernel, and what kernels differ by is among what sessions do.
    """

    def of(one: Row) -> tuple[str, str]:
        return one["engine"], one.get("build") or ""

    for engine in _distinct(map(of, rows)):
        for program, versions in _versions([one for one in rows if of(one) == engine]).items():
            if len(versions) > 1:
                said = f"{program} {' and '.join(versions)}"
                yield f"the rows mix {said}: their difference is in the overheads"
    taps = _distinct(one["tap_digest"] for one in rows if one.get("tap_digest"))
    if len(taps) > 1:
        yield f"the rows mix {len(taps)} builds of the tap: their difference is in the overheads"
    kernels = _distinct(one["kernel"] for one in rows if one.get("kernel"))
    if len(kernels) > 1:
        yield f"the rows mix kernels {' and '.join(kernels)}: sessions may differ by that, too"


def failures(rows: Iterable[Row], named: Callable[[Row], str]) -> dict[str, str]:
    """Why slices failed, by what their cells are called."""
    return {named(one): str(one["failure"]) for one in rows if one["status"] == "failed"}


def _day(unix_s: float) -> str:
    try:
        return time.strftime("%Y-%m-%d", time.gmtime(unix_s))
    except (OverflowError, ValueError, OSError):  # a row that somebody edited
        return "unknown"


def _distinct(values: Iterable[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(values))
