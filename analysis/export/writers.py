"""The formats of exports. Each writes tables to a place where nothing stands yet."""

from __future__ import annotations

import csv
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from ...errors import UsageError
from ..writers import markdown
from .tables import Export, Value

Writer = Callable[[Export, Path], None]
_SIGNED_64 = 2**63
# What a spreadsheet takes for the beginning of a formula (OWASP, "CSV Injection").
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def to_sqlite(of: Export, path: Path) -> None:
    """A database with a table each. Errors: UsageError for more columns than SQLite takes."""
    path.touch()
    try:
        with closing(sqlite3.connect(path)) as database, database:
            for table in of.tables:
                names = ", ".join(map(_quoted, table.columns))
                database.execute(f"CREATE TABLE {_quoted(table.name)} ({names})")
                marks = ", ".join("?" * len(table.columns))
                records = ([_stored(value) for value in one] for one in table.records)
                database.executemany(f"INSERT INTO {_quoted(table.name)} VALUES ({marks})", records)
    except sqlite3.Error as error:
        path.unlink()
        raise UsageError(f"--to: sqlite cannot hold these rows: {error}; type --to csv") from error


def to_csv(of: Export, path: Path) -> None:
    """A folder with a file each; a text that a spreadsheet would compute begins with a quote."""
    path.mkdir()
    for table in of.tables:
        with (path / f"{table.name}.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(map(_no_formula, table.columns))
            writer.writerows([_no_formula(value) for value in one] for one in table.records)


def to_parquet(of: Export, path: Path) -> None:
    """A folder with a file each. Errors: UsageError without the extra `parquet`."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise UsageError(
            "--to: parquet takes pyarrow, which is not installed; type: .venv/bin/pip install "
            "'.[parquet]', or --to csv"
        ) from error
    path.mkdir()
    for table in of.tables:
        columns = {
            name: _one_type([one[place] for one in table.records])
            for place, name in enumerate(table.columns)
        }
        parquet.write_table(pyarrow.table(columns), path / f"{table.name}.parquet")


def to_markdown(of: Export, path: Path) -> None:
    """The report, with its tables as GitHub has them."""
    path.write_text(markdown.text(of.report) + "\n", encoding="utf-8")


WRITERS: dict[str, tuple[Writer, str]] = {
    "sqlite": (to_sqlite, "export.sqlite"),
    "csv": (to_csv, "export-csv"),
    "parquet": (to_parquet, "export-parquet"),
    "md": (to_markdown, "export.md"),
}
"""By the word of --to: the writer, and what its file or folder is called in the campaign's."""


def write(of: Export, to: str, path: Path) -> None:
    """Write an export. Errors: UsageError for a place where something stands, or none can."""
    if path.exists() or path.is_symlink():
        raise UsageError(f"--out: {path}: is there already; name another with --out, or remove it")
    try:
        WRITERS[to][0](of, path)
    except OSError as error:
        raise UsageError(
            f"--out: {path}: cannot be written: {error.strerror}; name another with --out"
        ) from error


def _quoted(name: str) -> str:
    """An identifier of SQL, whatever is in it."""
    return '"' + name.replace('"', '""') + '"'


def _stored(value: Value) -> Value:
    """SQLite's whole numbers have 64 bits and a sign."""
    is_large = isinstance(value, int) and not -_SIGNED_64 <= value < _SIGNED_64
    return float(value) if is_large and value is not None else value


def _no_formula(value: Value) -> Value:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def _one_type(values: list[Value]) -> list[Value]:
    """A column of numbers, or of texts where one is a text."""
    if any(isinstance(value, str) for value in values):
        return [None if value is None else str(value) for value in values]
    if any(isinstance(value, float) for value in values):
        return [None if value is None else float(value) for value in values]
    return [_stored(value) for value in values]
