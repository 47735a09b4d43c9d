"""What is exported of a campaign: tables of plain values, texts in them made printable."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import reports
from ..report import Report
from ..results import load

Value = str | float | int | None
_OF_CELLS, _OF_HOSTS = "cells", "hosts"


@dataclass(frozen=True)
class Table:
    """Records under common columns; None where a record has nothing. True and false are 1 and 0."""

    name: str
    columns: tuple[str, ...]
    records: Sequence[Sequence[Value]]


@dataclass(frozen=True)
class Export:
    """A campaign's tables, and its report, which Markdown has."""

    tables: Sequence[Table]
    report: Report


def export(folder: Path) -> Export:
    """The tables `campaign` (one record), `cells` and `rows`; `hosts`, where rows name any: a
    record for each host and cell. Errors: as `load`."""
    rows, report = load([folder]), reports.devices([folder])
    content = dict(report.content or {})
    own = [_table(name, content.pop(name)) for name in (_OF_CELLS, _OF_HOSTS) if name in content]
    return Export([_table("campaign", [content]), *own, _table("rows", rows)], report)


def _table(name: str, records: Sequence[Mapping[str, Any]]) -> Table:
    columns = tuple(dict.fromkeys(key for one in records for key in one))
    return Table(
        name, _apart(columns), [[_plain(one.get(key)) for key in columns] for one in records]
    )


def _apart(names: Iterable[str]) -> tuple[str, ...]:
    """Names that differ in more than their case, which databases do not tell apart."""
    taken: set[str] = set()
    found = []
    for name in names:
        unique, number = name, 2
        while unique.lower() in taken:
            unique, number = f"{name}_{number}", number + 1
        taken.add(unique.lower())
        found.append(unique)
    return tuple(found)


def _plain(value: Any) -> Value:
    """Lists and objects as JSON."""
    if isinstance(value, bool):
        return int(value)
    if value is None or isinstance(value, str | int | float):
        return value
    return json.dumps(value, ensure_ascii=False, default=str)
