"""Request latencies in a campaign's report and its summary."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import series
from ..report import Lines, Part, Table
from ..results import CellResult, words
from ..results.latency import ALL, PERCENTILES, Latency, called
from ..series import Column, spelled
from ..stats import NOTHING

_MISSING = "latency: the rows have no histograms"


def main(group: Sequence[CellResult]) -> list[Part]:
    """Return the table of the main write, or of all operations if it is unknown."""
    known = tables(group)[:1]
    is_lost = all(result.failed for result in group)
    return [*known] if known or is_lost else [Lines([_MISSING])]


def tables(group: Sequence[CellResult]) -> list[Table]:
    """Return the percentiles, a table for each operation, the main one first."""
    every = (each.operation for result in group for each in result.latencies)
    return [
        series.table(f"Latency of {called(operation)}, us", known, _COLUMNS)
        for operation in dict.fromkeys([words.operation_of(group), ALL, *every])
        if (known := _known(group, operation))
    ]


_Known = tuple[CellResult, Latency]


def _known(group: Sequence[CellResult], operation: str) -> list[_Known]:
    every = ((result, result.latency_of(operation)) for result in group)
    return [(result, latency) for result, latency in every if latency]


def _percentile(percentile: float) -> Column[_Known]:
    name = f"p{percentile:g}"
    return Column(name, name, of=lambda at: at[1].quantile(percentile).value)


_P50, _P95, _P99, _P999 = PERCENTILES
_COLUMNS: Sequence[Column[_Known]] = (
    Column("device", "device", "text", lambda at: words.label(at[0])),
    Column("count", "count", of=lambda at: at[1].count, only_wide=True),
    *map(_percentile, (_P50, _P95)),
    Column("p99", "p99 [95 %]", of=lambda at: at[1].quantile(_P99)),
    _percentile(_P999),
    Column("max", "max", of=lambda at: at[1].max_us),
)


def told(result: CellResult) -> dict[str, Any]:
    """Return a cell's latencies for programs: columns for all operations, and a record of each."""
    latency = result.latency_of(ALL)
    return {
        **_columns(latency),
        "operations": [
            {"operation": each.operation, **_columns(each)}
            for each in result.latencies
            if each.operation != ALL
        ],
    }


def _columns(latency: Latency | None) -> dict[str, float | int | None]:
    columns: dict[str, float | int | None] = {"latency_count": latency.count if latency else None}
    for percentile in PERCENTILES:
        interval = latency.quantile(percentile) if latency else NOTHING
        columns |= spelled(f"latency_us_p{percentile:g}".replace(".", ""), interval)
    return {**columns, "latency_us_max": latency.max_us if latency else None}
