"""The report of receipts: what each mode of the log costs, beside what it loses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from ...base.errors import UsageError
from .. import json_lines
from ..json_lines import NUMBER, Kind
from ..report import Lines, Part, Report, Verdict
from ..results import CellResult, read, words
from ..series import Column, spelled, table
from ..stats import NOTHING
from . import cell_columns
from .campaign_end import results_of

KEPT = "receipts.jsonl"
"""A file in a campaign's folder with a line per `crash.runs.receipt.Receipt`."""
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
_LEGEND = "docs/receipts.md says what is counted, and what of a run bounds the seconds"


def receipts(campaigns: Sequence[Path]) -> Report:
    """Report the receipts of these campaigns beside their overheads, in the order of the cells.

    Errors: UsageError if there are none, or a line is not a receipt; else as `load`.
    """
    of = read(campaigns)
    receipts = {_key(row): row for folder in campaigns for row in kept(folder)}
    if not receipts:
        raise UsageError(f"{campaigns[0]}: found no {KEPT}; `waltax receipts` writes it")
    costs = {
        (result.at.workload, result.at.device, result.at.durability): result
        for result in results_of(of)
        if not (result.at.replica or result.at.knob or result.at.rung)
    }
    known = {place: result.interval for place, result in costs.items() if not result.failed}
    told = [
        {**receipt, **spelled("overhead", known.get(_place(receipt), NOTHING))}
        for receipt in receipts.values()
    ]
    return cell_columns.report(
        of,
        "receipts",
        parts=[*_parts(told, costs), Lines([_LEGEND])],
        content={"receipts": told},
        lines=told,
    )


def kept(folder: Path) -> list[Kept]:
    """Return the receipts of a folder; none if it has no such file.

    Of two for one mode, failure and model, the later counts. Errors: UsageError for a line that is
    not a receipt.
    """
    path = folder / KEPT
    if not path.exists() or not path.stat().st_size:
        return []
    lines = json_lines.read(path, _WANTED, "receipts")
    found = {_key(row): {name: row[name] for name in _WANTED} for row in lines}
    return list(found.values())


def _place(kept: Kept) -> tuple[str, str, str]:
    return kept["workload"], kept["device"], kept["mode"]


def _key(kept: Kept) -> tuple[Any, ...]:
    return (*_place(kept), kept["engine"], kept["names"], kept["failure"])


def _parts(
    told: Sequence[Kept], costs: Mapping[tuple[str, str, str], CellResult]
) -> Iterator[Part]:
    of = itemgetter("engine", "workload", "names")
    for (engine, workload, names), group in groupby(sorted(told, key=of), of):
        mine = sorted(group, key=_order)
        clauses = [
            _clause(list(failures), costs.get(place)) for place, failures in groupby(mine, _place)
        ]
        doubt = words.doubtful([costs[place] for place in map(_place, mine) if place in costs])
        yield Verdict(f"{'; '.join(clauses)}{doubt}.")
        yield table(f"{workload} on {engine}; names after a cut: {names}", mine, _COLUMNS)


def _order(kept: Kept) -> tuple[int, str, str, str]:
    """Return a sort key that puts the safest mode first."""
    safety = ("sync", "flush", "delayed", "off")
    place = safety.index(kept["mode"]) if kept["mode"] in safety else len(safety)
    return place, kept["workload"], kept["device"], kept["failure"]


def _clause(failures: Sequence[Kept], cost: CellResult | None) -> str:
    """Return e.g. nvme flush costs 12.0 % [10.1, 13.9] and loses 0.9 s of commits [0.7, 1.0] in a
    ...
    """
    of: dict[str, list[str]] = {}
    for failure in failures:
        of.setdefault(_loss(failure), []).append(_FAILURES[failure["failure"]])
    losses = [f"{loss} {' or '.join(when)}" for loss, when in of.items()]
    said = _NOTHING if list(of) == [_NOTHING] else ", ".join(losses)
    states, whole = (
        sum(failure[name] for failure in failures) for name in ("states", "consistent")
    )
    if whole < states:
        said += f" ({states - whole} of {states} states do not open or are not consistent)"
    costs = ""
    if cost is not None:
        costs = "is the baseline and " if cost.is_baseline else f"costs {words.overhead(cost)} and "
    return f"{_name(failures[0])} {costs}loses {said}"


def _name(kept: Kept) -> str:
    if kept["mode"] != "off":
        return f"{kept['device']} {kept['mode']}"
    return str(kept["device"]) if kept["device"] == "off" else f"{kept['device']}, its own off"


def _loss(kept: Kept) -> str:
    if not kept["lost"]:
        return _NOTHING
    if kept["everything"] == kept["states"]:
        return f"all that was acknowledged in {kept['recorded_seconds']:.1f} s"
    value, *ends = _seconds(kept).split(" ", 1)
    return " ".join([f"{value} s of commits", *ends])


def _seconds(kept: Kept) -> str:
    """Return the mean, with its interval if it has one; 0 if nothing was lost."""
    if not kept["lost"]:
        return "0"
    value, low, high = (kept[f"lost_seconds{end}"] for end in ("", "_low", "_high"))
    return f"{value:.2g}" + ("" if None in (low, high) else f" [{low:.2g}, {high:.2g}]")


_COLUMNS: tuple[Column[Kept], ...] = (
    Column("_name", "mode", "text", _name),
    Column("failure", "failure", "text"),
    *(Column(name, name, "whole") for name in _SUMS),
    Column(
        "lost", "lost", text=lambda receipt: f"{receipt['lost']:,} of {receipt['acknowledged']:,}"
    ),
    Column("lost_seconds", "lost s [95 %]", text=_seconds),
    Column("consistent", "whole", "whole"),
)
