"""Builds, or settings, against each other: their throughputs, and what the log costs with each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..builds import Against, Pair, against, title, verdict
from ..builds import words as said
from ..figures import builds as figures
from ..report import Break, Column, Lines, Part, Report, Table, Verdict, numbers
from ..results import CellResult, Source, read, words
from . import cells

_NAMES = {"build": "builds", "set": "settings"}  # of the report, by the axis
_LONGEST = 12  # letters of a name above a column
_WIDTH = 122  # columns of the widest table
_METHOD = (
    "ratios are of rounds in which both have a slice, differences of overheads of those in "
    "which both and their baselines have; 95 % intervals, each alone"
)


def builds(campaigns: Sequence[Path], order: Sequence[str] = (), axis: str = "build") -> Report:
    """Each build of these campaigns against the first of `order`, or else the first that ran.

    Of another axis, its values in their place. Errors: UsageError when the rows are not of two;
    else as `load`.
    """
    of, name = read(campaigns), _NAMES.get(axis, axis)
    every, told = against(of.rows, order, axis), _content(of)
    return Report(
        name=name,
        parts=[
            *(part for one in every for part in _parts(one)),
            Lines([_METHOD]),
            *([Lines(_are(of), "The builds")] if told else []),
        ],
        content=cells.content(
            of.origin,
            verdicts=[verdict(one) for one in every],
            **({"builds": told} if told else {}),
            lines=[_line(one, pair) for one in every for pair in one.pairs],
        ),
        lines=[_line(one, pair) for one in every for pair in one.pairs],
        figures={name: lambda: figures.draw(every, of.origin)},
        warnings=[*of.warnings, *_equal(every)],
        folder=of.folder,
        width=_WIDTH,
        source=of,
    )


def _parts(one: Against) -> list[Part]:
    failed = [
        f"{words.FAILED} {cell.cell}: {why}"
        for pair in one.pairs
        for cell in pair.failed
        for why in cell.failures
    ]
    return [Verdict(f"{verdict(one)}"), _table(one), Lines(failed), Break()]


def _table(one: Against) -> Table:
    unit, named = one.first.unit.name, one.called[1:]
    short = max(map(len, named)) <= _LONGEST
    base, new = named if short else ("base", "new")
    columns = [
        cells.DEVICE,
        *(Column(f"{name}\n{unit}", only_wide=True) for name in (base, new)),
        *numbers("x [95 %]", f"cost %\n{base}", f"cost %\n{new}", "points [95 %]"),
        Column("verdict", only_wide=True, is_text=True),
    ]
    rows = [
        (
            words.label(pair.base),
            _rate(pair.base),
            _rate(pair.new),
            said.times(pair.ratio),
            words.percent(pair.base.overhead),
            words.percent(pair.new.overhead),
            _points(pair),
            said.judged(pair),
        )
        for pair in one.pairs
    ]
    return Table(f"{title(one)}\nx: over {base}'s throughput", columns, rows)


def _rate(one: CellResult) -> str:
    return words.FAILED if one.failed else words.number(one.throughput)


def _points(pair: Pair) -> str:
    if pair.points.value is None:
        return "-"
    return f"{said.signed(pair.points.value)} {said.bounds(pair.points)}"


def _equal(every: Sequence[Against]) -> list[str]:
    found = dict.fromkeys((one.base, one.new) for one in every if one.same_bytes)
    return [
        f"builds {base} and {new} have the same bytes: an A/A comparison" for base, new in found
    ]


def _content(of: Source) -> dict[str, dict[str, Any]]:
    """What the accepted rows say of each build; several values where it changed meanwhile."""
    told: dict[str, dict[str, Any]] = {}
    for row in of.rows:
        if row["status"] != "ok" or not row.get("build"):
            continue
        files = row.get("engine_files") or {}
        versions = row.get("versions") or {}
        known = {
            "versions": {name: one for name, one in versions.items() if name != "waltax"},
            "revision": row.get("build_revision") or "",
            "files": dict(files),
            "linked_in": bool(row.get("engine_linked_in")),
            "compiler": row.get("driver_compiler") or "",
            "compiler_flags": row.get("driver_compiler_flags") or "",
        }
        told.setdefault(row["build"], known)
    return told


def _are(of: Source) -> list[str]:
    lines = []
    for name, one in _content(of).items():
        release = ", ".join(f"{program} {version}" for program, version in one["versions"].items())
        revision = f", revision {one['revision']}" if one["revision"] else ""
        compiler = f"; driver: {one['compiler']} {one['compiler_flags']}" if one["compiler"] else ""
        lines.append(f"{name}: {release or 'release not recorded'}{revision}{compiler}")
        where = ", linked into the program" if one["linked_in"] else ""
        lines += [f"  {path}, sha256 {sha[:16]}{where}" for path, sha in one["files"].items()]
    return lines


def _line(one: Against, pair: Pair) -> dict[str, Any]:
    """A pair for programs: fractions, not percent."""
    base, new = pair.base, pair.new
    return {
        "engine": base.engine,
        "workload": base.workload,
        "profile": base.profile,
        "threads": base.threads,
        "size": base.size,
        "device": base.device,
        "durability": base.durability,
        "emulated": base.shows_model,
        "base": one.base,
        "new": one.new,
        "same_bytes": one.same_bytes,
        "rounds": pair.rounds,
        "throughput_unit": base.throughput_unit,
        "throughput_base": base.throughput,
        "throughput_new": new.throughput,
        "ratio": pair.ratio.value,
        "ratio_low": pair.ratio.low,
        "ratio_high": pair.ratio.high,
        "overhead_base": base.overhead,
        "overhead_new": new.overhead,
        "overhead_difference": pair.points.value,
        "overhead_difference_low": pair.points.low,
        "overhead_difference_high": pair.points.high,
        "verdict": said.judged(pair),
        "failures": [*base.failures, *new.failures],
    }
