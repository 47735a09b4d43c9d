"""Export a campaign as an SQLite database, which other tools read."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from ..base.errors import UsageError

Value = str | float | int | None
FILE = "export.sqlite"
_OF_CELLS, _OF_HOSTS = "cells", "hosts"
_SIGNED_64 = 2**63


def sqlite(folder: Path, out: Path | None) -> str:
    """Write the database of a campaign, and return its path and what it holds in words.

    It has the tables `campaign` (one record), `cells` and `rows`; if rows name hosts, `hosts` has a
    record for each host and cell. It lies beside the campaign's rows unless another path is given.
    Errors: as `load`; UsageError for a path that exists or cannot be written to.
    """
    from ..base.folders.places import require_own

    tables = _tables(folder)
    if out is None:
        if not folder.is_dir():
            raise UsageError(f"--out: missing; {folder} is no folder, so name a file with --out")
        require_own(folder)
        out = folder / FILE
    _write(tables, new_file(out))
    return f"{out}: {', '.join(f'{len(records)} {name}' for name, records in tables.items())}"


def new_file(out: Path) -> Path:
    """Make an empty file. Errors: UsageError for a path that exists or cannot be written to."""
    if out.exists() or out.is_symlink():
        raise UsageError(f"--out: {out}: already exists; name another with --out, or remove it")
    try:
        out.touch()
    except OSError as error:
        raise UsageError(
            f"--out: {out}: cannot be written: {error.strerror}; name another with --out"
        ) from error
    return out


def _tables(folder: Path) -> dict[str, Sequence[Mapping[str, Any]]]:
    """Return the records of each table."""
    from ..analysis import load, reports

    rows = load([folder])
    content = dict(reports.devices([folder]).content or {})
    own = {name: content.pop(name) for name in (_OF_CELLS, _OF_HOSTS) if name in content}
    return {"campaign": [content], **own, "rows": rows}


def _write(tables: Mapping[str, Sequence[Mapping[str, Any]]], path: Path) -> None:
    """Write the tables. Errors: UsageError for more columns than SQLite allows."""
    try:
        with closing(sqlite3.connect(path)) as database, database:
            for name, records in tables.items():
                keys = tuple(dict.fromkeys(key for record in records for key in record))
                columns = ", ".join(map(_quoted, _apart(keys)))
                database.execute(f"CREATE TABLE {_quoted(name)} ({columns})")
                marks = ", ".join("?" * len(keys))
                values = ([_stored(record.get(key)) for key in keys] for record in records)
                database.executemany(f"INSERT INTO {_quoted(name)} VALUES ({marks})", values)
    except sqlite3.Error as error:
        path.unlink()
        raise UsageError(
            f"--format: sqlite cannot hold these rows: {error}; read rows.jsonl itself"
        ) from error


def _apart(names: Iterable[str]) -> tuple[str, ...]:
    """Number names that differ only in case, which databases cannot distinguish."""
    taken: set[str] = set()
    unique_names = []
    for name in names:
        unique, number = name, 2
        while unique.lower() in taken:
            unique, number = f"{name}_{number}", number + 1
        taken.add(unique.lower())
        unique_names.append(unique)
    return tuple(unique_names)


def _quoted(name: str) -> str:
    """Return an SQL identifier, quoted."""
    return '"' + name.replace('"', '""') + '"'


def _stored(value: Any) -> Value:
    """Return what SQLite stores of a value: lists and objects as JSON, integers beyond its 64
    signed bits as floats.
    """
    if isinstance(value, int) and not -_SIGNED_64 <= value < _SIGNED_64:
        return float(value)
    if value is None or isinstance(value, str | int | float):
        return value
    return json.dumps(value, ensure_ascii=False, default=str)
