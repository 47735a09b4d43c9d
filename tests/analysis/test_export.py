"""Exports hold the rows and cells as they are, and nothing in a name is a command to a reader."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner
from synthetic import EVIDENCE, make_row
from waltax.base.errors import UsageError
from waltax.row import append, read
from waltax.studies.export import FILE, sqlite
from waltax.studies.report import command


def _hostile(folder: Path) -> Path:
    more = {'x"); DROP TABLE rows; --': 1, "=cmd()": "=1+1", "OP": 1, "op": 2, "pipe|`": "a|`\x1b"}
    for device, rate in {"off": 1000.0, "nvme": 700.0}.items():
        append(
            folder / "rows.jsonl", make_row(device, rate, **EVIDENCE) | more | {"big": 2**64 - 1}
        )
    return folder


def test_a_database_has_the_rows_and_the_cells(folder: Path) -> None:
    path = folder / "x.sqlite"
    sqlite(folder, path)
    with closing(sqlite3.connect(path)) as database:
        found = database.execute("SELECT throughput FROM rows WHERE status = 'ok'").fetchall()
        cells = database.execute("SELECT cell, failed FROM cells ORDER BY cell").fetchall()
        (campaigns,) = database.execute("SELECT count(*) FROM campaign").fetchone()
    rows = read(folder / "rows.jsonl")
    assert [rate for (rate,) in found] == [one["throughput"] for one in rows if one["throughput"]]
    assert [failed for _, failed in cells] == [0, 0, 0, 1]
    assert campaigns == 1


def test_hostile_names_are_only_names(tmp_path: Path) -> None:
    sqlite(_hostile(tmp_path), None)
    with closing(sqlite3.connect(tmp_path / FILE)) as database:
        assert database.execute("SELECT count(*) FROM rows").fetchone() == (2,)
        assert database.execute("SELECT big, op_2 FROM rows").fetchone() == (2.0**64, 2)
        (text,) = database.execute('SELECT "pipe|`" FROM rows').fetchone()
    assert "\x1b" not in text


def test_what_is_there_stays(folder: Path) -> None:
    (folder / "x").write_text("mine")
    with pytest.raises(UsageError, match="already exists"):
        sqlite(folder, folder / "x")
    assert (folder / "x").read_text() == "mine"
    with pytest.raises(UsageError, match="cannot be written"):
        sqlite(folder, folder / "none" / "x")


def test_the_command_writes_beside_the_rows_and_takes_no_folder_without_rows(folder: Path) -> None:
    done = CliRunner().invoke(command, [str(folder), "--format", "sqlite"])
    assert done.exit_code == 0
    assert (folder / FILE).is_file()
    refused = CliRunner().invoke(command, [str(folder / "none"), "--format", "sqlite"])
    assert isinstance(refused.exception, UsageError)


@pytest.mark.parametrize(("name", "makes"), [("tables", "sqlite3 -csv"), ("parquet", "duckdb")])
def test_a_format_of_older_releases_names_what_makes_it(
    name: str, makes: str, folder: Path
) -> None:
    refused = CliRunner().invoke(command, [str(folder), "--format", name])
    assert f"--format: found {name}; type --format sqlite, or make it: {makes}" in str(
        refused.exception
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--out", "x"], "--out: found 0 formats that are one file"),
        (["--format", "sqlite", "--format", "bundle", "--out", "x"], "--out: found 2 formats"),
        (["results", "--format", "sqlite"], "--format: sqlite holds one campaign; found 2"),
    ],
)
def test_a_format_of_one_place_takes_one_campaign_and_one_place(
    folder: Path, words: list[str], said: str
) -> None:
    refused = CliRunner().invoke(command, [str(folder), *words])
    assert str(refused.exception).startswith(said)
