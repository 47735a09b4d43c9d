"""Builds, or settings, against each other: their throughputs, and the cost of the log with each.

All cells of a campaign take turns in the same rounds, so each cell of a build stands beside the
same cell of the base.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...base.errors import UsageError
from ...cell import Cell
from ...row import Row
from ..gate.difference import Compared, turns
from ..report import Lines, Report
from ..results import CellResult, Source, every_cell, panel_of, read, words
from ..series import Column, Line, Plot, Series, View
from . import sweeps
from .pairs import clause, columns

_NAMES = {"build": "builds", "set": "settings"}  # of the report, by axis
_PROFILE = "profile"  # the name of cells without a value of the axis
_LONGEST = 12  # letters of a name above a column
_METHOD = (
    "ratios are of rounds in which both have a slice, differences of overheads of those in "
    "which both and their baselines have; 95 % intervals, each alone"
)
_LEGEND = "points: of the means; whiskers: 95 % intervals, each alone"


def builds(campaigns: Sequence[Path], order: Sequence[str] = (), axis: str = "build") -> Report:
    """Report each build of these campaigns against the first of `order`, or the first that ran.

    Another axis is reported by its values. Errors: UsageError if the rows do not have two; else as
    `load`.
    """
    of, name = read(campaigns), _NAMES.get(axis, axis)
    every, versions = against(of.rows, order, axis), _told(of)
    equal = dict.fromkeys(
        f"builds {one.own['base']} and {one.own['new']} have the same bytes: an A/A comparison"
        for one in every
        if one.own["same_bytes"]
    )
    are = [line for entry in versions.items() for line in _is(*entry)]
    return sweeps.of_series(
        name, of, every, legend=_LEGEND, proven=False, warnings=list(equal),
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
        for name in dict.fromkeys([*order, *there])
        if name in there and (name or axis != "build")
    ]
    if len(names) < 2:
        raise UsageError(
            f"{axis}s: found {', '.join(names) or 'none'}; a comparison has two, as in waltax run "
            "--build base=DIR --build new=DIR"
        )
    families: dict[Cell, list[Row]] = {}
    for row in rows:
        cell = Cell.of_row(row)
        if cell.axes[axis] in names and not cell.rung:
            alike = replace(cell.baseline, device="", durability="").at(**{axis: ""})
            families.setdefault(alike, []).append(row)
    return [
        _series(pairs, axis, names[0], new)
        for family in families.values()
        for new in names[1:]
        if (pairs := _pairs(family, axis, names[0], new))
    ]


def _pairs(rows: Sequence[Row], axis: str, base: str, new: str) -> list[Compared]:
    """Compare two values in one family of cells; an empty list if the family lacks either."""
    mine = [row for row in rows if (row.get(axis) or "") in (base, new)]
    panel, results = panel_of(mine), {result.at: result for result in every_cell(mine)}
    pairs = [
        turns(panel, result, results[other])
        for cell, result in results.items()
        if cell.axes[axis] == base and (other := cell.at(**{axis: new})) in results
    ]
    # The baseline first, then the cheapest.
    cells = list(results.values())
    return sorted(pairs, key=lambda pair: (not pair.result.is_baseline, cells.index(pair.result)))


def _series(pairs: Sequence[Compared], axis: str, base: str, new: str) -> Series[Compared]:
    """Return the series of a comparison; builds with the same bytes make it an A/A."""
    what, first, other = _called(axis, base or _PROFILE, new)
    sides = [[cell for pair in pairs if (cell := getattr(pair, side))] for side in ("base", "new")]
    same = axis == "build" and _bytes(sides[0]) == _bytes(sides[1])
    group = words.group_title(pairs[0].result).replace(f", {axis} {new}", "")
    title = f"{group}: {what} {other} against {first}"
    clauses = "; ".join(clause(pair, first, other) for pair in pairs)
    alike = "; the builds have the same bytes, so that this is an A/A" if same else ""
    is_short = max(len(first), len(other)) <= _LONGEST
    headings = (first, other) if is_short else ("base", "new")
    both = "throughput_base throughput_new ratio overhead_base overhead_new overhead_difference"
    own = {"base": base or _PROFILE, "new": new, "same_bytes": same}
    return Series(
        axis="device",
        subject=title,
        points=pairs,
        columns=[
            *columns(pairs[0].result.unit.name, *headings),
            Column("base", of=lambda _: own["base"]),
            Column("new", of=lambda _: own["new"]),
            Column("same_bytes", of=lambda _: own["same_bytes"]),
            Column("verdict", "verdict", "text", "faster", only_wide=True),
        ],
        views=[View(f"{title}\nx: over {headings[0]}'s throughput", f"_label {both} verdict")],
        verdict=f"{title}: {clauses}{alike}{words.doubtful([*sides[0], *sides[1]])}.",
        left_out=[
            f"{words.FAILED} {cell.cell}: {why}"
            for pair in pairs
            for cell in pair.failed
            for why in cell.failures
        ],
        own=own,
        at=lambda pair: words.label(pair.result),
        line=lambda pair: Line("", pair.result.device, marker="o"),
        plots=[
            Plot(f"throughput over {first}'s", "ratio", mark=1.0),
            Plot("difference of overheads, points", "overhead_difference", mark=0.0),
        ],
    )


def _called(axis: str, base: str, new: str) -> tuple[str, str, str]:
    """Return what differs, and the names of the base and the new one next to it.

    Two values of one setting are named by value: wal_bytes_per_sync, 0 and 64K.
    """
    (name, _, first), (other, _, second) = base.partition("="), new.partition("=")
    if axis == "set" and name == other and "," not in first + second:
        return name, first, second
    return axis, base, new


def _bytes(cells: Sequence[CellResult]) -> set[str]:
    """Return the sha256 of the files that a build's processes mapped; a unique set if unknown."""
    rows = [row for cell in cells for row in cell.rows]
    digests = {sha256 for row in rows for sha256 in (row.get("engine_files") or {}).values()}
    return digests or {rows[0]["build"]}


def _told(of: Source) -> dict[str, dict[str, Any]]:
    """Return what the accepted rows say about each build; the first version if it changed."""
    by_build: dict[str, dict[str, Any]] = {}
    for row in (row for row in of.rows if row["status"] == "ok" and row.get("build")):
        versions = row.get("versions") or {}
        known = {
            "versions": {name: version for name, version in versions.items() if name != "waltax"},
            "revision": row.get("build_revision") or "",
            "files": dict(row.get("engine_files") or {}),
            "linked_in": bool(row.get("engine_linked_in")),
            "compiler": row.get("driver_compiler") or "",
            "compiler_flags": row.get("driver_compiler_flags") or "",
        }
        by_build.setdefault(row["build"], known)
    return by_build


def _is(name: str, known: Mapping[str, Any]) -> list[str]:
    release = ", ".join(f"{program} {version}" for program, version in known["versions"].items())
    revision = f", revision {known['revision']}" if known["revision"] else ""
    compiler = (
        f"; driver: {known['compiler']} {known['compiler_flags']}" if known["compiler"] else ""
    )
    where = ", linked into the program" if known["linked_in"] else ""
    return [
        f"{name}: {release or 'release not recorded'}{revision}{compiler}",
        *(f"  {path}, sha256 {sha[:16]}{where}" for path, sha in known["files"].items()),
    ]
