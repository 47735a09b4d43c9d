"""A published study's figures by the size of values, and ours beside them.

Theirs are of an early build: one server, four client processes on one machine, a log that is never
synced; 1,000,000 operations each, from 64 KiB 100,000.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..numerals import number
from ..report import Column, Table, numbers
from ..results import every_cell, words


@dataclass(frozen=True)
class Published:
    """Means, of YCSB's workload A with one field of so many bytes."""

    value_bytes: int
    run_per_s: float
    update_us: float
    read_us: float


PUBLISHED = tuple(
    Published(*figures)
    for figures in (
        (1, 132_956, 29.5, 28.3),
        (8, 124_596, 31.3, 30.3),
        (256, 115_017, 31.0, 36.2),
        (1 << 10, 91_313, 35.8, 49.6),
        (4 << 10, 34_601, 115, 114),
        (16 << 10, 6_511, 948, 278),
        (64 << 10, 2_662, 2_155, 844),
        (256 << 10, 389, 16_601, 3_928),
        (1 << 20, 37, 204_421, 11_680),
    )
)


@dataclass(frozen=True)
class Beside:
    """One size and one log of ours; means in microseconds, None where a slice had none."""

    value_bytes: int
    log: str
    throughput: float
    update_us: float | None
    read_us: float | None
    theirs: Published


def beside(rows: Sequence[Mapping[str, Any]]) -> list[Beside]:
    """Ours of each size that they have, too, with one field; smallest first."""
    theirs = {one.value_bytes: one for one in PUBLISHED}
    found = []
    for result in every_cell([dict(one) for one in rows if one.get("fieldcount") == 1]):
        size = result.rows[0].get("fieldlength")
        if size not in theirs or result.throughput is None:
            continue
        found.append(
            Beside(
                value_bytes=size,
                log=f"{result.shards or 'n1'}, {words.label(result)}",
                throughput=result.throughput,
                update_us=_mean(result.rows, "op_UPDATE_"),
                read_us=_mean(result.rows, "op_READ_"),
                theirs=theirs[size],
            )
        )
    return sorted(found, key=lambda one: (one.value_bytes, one.log))


def _mean(rows: Sequence[Mapping[str, Any]], operation: str) -> float | None:
    """Of all operations of the accepted slices."""
    told = [
        (one[f"{operation}count"], one[f"{operation}latency_us_mean"])
        for one in rows
        if one["status"] == "ok" and one.get(f"{operation}count")
    ]
    count = sum(number for number, _ in told)
    return sum(number * mean for number, mean in told) / count if count else None


def tables(rows: Sequence[Mapping[str, Any]]) -> list[Table]:
    """Ours at each size of values beside the published ones; none of one size."""
    columns = [
        Column("value bytes, log"),
        *numbers("ops/s", "theirs", "update us", "theirs", "read us", "theirs"),
    ]
    table = [
        (
            f"{one.value_bytes:,}, {one.log}",
            *map(number, (one.throughput, one.theirs.run_per_s)),
            *map(number, (one.update_us, one.theirs.update_us)),
            *map(number, (one.read_us, one.theirs.read_us)),
        )
        for one in beside(rows)
    ]
    title = "Sizes of values, beside a published study (one server, 4 clients, logs not synced)"
    return [Table(title, columns, table)] if table else []
