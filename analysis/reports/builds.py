"""Builds, settings or devices against each other: throughputs, and what the log costs with each.

All cells of a campaign take turns in the same rounds, so each cell of a build stands beside the
same cell of the base.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...base.errors import UsageError
from ...cell import BASELINE, Cell
from ...row import Row
from ..gate.difference import Compared, turns
from ..report import Lines, Report
from ..results import every_cell, panel_of, read, words
from ..series import Column, Plot, Series, View
from . import pairs, sweeps

_NAMES = {"build": "builds", "set": "settings"}  # of the report, by axis
DEVICE = "device"
"""What `against` takes as an axis, too; the rows of BASELINE belong to each of its comparisons."""
_PROFILE = "profile"  # the name of cells without a value of the axis
_LONGEST = 12  # letters of a name above a column
_METHOD = (
    "ratios are of rounds in which both have a slice, differences of overheads of those in "
    "which both and their baselines have; 95 % intervals, each alone"
)
_LEGEND = "points: of the means; whiskers: 95 % intervals, each alone"


def builds(campaigns: Sequence[Path], order: Sequence[str] = (), axis: str = "build") -> Report:
    """Report each build of these campaigns against the first of `order`, or the first that ran.

    Another axis is reported by its values, and `device` by the two of `order`. Errors: UsageError
    if the rows do not have two; else as `load`.
    """
    of, name = read(campaigns), _NAMES.get(axis, axis)
    every, versions = against(of.rows, order, axis), _versions(of.rows)
    digests = {build: {*known["files"].values()} for build, known in versions.items()}
    equal = [
        f"builds {base} and {new} have the same bytes: an A/A comparison"
        for base, new in dict.fromkeys(tuple(one.group.values()) for one in every)
        if digests.get(base) and digests[base] == digests.get(new)
    ]
    are = [line for entry in versions.items() for line in _is(*entry)]
    return sweeps.of_series(
        name, of, every, legend=_LEGEND, warnings=equal,
        content={"builds": versions} if versions else None,
        more=[Lines([_METHOD]), Lines(are, "The builds")],
    )  # fmt: skip


def against(
    rows: Sequence[Row], order: Sequence[str] = (), axis: str = "build"
) -> list[Series[Compared]]:
    """Compare every value of the axis with the base: the first of `order`, or else of the rows.

    A series is of one comparison group and one value, with a point for each cell. Errors:
    UsageError if there are not two values; else as `panel_of`.
    """
    there = dict.fromkeys(row.get(axis) or "" for row in rows)
    names = [
        # Rows without a build belong to another campaign.
        name
        for name in dict.fromkeys([*order, *([] if axis == DEVICE else there)])
        if name in there and (name or axis != "build")
    ]
    families: dict[Cell, list[Row]] = {}
    for row in rows:
        cell = Cell.of_row(row)
        if (row.get(axis) or "") in (*names, BASELINE) and not cell.rung:
            alike = _at(replace(cell.baseline, device="", durability=""), axis, "")
            families.setdefault(alike, []).append(row)
    every = [
        _series(compared, axis, names[0], new)
        for family in families.values()
        for new in names[1:]
        if (compared := _pairs(family, axis, names[0], new))
    ]
    if axis == DEVICE and not every:
        logged = sorted({*there} - {BASELINE})
        raise UsageError(
            f"compare: found {' and '.join(reversed(order))}; with a log the campaign has "
            f"{', '.join(logged) or 'none'}; name two of them, or another campaign by --campaign "
            "results/NAME"
        )
    if len(names) < 2:
        raise UsageError(
            f"{axis}s: found {', '.join(names) or 'none'}; a comparison has two, as in waltax run "
            "--build base=DIR --build new=DIR"
        )
    return every


def _at(cell: Cell, axis: str, value: str) -> Cell:
    return replace(cell, device=value) if axis == DEVICE else cell.at(**{axis: value})


def _pairs(rows: Sequence[Row], axis: str, base: str, new: str) -> list[Compared]:
    """Compare two values in one family of cells; an empty list if the family lacks either."""
    mine = [row for row in rows if (row.get(axis) or "") in (base, new, BASELINE)]
    panel, results = panel_of(mine), {result.at: result for result in every_cell(mine)}
    # The baseline first, then the cheapest.
    cells = sorted(results.values(), key=lambda result: not result.is_baseline)
    return [
        turns(panel, results[other], result)
        for result in cells
        if result.at.columns[axis] == new and (other := _at(result.at, axis, base)) in results
    ]


def _series(compared: Sequence[Compared], axis: str, base: str, new: str) -> Series[Compared]:
    first = base or _PROFILE
    group = words.group_title(compared[0].result).replace(f", {axis} {new}", "")
    title = f"{group}: {axis} {new} against {first}"
    clauses = "; ".join(pairs.clause(pair, first, new) for pair in compared)
    doubt = words.doubtful([side for pair in compared for side in (pair.base, pair.new) if side])
    is_short = max(len(first), len(new)) <= _LONGEST
    headings = (first, new) if is_short else ("base", "new")
    both = "throughput_base throughput_new ratio overhead_base overhead_new overhead_difference"
    return Series(
        axis="device",
        subject=title,
        points=compared,
        columns=[
            *pairs.columns(compared[0].result.unit.name, *headings),
            Column("verdict", "verdict", "text", "faster", only_wide=True),
        ],
        views=[View(f"{title}\nx: over {headings[0]}'s throughput", f"_label {both} verdict")],
        verdict=f"{title}: {clauses}{doubt}.",
        group={"base": first, "new": new},
        at=lambda pair: words.label(pair.result),
        line=pairs.line,
        plots=[
            Plot(f"throughput over {first}'s", "ratio", mark=1.0),
            Plot("difference of overheads, points", "overhead_difference", mark=0.0),
        ],
    )


def _versions(rows: Sequence[Row]) -> dict[str, dict[str, Any]]:
    """Return what the accepted rows say about each build; the first version if it changed."""
    by_build: dict[str, dict[str, Any]] = {}
    for row in (row for row in rows if row["status"] == "ok" and row.get("build")):
        versions = row.get("versions") or {}
        known = {
            "versions": {name: version for name, version in versions.items() if name != "waltax"},
            "revision": row.get("build_revision") or "",
            "files": dict(row.get("engine_files") or {}),
        }
        by_build.setdefault(row["build"], known)
    return by_build


def _is(name: str, known: Mapping[str, Any]) -> list[str]:
    release = ", ".join(f"{program} {version}" for program, version in known["versions"].items())
    revision = f", revision {known['revision']}" if known["revision"] else ""
    return [
        f"{name}: {release or 'release not recorded'}{revision}",
        *(f"  {path}, sha256 {sha[:16]}" for path, sha in known["files"].items()),
    ]
