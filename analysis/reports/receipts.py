"""The report of receipts: what each mode of the log costs, beside what it loses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from ...base.errors import UsageError
from ...engines.knobs import KNOBS
from .. import json_lines
from ..json_lines import NUMBER, Kind
from ..numerals import measured
from ..report import Lines, Part, Report, Verdict
from ..results import CellResult, read, words
from ..series import Column, Series, View, plain, spelled, table
from ..stats import NOTHING, Interval
from . import cell_columns
from .campaign_end import results_of

KEPT = "receipts.jsonl"
"""A file in a campaign's folder with a line per `crash.runs.receipt.Receipt`."""
Kept = Mapping[str, Any]
Costs = Mapping[tuple[str, str, str, str], CellResult]
"""Results by the `_place` of a receipt."""
_FAILURES = {"kill": "when its process is killed", "power": "in a power cut"}
_SAFEST_FIRST = "sync flush delayed off"
_SUMS = ("cuts", "states", "distinct")
_ENDS = ("", "_low", "_high")
_group, _place = (
    itemgetter("engine", "workload", "names"),
    itemgetter("workload", "device", "mode", "knob"),
)
_WANTED: Mapping[str, Kind] = {
    **dict.fromkeys(("engine", "workload", "device", "mode", "failure", "names"), str),
    **dict.fromkeys((*_SUMS, "acknowledged", "lost", "everything", "opens", "consistent"), int),
    **dict.fromkeys(("lost_seconds", "lost_seconds_most", "recorded_seconds"), NUMBER),
    **dict.fromkeys(("lost_seconds_low", "lost_seconds_high"), NUMBER | None),
}
_LEGEND = "docs/receipts.md says what is counted, and what of a run bounds the seconds"
_DOMINATED = (
    "dominated by: what costs and loses no more; (?): not both are less beyond the error; losses "
    "are of the engine in one run, and no longer than it; what a binlog lost is not counted"
)


def receipts(campaigns: Sequence[Path]) -> Report:
    """Report the receipts of these campaigns beside their overheads, in the order of the cells.

    Errors: UsageError if there are none, or a line is not a receipt; else as `load`.
    """
    of = read(campaigns)
    # Of two for one mode, failure and model, the later counts.
    receipts = {_key(row): row for folder in campaigns for row in kept(folder)}
    if not receipts:
        raise UsageError(f"{campaigns[0]}: found no {KEPT}; `waltax receipts` writes it")
    costs = {
        (result.workload, result.device, result.durability, result.knob): result
        for result in results_of(of)
        if not (result.replica or result.at.rung)
    }
    known = {place: result.interval for place, result in costs.items() if not result.failed}
    told = [
        {**receipt, **spelled("overhead", known.get(_place(receipt), NOTHING))}
        for receipt in receipts.values()
    ]
    parts, content = list(_parts(told, costs)), {"receipts": told}
    notes = [_LEGEND]
    if any(receipt["knob"] for receipt in told):
        title = f"Frontier: cost in the rounds of {', '.join(of.origin.campaigns)}"
        points, views = list(frontier(told)), [View[Kept](f"{title}\nloss: in a power cut")]
        series = Series(points, _OF_FRONTIER, views)
        parts += series.tables()
        content["frontier"] = series.content()["points"]
        notes.append(_DOMINATED)
    return cell_columns.report(
        of, "receipts", parts=[*parts, Lines(notes)], content=content, lines=told
    )


def kept(folder: Path) -> list[Kept]:
    """Return the receipts of a folder; none if it has no such file.

    Errors: UsageError for a line that is not a receipt.
    """
    path = folder / KEPT
    if not path.exists() or not path.stat().st_size:
        return []
    return [
        {name: row[name] for name in _WANTED} | {"knob": str(row.get("knob") or "")}
        for row in json_lines.read(path, _WANTED, "receipts")
    ]


def _key(kept: Kept) -> tuple[Any, ...]:
    return (*_place(kept), *_group(kept), kept["failure"])


def _parts(told: Sequence[Kept], costs: Costs) -> Iterator[Part]:
    for (engine, workload, names), group in groupby(sorted(told, key=_group), _group):
        mine = sorted(group, key=_order)
        clauses = [
            _clause(list(failures), costs.get(place)) for place, failures in groupby(mine, _place)
        ]
        doubt = words.doubtful([costs[place] for place in map(_place, mine) if place in costs])
        yield Verdict(f"{'; '.join(clauses)}{doubt}.")
        yield table(f"{workload} on {engine}; names after a cut: {names}", mine, _COLUMNS)


