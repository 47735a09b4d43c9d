"""The report of a user's own program: what its log's device costs it, in its own terms."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..numerals import share, times
from ..report import Report, Verdict
from ..results import CellResult, read, words
from ..series import Column, Series, View
from ..stats import Interval
from . import cell_columns
from .campaign_end import results_of

_PERFECT = "syncs that take no time"
_NONE = Interval(0.0, 0.0, 0.0)
_MANY = 3.0  # of the baseline's time: above it a run takes many times as long, not percent longer


def program(campaigns: Sequence[Path]) -> Report:
    """Report campaigns of a program. Errors: as `load`."""
    of = read(campaigns)
    results = [result for result in results_of(of) if not result.failed]
    costs = [result for result in results if not result.is_baseline and result.overhead is not None]
    series = Series(results, _COLUMNS, [View("What a run waits for")])
    return Report(
        "try",
        parts=[*(Verdict(_sentence(result)) for result in costs), *series.tables()],
        content={"cells": series.lines()},
        lines=series.lines(),
        folder=of.folder,
        source=of,
        results=results,
    )


def _longer(result: CellResult) -> Interval:
    """Return by how much a run takes longer than the baseline's, as a share of that."""
    return result.interval.mapped(lambda overhead: overhead / (1 - overhead))


def _sentence(result: CellResult) -> str:
    """Say how much slower it is, or faster, than with syncs that take no time."""
    verb, *ways = ("is", "slower", "faster")
    cost = result.interval
    if result.unit.request == "run":
        verb, *ways = ("takes", "longer", "less time")
        cost = _longer(result)
    is_less = (cost.value or 0.0) < 0
    by = _NONE.minus(cost) if is_less else cost
    how, around = f"{words.percent(by.value)} % {ways[is_less]}", words.bounds(by.low, by.high)
    said = f"{verb} {how} {around} than"
    if result.unit.request == "run" and (by.value or 0.0) > _MANY:
        said = f"takes {times(cost.mapped(lambda share: 1 + share), 1)} times as long as"
    return f"On {words.label(result)} the command {said} with {_PERFECT}."


_COLUMNS: tuple[Column[CellResult], ...] = (
    Column("device", "device", "text", words.label),
    Column(
        "longer", "longer %\n[95 %]", of=_longer,
        text=lambda result: "baseline" if result.is_baseline else share(_longer(result)),
    ),
    Column(
        "syncs_per_run", "syncs\na run",
        of=lambda result: (result.sums.total("tap_syncs") or 0.0) / len(result.sums.slices),
    ),
    cell_columns.over("bytes_per_sync", "bytes\na sync", "tap_write_bytes", "tap_syncs"),
    Column("sync_us", "us a sync"),
    cell_columns.over("writes_per_sync", "writes\na sync", "tap_writes", "tap_syncs"),
)  # fmt: skip
