"""Export a campaign in formats of other tools.

It has the tables of a campaign, with printable texts, and a writer for each format, which writes
to a path that does not exist yet.
"""

from __future__ import annotations

import csv
import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..base.errors import UsageError

Value = str | float | int | None
_OF_CELLS, _OF_HOSTS = "cells", "hosts"


@dataclass(frozen=True)
class Table:
    """Records with common columns; None for a missing value, 1 and 0 for true and false."""

    name: str
    columns: tuple[str, ...]
    records: Sequence[Sequence[Value]]


def export(folder: Path) -> list[Table]:
    """Return the tables `campaign` (one record), `cells` and `rows`.

    If rows name hosts, `hosts` has a record for each host and cell. Errors: as `load`.
    """
    from ..analysis import load, reports

    rows = load([folder])
    content = dict(reports.devices([folder]).content or {})
    own = [_table(name, content.pop(name)) for name in (_OF_CELLS, _OF_HOSTS) if name in content]
    return [_table("campaign", [content]), *own, _table("rows", rows)]


def _table(name: str, records: Sequence[Mapping[str, Any]]) -> Table:
    columns = tuple(dict.fromkeys(key for record in records for key in record))
    return Table(
        name, _apart(columns), [[_plain(record.get(key)) for key in columns] for record in records]
    )


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


def _plain(value: Any) -> Value:
    """Return a scalar as it is, a boolean as a number, and lists and objects as JSON."""
    if isinstance(value, bool):
        return int(value)
    if value is None or isinstance(value, str | int | float):
        return value
    return json.dumps(value, ensure_ascii=False, default=str)


Writer = Callable[[Sequence[Table], Path], None]
_SIGNED_64 = 2**63
# A spreadsheet reads text with these prefixes as a formula (OWASP, "CSV Injection").
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def to_sqlite(tables: Sequence[Table], path: Path) -> None:
    """Write a database. Errors: UsageError for more columns than SQLite allows."""
    path.touch()
    try:
        with closing(sqlite3.connect(path)) as database, database:
            for table in tables:
                names = ", ".join(map(_quoted, table.columns))
                database.execute(f"CREATE TABLE {_quoted(table.name)} ({names})")
                marks = ", ".join("?" * len(table.columns))
                records = ([_stored(value) for value in record] for record in table.records)
                database.executemany(f"INSERT INTO {_quoted(table.name)} VALUES ({marks})", records)
    except sqlite3.Error as error:
        path.unlink()
        raise UsageError(
            f"--format: sqlite cannot hold these rows: {error}; type --format tables"
        ) from error


def to_csv(tables: Sequence[Table], path: Path) -> None:
    """Write a folder of CSV files; text that a spreadsheet would compute gets a leading quote."""
    path.mkdir()
    for table in tables:
        with (path / f"{table.name}.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(map(_no_formula, table.columns))
            writer.writerows([_no_formula(value) for value in record] for record in table.records)


def to_parquet(tables: Sequence[Table], path: Path) -> None:
    """Write a folder of Parquet files. Errors: UsageError without the extra `parquet`."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise UsageError(
            "--format: parquet takes pyarrow, which is not installed; type: .venv/bin/pip install "
            "'.[parquet]', or --format tables"
        ) from error
    path.mkdir()
    for table in tables:
        columns = {
            name: _one_type([record[place] for record in table.records])
            for place, name in enumerate(table.columns)
        }
        parquet.write_table(pyarrow.table(columns), path / f"{table.name}.parquet")


WRITERS: dict[str, tuple[Writer, str]] = {
    "sqlite": (to_sqlite, "export.sqlite"),
    "parquet": (to_parquet, "export-parquet"),
    "tables": (to_csv, "export-tables"),
}
"""The writer for each word of --format, and the name of its file or folder in the campaign's."""


def write(tables: Sequence[Table], to: str, path: Path) -> None:
    """Write an export. Errors: UsageError for a path that exists or cannot be written to."""
    if path.exists() or path.is_symlink():
        raise UsageError(f"--out: {path}: already exists; name another with --out, or remove it")
    try:
        WRITERS[to][0](tables, path)
    except OSError as error:
        raise UsageError(
            f"--out: {path}: cannot be written: {error.strerror}; name another with --out"
        ) from error


def _quoted(name: str) -> str:
    """Return an SQL identifier, quoted."""
    return '"' + name.replace('"', '""') + '"'


def _stored(value: Value) -> Value:
    """Return an integer that exceeds SQLite's 64 signed bits as a float, and others unchanged."""
    is_large = isinstance(value, int) and not -_SIGNED_64 <= value < _SIGNED_64
    return float(value) if is_large and value is not None else value


def _no_formula(value: Value) -> Value:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def _one_type(values: list[Value]) -> list[Value]:
    """Return a column as texts if any value is a text, else as numbers of one type."""
    if any(isinstance(value, str) for value in values):
        return [None if value is None else str(value) for value in values]
    if any(isinstance(value, float) for value in values):
        return [None if value is None else float(value) for value in values]
    return [_stored(value) for value in values]


def exporter(name: str) -> Callable[[Path, Path | None], str]:
    """Return a function that exports a campaign in this format and says what it wrote.

    It writes beside the campaign's rows unless another path is given. Errors: UsageError for a path
    that cannot be written to.
    """

    def run(folder: Path, out: Path | None) -> str:
        from ..base.folders.places import require_own

        tables = export(folder)
        if out is None:
            if not folder.is_dir():
                raise UsageError(
                    f"--out: missing; {folder} is no folder, so name a file with --out"
                )
            require_own(folder)
            out = folder / WRITERS[name][1]
        write(tables, name, out)
        return f"{out}: {', '.join(f'{len(table.records)} {table.name}' for table in tables)}"

    return run
