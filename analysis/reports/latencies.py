"""Request latencies in a campaign's report and its summary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from .. import series
from ..report import Lines, Part, Table
from ..results import CellResult, words
from ..results.latency import ALL, PERCENTILES, Latency, called
from ..series import Column, spelled
from ..stats import NOTHING

_MOST = ", the write that is most frequent"
_MISSING = "latency: the rows have no histograms"


def table(group: Sequence[CellResult]) -> list[Part]:
    """Return percentiles of the main write, or of all operations if it is unknown."""
    taken = words.operation_of(group)
    known = _known(group, taken)
    if not known:
        return [] if all(result.failed for result in group) else [Lines([_MISSING])]
    p50, p95, _, p999 = map(_percentile, PERCENTILES)
    p99, count = _with_interval(99.0), replace(_COUNT, only_wide=True)
    columns = [_DEVICE, count, p50, p95, p99, p999, _MAX]
    title = f"Latency of {called(taken)}, us"
    if taken != ALL:
        counted = group[0].unit.counted
        title += f", which {group[0].throughput_unit} counts" if counted else _MOST
    return [series.table(title, known, columns)]


def every_table(group: Sequence[CellResult]) -> list[Table]:
    """Return all percentiles with intervals, a table for each operation, the main one first."""
    every = (each.operation for result in group for each in result.latencies)
    columns = [_DEVICE, _COUNT, *map(_with_interval, PERCENTILES), _MAX]
    return [
        series.table(f"Latency of {called(operation)}, us", known, columns)
        for operation in dict.fromkeys([words.operation_of(group), ALL, *every])
        if (known := _known(group, operation))
    ]


_Known = tuple[CellResult, Latency]
_DEVICE: Column[_Known] = Column("device", "device", "text", lambda at: words.label(at[0]))
_COUNT: Column[_Known] = Column("count", "count", of=lambda at: at[1].count)
_MAX: Column[_Known] = Column("max", "max", of=lambda at: at[1].max_us)


def _known(group: Sequence[CellResult], operation: str) -> list[_Known]:
    every = ((result, result.latency_of(operation)) for result in group)
    return [(result, latency) for result, latency in every if latency]


def _percentile(percentile: float) -> Column[_Known]:
    name = f"p{percentile:g}"
    return Column(name, name, of=lambda at: at[1].quantile(percentile).value)


def _with_interval(percentile: float) -> Column[_Known]:
    name = f"p{percentile:g}"
    return Column(name, f"{name} [95 %]", of=lambda at: at[1].quantile(percentile))


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
