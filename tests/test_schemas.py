"""The schemas that waltax prints, against real rows, summaries and files of workloads."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator
from waltax import row
from waltax.base.errors import WaltaxError
from waltax.cli import cli
from waltax.workloads.mix.record import shipped

GOLDEN = Path(__file__).parent / "golden"
ROWS = sorted(GOLDEN.rglob("rows.jsonl"))
SUMMARIES = sorted(GOLDEN.rglob("summary.json"))


def _schema(*words: str) -> Draft202012Validator:
    done = CliRunner().invoke(cli, [*words])
    schema = json.loads(done.output)
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def _wrong(schema: Draft202012Validator, value: Any) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in schema.iter_errors(value)]


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.parametrize("path", ROWS, ids=lambda path: path.parent.name)
def test_real_rows_keep_to_their_schema(path: Path) -> None:
    schema, rows = _schema("report", "--schema", "rows"), _rows(path)
    assert rows
    assert [wrong for one in rows for wrong in _wrong(schema, one)] == []


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("threads", (0, "4", 1.5, None)),
        ("status", ("fine",)),
        ("throughput", ("9",)),
        ("emulated", (1,)),
        ("wal_files", ("log", [1])),
        ("versions", ({"rocksdb": 7},)),
        ("tap_digest", (7,)),
        ("tap_opens", ("7",)),
        ("op_ADD_LINK_latency_hdr", (7,)),
        ("schema", (2,)),
    ],
)
def test_what_a_row_may_not_hold_is_refused_by_the_schema_as_by_the_reader(
    tmp_path: Path, name: str, values: Sequence[Any]
) -> None:
    schema, first = _schema("report", "--schema", "rows"), _rows(ROWS[0])[0]
    for value in values:
        file = tmp_path / "rows.jsonl"
        file.write_text(json.dumps(first | {name: value}) + "\n")
        with pytest.raises(WaltaxError):
            row.read(file)
        assert _wrong(schema, first | {name: value}) != [], value
    if name in schema.schema["required"]:
        assert _wrong(schema, {key: first[key] for key in first if key != name}) != []


@pytest.mark.parametrize("path", SUMMARIES, ids=lambda path: path.parent.parent.name)
def test_real_summaries_keep_to_their_schema(path: Path) -> None:
    schema, summary = _schema("report", "--schema", "summary"), json.loads(path.read_text())
    assert _wrong(schema, summary) == []
    summary["cells"][0]["overhead"] = "much"
    assert len(_wrong(schema, summary)) == 1


@pytest.mark.parametrize("name", sorted(shipped()))
def test_files_of_workloads_keep_to_their_schema(name: str) -> None:
    schema, file = _schema("workload", "--schema"), tomllib.loads(shipped()[name].read_text())
    assert _wrong(schema, file) == []
    assert _wrong(schema, file | {"tabels": []}) != []
