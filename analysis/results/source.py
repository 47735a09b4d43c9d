"""Rows from the disk, checked to be one consistent set, and what all of them share."""

from __future__ import annotations

import contextlib
import time
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from ... import workloads
from ...base import strictjson
from ...base.errors import UsageError, WaltaxError
from ...cell import Cell
from ...evidence import judgement
from ...row import HalfWrittenLine, Row, standing
from . import hosts
from .hosts import PROGRAM, TOOL, Machine, behind
from .panel import slot_of

T = TypeVar("T")

ROWS = "rows.jsonl"
CAMPAIGN = "campaign.json"


@dataclass(frozen=True)
class Origin:
    """Where rows come from. Each tuple holds distinct values, usually one, in order."""

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

    The files of a folder belong to its own rows, so several campaigns, or a file of rows, have no
    such folder. `warnings` are those of reading and those about the origin.
    """

    rows: list[Row]
    origin: Origin
    folder: Path | None
    warnings: tuple[str, ...]

    @cached_property
    def machine(self) -> Machine | None:
        """The machine of its rows; None if they do not name one, or name several."""
        return hosts.machine_of(self.rows)

    @property
    def name(self) -> str:
        """Its folder, or else its campaigns."""
        return str(self.folder or ", ".join(self.origin.campaigns))

    def is_machine_of(self, other: Source) -> bool:
        """Return whether both are known to come from one machine."""
        return self.machine is not None and self.machine == other.machine


def read(campaigns: Sequence[Path]) -> Source:
    """Read the rows of these campaigns as one set.

    Errors: as for `load`.
    """
    with warnings.catch_warnings(record=True, action="always", category=HalfWrittenLine) as dropped:
        rows = load(campaigns)
    about = origin_of(rows)
    folder = campaigns[0] if len(campaigns) == 1 and campaigns[0].is_dir() else None
    said = (*(str(warning.message) for warning in dropped), *about.warnings)
    return Source(rows, about, folder, said)


def load(paths: Iterable[Path]) -> list[Row]:
    """Read the rows of campaign folders or JSON-lines files, in the order given.

    Errors: UsageError for a path without rows. WaltaxError for a row that contradicts itself, and
    for a slice that appears twice: two measurements under one name would silently be averaged.
    """
    rows: list[Row] = []
    files = (path / ROWS if path.is_dir() else path for path in paths)
    for file in dict.fromkeys(file.resolve() for file in files):
        # A campaign that cannot be read may still have rows.
        with contextlib.suppress(OSError, ValueError):
            kept_there = (file.parent / CAMPAIGN).read_bytes()
            workloads.recall(strictjson.loads(kept_there, printable=False))
        if not file.is_file():
            raise UsageError(f"{file}: no rows there; type the folder of a campaign")
        rows += judgement.read(file)
    if not rows:
        raise UsageError("no rows yet: the campaign ended before its first slice")
    _refuse_doubles(rows)
    return standing(rows)


def _refuse_doubles(rows: list[Row]) -> None:
    accepted = [row for row in rows if row["status"] == "ok"]
    of = Counter((*slot_of(row), Cell.of_row(row)) for row in accepted)
    for (campaign, session, number, cell), times in of.items():
        if times > 1:
            raise WaltaxError(
                f"campaign {campaign}: session {session}, round {number} has two slices of cell "
                f"{cell.id}; give each campaign once"
            )


def origin_of(rows: Sequence[Row]) -> Origin:
    """Return what these rows say about their origin."""
    accepted = [row for row in rows if row["status"] == "ok"]
    days = (_day(row["start_unix_s"]) for row in accepted if "start_unix_s" in row)
    machines = (row for row in accepted if row.get("cpu_model"))
    return Origin(
        campaigns=_distinct(row["campaign"] for row in rows),
        profiles=_distinct(row["profile"] for row in rows),
        seeds=_distinct(row["seed"] for row in accepted if "seed" in row),
        versions=_versions(accepted),
        git_commits=_distinct(row["git_commit"] for row in accepted if row.get("git_commit")),
        kernels=_distinct(row["kernel"] for row in accepted if "kernel" in row),
        machines=_distinct(map(machine_of, machines)),
        measured_on=_distinct(sorted(days)),
        slices_accepted=len(accepted),
        slices_failed=len(rows) - len(accepted),
        measured_s=sum(row.get("measure_s", 0.0) for row in accepted),
        warnings=_distinct(_mixed(accepted)),
    )


def machine_of(row: Mapping[str, Any]) -> str:
    """Return a machine's CPUs in words."""
    return f"{row['cpu_model']}, {row.get('cores', '?')} cores"


def _versions(rows: Sequence[Row]) -> dict[str, tuple[str, ...]]:
    pairs = _distinct(pair for row in rows for pair in (row.get("versions") or {}).items())
    return {name: tuple(v for n, v in pairs if n == name) for name, _ in pairs}


def _mixed(rows: Sequence[Row]) -> Iterator[str]:
    """Yield what differs between rows that are read as one set.

    Engines have their own versions, and so have builds, because those are compared. All cells of a
    session have one kernel; kernels are part of how sessions differ.
    """
    alike: dict[tuple[str, str, str], list[Row]] = {}
    for row in rows:
        alike.setdefault((row["engine"], row["workload"], row.get("build") or ""), []).append(row)
    for mine in alike.values():
        for (word, name, _), values in behind(mine).items():
            if len(values) > 1 and word in (PROGRAM, TOOL):
                found = " and ".join(values)
                yield f"the rows differ in the {name} ({found}), which is part of the overheads"
    kernels = _distinct(row["kernel"] for row in rows if row.get("kernel"))
    if len(kernels) > 1:
        yield f"the rows mix kernels {' and '.join(kernels)}: sessions may differ by that, too"


def _day(unix_s: float) -> str:
    try:
        return time.strftime("%Y-%m-%d", time.gmtime(unix_s))
    except (OverflowError, ValueError, OSError):  # for a row that somebody edited
        return "unknown"


def _distinct(values: Iterable[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(values))
