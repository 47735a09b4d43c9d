"""The report of receipts: what each mode of the log costs, beside what it loses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from ...errors import UsageError
from .. import kept_lines
from ..kept_lines import NUMBER, Kind
from ..report import Lines, Part, Report, Verdict
from ..results import CellResult, read, words
from ..series import Column, table
from . import cells
from .ended import results_of

KEPT = "receipts.jsonl"
"""In a campaign's folder: a line for each receipt, as `receipts.runs.receipt.Receipt` has it."""
Kept = Mapping[str, Any]
_FAILURES = {"kill": "when its process is killed", "power": "in a power cut"}
_NOTHING = "nothing"
_SUMS = ("cuts", "states", "distinct")
_COUNTS = (*_SUMS, "acknowledged", "lost", "everything", "opens")
_WANTED: Mapping[str, Kind] = {
    **dict.fromkeys(("engine", "workload", "device", "mode", "failure", "names"), str),
    **dict.fromkeys((*_COUNTS, "consistent"), int),
    **dict.fromkeys(("lost_seconds", "lost_seconds_most", "recorded_seconds"), NUMBER),
    **dict.fromkeys(("lost_seconds_low", "lost_seconds_high"), NUMBER | None),
}
_LEGEND = (
    "acknowledged and lost are sums over all states; distinct states differ from the others of "
    "their moment, and each was opened by the engine and checked; whole ones are consistent",
    "lost s: of the states of a moment the worst, the mean over the moments with its interval; it "
    "is the age of the oldest commit that is lost, so that the length of the run bounds it",
)


def receipts(campaigns: Sequence[Path]) -> Report:
    """The receipts of these campaigns beside their overheads, in the order of the cells.

    Errors: UsageError when there are none, and for a line that is none; else as `load`.
    """
    of = read(campaigns)
    found = {_key(one): one for folder in campaigns for one in kept(folder)}
    if not found:
        raise UsageError(f"{campaigns[0]}: found no {KEPT}; `waltax receipts` writes it")
    costs = {
        (one.at.workload, one.at.device, one.at.durability): one
        for one in results_of(of)
        if not (one.at.replica or one.at.knob or one.at.rung)
    }
    told = [{**one, **_overhead(costs.get(_place(one)))} for one in found.values()]
    return cells.report(
        of,
        "receipts",
        parts=[*_parts(told, costs), Lines(_LEGEND)],
        content={"receipts": told},
        lines=told,
    )


def kept(folder: Path) -> list[Kept]:
    """The receipts that a folder has; none where it has no such file.

    Of two of one mode, failure and model the later holds. Errors: UsageError for a line that is no
    receipt.
    """
    path = folder / KEPT
    if not path.exists() or not path.stat().st_size:
        return []
    lines = kept_lines.read(path, _WANTED, "receipts")
    found = {_key(one): {name: one[name] for name in _WANTED} for one in lines}
    return list(found.values())


def _place(one: Kept) -> tuple[str, str, str]:
    return one["workload"], one["device"], one["mode"]


def _key(one: Kept) -> tuple[Any, ...]:
    return (*_place(one), one["engine"], one["names"], one["failure"])


def _overhead(one: CellResult | None) -> dict[str, float | None]:
    """Fractions; None where no row says."""
    if one is None or one.failed:
        return {"overhead": None, "overhead_low": None, "overhead_high": None}
    return {"overhead": one.overhead, "overhead_low": one.low, "overhead_high": one.high}


def _parts(
    told: Sequence[Kept], costs: Mapping[tuple[str, str, str], CellResult]
) -> Iterator[Part]:
    for (engine, workload, names), group in groupby(
        sorted(told, key=lambda one: (one["engine"], one["workload"], one["names"])),
        lambda one: (one["engine"], one["workload"], one["names"]),
    ):
        of = list(group)
        clauses = [
            _clause(list(failures), costs.get(place))
            for place, failures in groupby(sorted(of, key=_order), _place)
        ]
        doubt = words.doubtful([costs[place] for place in map(_place, of) if place in costs])
        yield Verdict(f"{'; '.join(clauses)}{doubt}.")
        title = f"{workload} on {engine}; names after a cut: {names}"
        yield table(title, sorted(of, key=_order), _COLUMNS)


def _order(one: Kept) -> tuple[int, str, str, str]:
    """The safest mode first."""
    safety = ("sync", "flush", "delayed", "off")
    place = safety.index(one["mode"]) if one["mode"] in safety else len(safety)
    return place, one["workload"], one["device"], one["failure"]


def _clause(failures: Sequence[Kept], cost: CellResult | None) -> str:
    """E.g. nvme flush costs 12.0 % [10.1, 13.9] and loses 0.9 s of commits [0.7, 1.0] in a ..."""
    of: dict[str, list[str]] = {}
    for one in failures:
        of.setdefault(_loss(one), []).append(_FAILURES[one["failure"]])
    losses = [f"{loss} {' or '.join(when)}" for loss, when in of.items()]
    if list(of) == [_NOTHING]:
        losses = [_NOTHING]
    broken = sum(one["states"] - one["consistent"] for one in failures)
    states = sum(one["states"] for one in failures)
    tail = f" ({broken} of {states} states do not open or are not consistent)" if broken else ""
    return f"{_name(failures[0])} {_costs(cost)}loses {', '.join(losses)}{tail}"


def _name(one: Kept) -> str:
    return str(one["device"]) if one["mode"] == "off" else f"{one['device']} {one['mode']}"


def _costs(cost: CellResult | None) -> str:
    if cost is None:
        return ""
    if cost.is_baseline:
        return "is the baseline and "
    return f"costs {words.overhead(cost)} and "


def _loss(one: Kept) -> str:
    if not one["lost"]:
        return _NOTHING
    if one["everything"] == one["states"]:
        return f"all that was acknowledged in {one['recorded_seconds']:.1f} s"
    value, ends = _seconds(one)
    return f"{value} s of commits{ends}"


def _seconds(one: Kept) -> tuple[str, str]:
    """The mean, and its interval where it has one."""
    value, low, high = (one[f"lost_seconds{end}"] for end in ("", "_low", "_high"))
    ends = "" if low is None or high is None else f" [{low:.2g}, {high:.2g}]"
    return f"{value:.2g}", ends


_COLUMNS: tuple[Column[Kept], ...] = (
    Column("_name", "mode", "text", _name),
    Column("failure", "failure", "text"),
    *(Column(name, name, "whole") for name in _SUMS),
    Column("lost", "lost", text=lambda one: f"{one['lost']:,} of {one['acknowledged']:,}"),
    Column(
        "lost_seconds", "lost s [95 %]",
        text=lambda one: "".join(_seconds(one)) if one["lost"] else "0",
    ),
    Column("consistent", "whole", "whole"),
)  # fmt: skip
