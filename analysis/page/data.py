"""Cells and rows to take away: as many columns and rounds as there is room for."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from ...base.printable import one_line
from ...row import Row
from ..results.source import ROWS
from .subject import Subject

# Whole distributions, and what is the same in every row or appears elsewhere on the page.
_NEVER = ("_hdr",)
_ELSEWHERE = {"flags", "wal_files", "wal_dir", "versions", "inputs", "warnings", "output_file"}
_ENGINES = ("perf_", "rocksdb_", "innodb_", "redis_")
_DETAILS = (*_ENGINES, "tap_", "op_", "conflicts_", "new_orders_", "latency_us_m", "diskstats_")
_MEBIBYTE = 1 << 20


@dataclass(frozen=True)
class Share:
    """How much of the rows a page carries: no columns of `dropped`, and one in `every` rounds.

    `words` say so, and are empty if only whole distributions are left out.
    """

    dropped: tuple[str, ...] = ()
    every: int = 1

    @property
    def words(self) -> str:
        parts = []
        if self.dropped:
            parts.append(f"without the columns {', '.join(f'{name}*' for name in self.dropped)}")
        if self.every > 1:
            parts.append(f"with one of {self.every} rounds, in the charts as well")
        return " and ".join(parts)

    def has(self, column: str) -> bool:
        if column in _ELSEWHERE or column.endswith(_NEVER):
            return False
        return not column.startswith(self.dropped) if self.dropped else True


SHARES = (
    Share(),
    Share(_ENGINES),
    Share(_DETAILS),
    *(Share(_DETAILS, 1 << power) for power in range(1, 12)),
)
"""From everything to little."""


def slim(rows: Sequence[Row], share: Share) -> dict[str, Any]:
    """Return rows as columns: values that all rows share once, and a list per row for the rest."""
    kept = [row for row in rows if row["round"] % share.every == 0] or list(rows[:1])
    names = filter(share.has, dict.fromkeys(chain.from_iterable(kept)))
    same, columns = {}, {}
    for name in names:
        values = [row.get(name) for row in kept]
        if all(value == values[0] for value in values):
            same[name] = values[0]
        else:
            columns[name] = values
    lines = [[values[i] for values in columns.values()] for i in range(len(kept))]
    return {"same": same, "columns": list(columns), "rows": lines}


def packed(value: object) -> str:
    """Return compressed JSON in base64; equal values make equal texts."""
    return base64.b64encode(gzip.compress(_text(value).encode(), 9, mtime=0)).decode()


def json_block(value: object) -> str:
    """Return JSON for a script element, which no markup can end, without control characters."""
    return _text(value).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _text(value: object) -> str:
    text = json.dumps(value, allow_nan=False, separators=(",", ":"), default=dict)
    # Without an escape it holds only printable ASCII, as most of what is written here does, and all
    # of its bulk.
    return text if "\\" not in text else json.dumps(_plain(value), separators=(",", ":"))


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return one_line(value)
    if isinstance(value, Mapping):
        return {one_line(str(key)): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value


@dataclass(frozen=True)
class RowsFile:
    """The whole rows, which stay in the campaign's folder."""

    mebibytes: str
    sha256: str


def rows_file(of: Subject) -> RowsFile | None:
    """Return the file of the report's rows; None if they do not come from a single file."""
    path = of.folder / ROWS if of.folder else None
    if path is None or not path.is_file():
        return None
    content = path.read_bytes()
    return RowsFile(f"{len(content) / _MEBIBYTE:.1f}", hashlib.sha256(content).hexdigest())
