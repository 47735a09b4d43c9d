"""How long requests took, as a campaign's report and its summary say it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..numerals import measured
from ..report import Column, Lines, Part, Table, numbers
from ..results import CellResult, words
from ..results.latency import ALL, PERCENTILES, Latency, called, operation_of
from ..series import spelled
from ..stats import NOTHING
from . import cells

_MOST = ", the write that is most frequent"
_MISSING = "latency: the rows have no histograms"


def table(group: Sequence[CellResult]) -> list[Part]:
    """Percentiles of the main write, or of all operations where none is known."""
    taken = operation_of(group)
    known = [(one, found) for one in group if (found := one.latency_of(taken))]
    if not known:
        return [] if all(one.failed for one in group) else [Lines([_MISSING])]
    columns = [
        cells.DEVICE,
        Column("count", only_wide=True),
        *numbers("p50", "p95"),
        Column("p99 [95 %]", compact="p99"),
        *numbers("p99.9", "max"),
    ]
    rows = [(words.label(one), words.number(found.count), *_figures(found)) for one, found in known]
    title = f"Latency of {called(taken)}, us"
    if taken != ALL:
        counted = group[0].unit.counted
        title += f", which {group[0].throughput_unit} counts" if counted else _MOST
    return [Table(title, columns, rows), *_tail(group)]


def told(one: CellResult) -> dict[str, Any]:
    """For programs: of all operations as columns, and a record of each in `operations`."""
    found = one.latency_of(ALL)
    return {
        **_columns(found),
        "operations": [
            {"operation": each.operation, **_columns(each)}
            for each in one.latencies
            if each.operation != ALL
        ],
    }


def _figures(found: Latency) -> list[str]:
    """As the table's columns have them."""
    p50, p95, p99, p999 = (found.quantile(one) for one in PERCENTILES)
    texts = [words.number(one) for one in (p50.value, p95.value, p999.value, found.max_us)]
    return [*texts[:2], measured(p99), *texts[2:]]


def _tail(group: Sequence[CellResult]) -> list[Part]:
    """A sentence on the tail of all operations, with the slices that it is not of."""
    known = [(one, found) for one in group if (found := one.latency_of(ALL))]
    said = [
        f"{words.number(us)} us {words.label(one)}"
        for one, found in known
        if (us := found.quantile(99.0).value)
    ]
    lines = [f"p99 of all operations: {', '.join(said)}"] if said else []
    lacking = sum(len(one.panel.slices.get(one.at, {})) - found.slices for one, found in known)
    lines += [f"{lacking} slices have no histogram that can be read"] if lacking else []
    return [Lines(lines)] if lines else []


def _columns(found: Latency | None) -> dict[str, float | int | None]:
    columns: dict[str, float | int | None] = {"latency_count": found.count if found else None}
    for percentile in PERCENTILES:
        one = found.quantile(percentile) if found else NOTHING
        columns |= spelled(f"latency_us_p{percentile:g}".replace(".", ""), one)
    return {**columns, "latency_us_max": found.max_us if found else None}
