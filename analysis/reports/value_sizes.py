"""A published study's figures by the size of values, and ours beside them.

Theirs come from an early build: one server, four client processes on one machine, a log that is
never synced; 1,000,000 operations each, from 64 KiB on 100,000.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..report import Table
from ..results import CellResult, every_cell, words
from ..series import Column, table

PUBLISHED: Mapping[int, tuple[float, float, float]] = {
    1: (132_956, 29.5, 28.3),
    8: (124_596, 31.3, 30.3),
    256: (115_017, 31.0, 36.2),
    1 << 10: (91_313, 35.8, 49.6),
    4 << 10: (34_601, 115, 114),
    16 << 10: (6_511, 948, 278),
    64 << 10: (2_662, 2_155, 844),
    256 << 10: (389, 16_601, 3_928),
    1 << 20: (37, 204_421, 11_680),
}
"""By the bytes of the one field, for YCSB's workload A: operations/s, us per update and per read.
"""
_SIZED = re.compile(r"ycsb-a-v(\d+)")  # as studies/profile_scale.py calls it


@dataclass(frozen=True)
class Beside:
    """One size and one log of ours."""

    value_bytes: int
    result: CellResult

    @property
    def log(self) -> str:
        return f"{self.result.shards or 'n1'}, {words.label(self.result)}"

    def mean_us(self, operation: str) -> float | None:
        """Return the mean over the operations of accepted slices; None if a slice had none."""
        name = f"op_{operation}_"
        slices = [row for row in self.result.sums.slices if row.get(f"{name}count")]
        counts = [row[f"{name}count"] for row in slices]
        means = [row[f"{name}latency_us_mean"] for row in slices]
        total = sum(count * mean for count, mean in zip(counts, means, strict=True))
        return total / sum(counts) if counts else None


_COLUMNS: tuple[Column[Beside], ...] = (
    Column("size", "value bytes, log", text=lambda beside: f"{beside.value_bytes:,}, {beside.log}"),
    Column("throughput", "ops/s"),
    Column("theirs", "theirs", of=lambda beside: PUBLISHED[beside.value_bytes][0]),
    Column("update_us", "update us", of=lambda beside: beside.mean_us("UPDATE")),
    Column("their_update_us", "theirs", of=lambda beside: PUBLISHED[beside.value_bytes][1]),
    Column("read_us", "read us", of=lambda beside: beside.mean_us("READ")),
    Column("their_read_us", "theirs", of=lambda beside: PUBLISHED[beside.value_bytes][2]),
)


def beside(rows: Sequence[Mapping[str, Any]]) -> list[Beside]:
    """Return our results for each published size, with one field; smallest first."""
    known = [
        Beside(int(sized[1]), result)
        for result in every_cell([dict(row) for row in rows])
        if (sized := _SIZED.fullmatch(result.workload)) and result.throughput is not None
    ]
    published = (one for one in known if one.value_bytes in PUBLISHED)
    return sorted(published, key=lambda beside: (beside.value_bytes, beside.log))


def tables(rows: Sequence[Mapping[str, Any]]) -> list[Table]:
    """Return our figures at each size beside the published ones; none for a single size."""
    title = "Sizes of values, beside a published study (one server, 4 clients, logs not synced)"
    known = beside(rows)
    return [table(title, known, _COLUMNS)] if known else []
