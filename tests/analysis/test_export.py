"""Exports hold the rows and cells as they are, and nothing in a name is a command to a reader."""

from __future__ import annotations

import csv
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner
from synthetic import EVIDENCE, make_row
from waltax.base.errors import UsageError
from waltax.row import append, read
from waltax.studies.export import WRITERS, export, write
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
    write(export(folder), "sqlite", path)
    with closing(sqlite3.connect(path)) as database:
        found = database.execute("SELECT throughput FROM rows WHERE status = 'ok'").fetchall()
        cells = database.execute("SELECT cell, failed FROM cells ORDER BY cell").fetchall()
        (campaigns,) = database.execute("SELECT count(*) FROM campaign").fetchone()
    rows = read(folder / "rows.jsonl")
    assert [rate for (rate,) in found] == [one["throughput"] for one in rows if one["throughput"]]
    assert [failed for _, failed in cells] == [0, 0, 0, 1]
    assert campaigns == 1


def test_hostile_names_are_only_names(tmp_path: Path) -> None:
    made = export(_hostile(tmp_path))
    write(made, "sqlite", tmp_path / "x.sqlite")
    with closing(sqlite3.connect(tmp_path / "x.sqlite")) as database:
        assert database.execute("SELECT count(*) FROM rows").fetchone() == (2,)
        assert database.execute("SELECT big FROM rows").fetchone() == (2.0**64,)
    write(made, "tables", tmp_path / "csv")
    with (tmp_path / "csv" / "rows.csv").open(newline="") as file:
        one = next(csv.DictReader(file))
    assert one["'=cmd()"] == "'=1+1"
    assert "\x1b" not in (tmp_path / "csv" / "rows.csv").read_text()
    assert one["op_2"] == "2"


def test_what_is_there_stays(folder: Path) -> None:
    for to in WRITERS:
        (folder / to).write_text("mine")
        with pytest.raises(UsageError, match="already exists"):
            write(export(folder), to, folder / to)
        assert (folder / to).read_text() == "mine"
    with pytest.raises(UsageError, match="cannot be written"):
        write(export(folder), "tables", folder / "none" / "x")


def test_parquet_without_its_library_names_the_extra(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(UsageError, match=r"pyarrow, which is not installed.*\[parquet\]"):
        write(export(folder), "parquet", folder / "x")
    assert not (folder / "x").exists()


def test_the_command_writes_beside_the_rows_and_takes_no_folder_without_rows(folder: Path) -> None:
    done = CliRunner().invoke(command, [str(folder), "--format", "tables"])
    assert done.exit_code == 0
    names = sorted(path.name for path in (folder / "export-tables").iterdir())
    assert names == ["campaign.csv", "cells.csv", "rows.csv"]
    refused = CliRunner().invoke(command, [str(folder / "none"), "--format", "tables"])
    assert isinstance(refused.exception, UsageError)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--out", "x"], "--out: found 0 formats that it is for"),
        (["--format", "sqlite", "--format", "bundle", "--out", "x"], "--out: found 2 formats"),
        (["results", "--format", "sqlite"], "--format: sqlite holds one campaign; found 2"),
    ],
)
def test_a_format_of_one_place_takes_one_campaign_and_one_place(
    folder: Path, words: list[str], said: str
) -> None:
    refused = CliRunner().invoke(command, [str(folder), *words])
    assert str(refused.exception).startswith(said)
