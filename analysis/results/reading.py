"""Rows from the disk, checked to be one consistent set."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ... import row
from ...cell import Cell
from ...errors import UsageError, WaltaxError
from ...row import Row

ROWS = "rows.jsonl"


def load(paths: Iterable[Path]) -> list[Row]:
    """The rows of campaign folders or JSON-lines files, in the order given.

    Raises UsageError for a path without rows, WaltaxError when one slice comes twice: two
    measurements under one name would be averaged in silence.
    """
    rows: list[Row] = []
    files = (path / ROWS if path.is_dir() else path for path in paths)
    for file in dict.fromkeys(file.resolve() for file in files):
        if not file.is_file():
            raise UsageError(f"{file}: no rows there; it takes a folder of results/")
        rows += row.read(file)
    if not rows:
        raise UsageError("no rows yet: the campaign ended before its first slice")
    _refuse_doubles(rows)
    return rows


def _refuse_doubles(rows: list[Row]) -> None:
    seen: set[tuple[object, ...]] = set()
    for one in rows:
        key = one["campaign"], one["session"], one["round"], Cell.of_row(one)
        if one["status"] == "ok" and key in seen:
            raise WaltaxError(
                f"campaign {key[0]}: session {key[1]}, round {key[2]} has two slices of "
                f"cell {one['cell']}; give each campaign once"
            )
        if one["status"] == "ok":
            seen.add(key)