def _order(kept: Kept) -> tuple[Any, ...]:
    """Return a sort key that puts the safest mode first."""
    return _SAFEST_FIRST.find(kept["mode"]), *_place(kept), kept["failure"]


def _clause(failures: Sequence[Kept], cost: CellResult | None) -> str:
    """Return e.g. nvme flush costs 12.0 % [10.1, 13.9] and loses 0.900 [0.700, 1.00] s of commits
    in a power cut.
    """
    of: dict[str, list[str]] = {}
    for failure in failures:
        of.setdefault(_loss(failure), []).append(_FAILURES[failure["failure"]])
    losses = [f"{loss} {' or '.join(when)}" for loss, when in of.items()]
    said = ", ".join(losses) if any(failure["lost"] for failure in failures) else "nothing"
    states, whole = (
        sum(failure[name] for failure in failures) for name in ("states", "consistent")
    )
    if whole < states:
        said += f" ({states - whole} of {states} states do not open or are not consistent)"
    costs = ""
    if cost is not None:
        costs = "is the baseline and " if cost.is_baseline else f"costs {words.overhead(cost)} and "
    return f"{_name(failures[0])} {costs}loses {said}"


def _loss(kept: Kept) -> str:
    if not kept["lost"]:
        return "nothing"
    if kept["everything"] == kept["states"]:
        return f"all that was acknowledged in {kept['recorded_seconds']:.1f} s"
    return f"{measured(_lost_s(kept))} s of commits"


def _lost_s(kept: Kept) -> Interval:
    """Return the seconds of commits that a cut loses at worst, on average."""
    return Interval(*(kept[f"lost_seconds{end}"] for end in _ENDS))


def _name(kept: Kept) -> str:
    if kept["mode"] != "off":
        return " ".join(filter(None, [kept["device"], kept["knob"], kept["mode"]]))
    return str(kept["device"]) if kept["device"] == "off" else f"{kept['device']}, its own off"


_COLUMNS: tuple[Column[Kept], ...] = (
    Column("_name", "mode", "text", _name),
    Column("failure", "failure", "text"),
    *(Column(name, name, "whole") for name in _SUMS),
    Column(
        "lost", "lost", text=lambda receipt: f"{receipt['lost']:,} of {receipt['acknowledged']:,}"
    ),
    Column("lost_seconds", "lost s [95 %]", of=_lost_s),
    Column("consistent", "whole", "whole"),
)


def frontier(told: Sequence[Kept]) -> Iterator[Kept]:
    """Yield the settings with a known cost, the cheapest first, by what a power cut loses at worst.

    `dominated_by` names the cheapest that costs and loses no more, and less of one; "": none.
    `is_resolved` says whether both of its are less beyond the error, or the same.
    """
    points = [
        {
            **receipt,
            "cost": Interval(*(receipt[f"overhead{end}"] for end in _ENDS)),
            "lost_ms": _lost_s(receipt).scaled(1000),
        }
        for receipt in told
        if receipt["failure"] == "power" and receipt["overhead"] is not None
    ]
    points.sort(key=lambda point: (point["cost"].value, point["lost_ms"].value))
    for point in points:
        better = next((other for other in points if _dominates(other, point)), None)
        known = better is not None and all(
            better[name].value == point[name].value or point[name].minus(better[name]).side(0) == 1
            for name in ("cost", "lost_ms")
        )
        yield {**point, "dominated_by": (better and _setting(better)) or "", "is_resolved": known}


def _dominates(one: Kept, other: Kept) -> bool:
    mine, its = ((at["cost"].value or 0.0, at["lost_ms"].value or 0.0) for at in (one, other))
    alike = _group(one) == _group(other)
    return alike and mine != its and mine[0] <= its[0] and mine[1] <= its[1]


def _setting(kept: Kept) -> str:
    """Return the mode and what bounds its loss, without the mode that a setting brings along."""
    knob = KNOBS.get(kept["knob"])
    return " ".join(filter(None, ["" if knob and knob.mode else kept["mode"], kept["knob"]]))


def _worse_than(kept: Kept) -> str:
    better: str = kept["dominated_by"]
    return better + " (?)" * bool(better and not kept["is_resolved"])


_OF_FRONTIER: tuple[Column[Kept], ...] = (
    Column("setting", "setting", "text", _setting),
    *plain("engine workload device mode knob"),
    Column("overhead", "cost % [95 %]", "%", "cost"),
    Column("lost_ms", "lost ms [95 %]"),
    Column("lost_commits_per_state", "commits", of=lambda kept: kept["lost"] / kept["states"]),
    Column("dominated_by", "dominated by", "text", text=_worse_than),
    Column("is_resolved"),
)
