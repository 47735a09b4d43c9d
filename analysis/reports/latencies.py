"""Request latencies in a campaign's report and its summary."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import series
from ..report import Lines, Part
from ..results import CellResult, words
from ..results.latency import ALL, PERCENTILES, Latency, called
from ..series import Column, spelled
from ..stats import NOTHING

_MOST = ", the write that is most frequent"
_MISSING = "latency: the rows have no histograms"


def table(group: Sequence[CellResult]) -> list[Part]:
    """Return percentiles of the main write, or of all operations if it is unknown."""
    taken = words.operation_of(group)
    known = [(result, latency) for result in group if (latency := result.latency_of(taken))]
    if not known:
        return [] if all(result.failed for result in group) else [Lines([_MISSING])]
    columns: list[Column[tuple[CellResult, Latency]]] = [
        Column("device", "device", "text", lambda at: words.label(at[0])),
        Column("count", "count", of=lambda at: at[1].count, only_wide=True),
        *map(_percentile, ("p50", "p95"), PERCENTILES),
        Column("p99", "p99 [95 %]", of=lambda at: at[1].quantile(99.0), compact="p99"),
        _percentile("p99.9", 99.9),
        Column("max", "max", of=lambda at: at[1].max_us),
    ]
    title = f"Latency of {called(taken)}, us"
    if taken != ALL:
        counted = group[0].unit.counted
        title += f", which {group[0].throughput_unit} counts" if counted else _MOST
    return [series.table(title, known, columns), *_tail(group)]


def _percentile(heading: str, percentile: float) -> Column[tuple[CellResult, Latency]]:
    return Column(heading, heading, of=lambda at: at[1].quantile(percentile).value)


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


def _tail(group: Sequence[CellResult]) -> list[Part]:
    """Return a sentence on the tail of all operations, and how many slices it lacks."""
    known = [(result, latency) for result in group if (latency := result.latency_of(ALL))]
    said = [
        f"{words.number(us)} us {words.label(result)}"
        for result, latency in known
        if (us := latency.quantile(99.0).value)
    ]
    lines = [f"p99 of all operations: {', '.join(said)}"] if said else []
    lacking = sum(
        len(result.panel.slices.get(result.at, {})) - latency.slices for result, latency in known
    )
    lines += [f"{lacking} slices have no histogram that can be read"] if lacking else []
    return [Lines(lines)] if lines else []


def _columns(latency: Latency | None) -> dict[str, float | int | None]:
    columns: dict[str, float | int | None] = {"latency_count": latency.count if latency else None}
    for percentile in PERCENTILES:
        interval = latency.quantile(percentile) if latency else NOTHING
        columns |= spelled(f"latency_us_p{percentile:g}".replace(".", ""), interval)
    return {**columns, "latency_us_max": latency.max_us if latency else None}
