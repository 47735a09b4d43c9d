"""The report of a user's own program: what its log's device costs it, in its own terms."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..numerals import bounds, number, percent
from ..report import Column, Report, Table, Verdict, numbers
from ..results import CellResult, read, words
from ..stats import Interval
from .campaign_end import results_of

_PERFECT = "syncs that take no time"
_COLUMNS = (
    Column("device", is_text=True),
    *numbers("longer %\n[95 %]", "syncs\na run", "bytes\na sync", "us a sync", "writes\na sync"),
)


def program(campaigns: Sequence[Path]) -> Report:
    """Report campaigns of a program. Errors: as `load`."""
    of = read(campaigns)
    results = [result for result in results_of(of) if not result.failed]
    costs = [result for result in results if not result.is_baseline and result.overhead is not None]
    return Report(
        "try",
        parts=[
            *(Verdict(_sentence(result)) for result in costs),
            Table("What a run waits for", _COLUMNS, [_cells(result) for result in results]),
        ],
        content={"cells": [_line(result) for result in results]},
        lines=[_line(result) for result in results],
        folder=of.folder,
        source=of,
        results=results,
    )


def _longer(result: CellResult) -> Interval:
    """Return by how much a run takes longer than the baseline's, as a share of that."""
    return result.interval.mapped(lambda overhead: overhead / (1 - overhead))


def _sentence(result: CellResult) -> str:
    where, longer = words.label(result), _longer(result)
    if result.unit.request != "run":
        return f"on {where} the command is {words.overhead(result)} slower than with {_PERFECT}"
    return (
        f"on {where} the command takes {percent(longer.value)} % longer "
        f"{bounds(longer.low, longer.high)} than with {_PERFECT}"
    )


def _line(result: CellResult) -> dict[str, float | str | None]:
    """Return what a cell cost, and the means over its runs."""
    longer = _longer(result)
    return {
        "device": words.label(result),
        "longer": longer.value,
        "longer_low": longer.low,
        "longer_high": longer.high,
        **_means(result),
    }


def _means(result: CellResult) -> dict[str, float | None]:
    """Return what a run syncs, over a cell's accepted slices."""
    rows = [row for row in result.rows if row["status"] == "ok"]
    syncs, writes, written, ns = (
        sum(row[f"tap_{name}"] for row in rows)
        for name in ("syncs", "writes", "write_bytes", "sync_ns")
    )
    return {
        "syncs_per_run": syncs / len(rows),
        "bytes_per_sync": written / syncs if syncs else None,
        "sync_us": ns / syncs / 1e3 if syncs else None,
        "writes_per_sync": writes / syncs if syncs else None,
    }


def _cells(result: CellResult) -> list[str]:
    longer = _longer(result)
    cost = "baseline"
    if not result.is_baseline:
        cost = f"{percent(longer.value)} {bounds(longer.low, longer.high)}"
    return [words.label(result), cost, *(number(value) for value in _means(result).values())]
