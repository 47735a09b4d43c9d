"""What is said of single statements; the rows are made up."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from statement_lines import statement_lines
from waltax.analysis import reports
from waltax.analysis.report import Lines, Table
from waltax.base.errors import UsageError


def _report(folder: Path, lines: list[dict[str, Any]]) -> Any:
    (folder / "statements.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in lines))
    return reports.statements(folder)


@pytest.mark.parametrize(
    ("factor", "verdict"),
    [
        (1.3, "holds here, ours 1.31 [1.29, 1.32]"),
        (0.8, "does not hold here, ours 0.80 [0.80, 0.81]"),
        (0.995, "cannot be told, ours 1.00 [0.99, 1.01]"),
    ],
)
def test_a_conclusion_holds_where_the_interval_says_so(
    tmp_path: Path, factor: float, verdict: str
) -> None:
    found = _report(tmp_path, statement_lines(factor)).verdicts[0]
    assert found == (f"Theirs, MyRocks inserts 1.21 to 1.22 times as fast as InnoDB: {verdict}.")


def test_what_arrivals_decided_cannot_be_told_from_them(tmp_path: Path) -> None:
    (found,) = _report(tmp_path, statement_lines(1.3, "delete-missing")).verdicts
    assert "cannot be told from arrivals that both kept up with" in found
    assert "1.31 [1.29, 1.32] times as fast" in found


def test_the_smaller_table_is_told_with_its_share(tmp_path: Path) -> None:
    sizes = [
        {"way": "filled", "engine": engine, "table_rows": 100, "schema_bytes": 100 * each}
        | {"schema_bytes_rebuilt": 100 * each}
        for engine, each in (("innodb", 240), ("myrocks", 80))
    ]
    report = _report(tmp_path, [*statement_lines(1.0), *sizes])
    assert any("it is smaller holds here, ours 0.33" in one for one in report.verdicts)


def test_the_cost_of_the_log_is_paired_by_round(tmp_path: Path) -> None:
    report = _report(tmp_path, statement_lines(1.3))
    costs = [(cell["engine"], cell["flush"], cell["sync"]) for cell in report.lines]
    assert costs == [
        (name, pytest.approx(0.1), pytest.approx(0.5)) for name in ("innodb", "myrocks")
    ]
    (table,) = _tables(report, "What the engines can do")
    assert [row[3:5] for row in table.rows] == [["10.0 [10.0, 10.0]", "50.0 [50.0, 50.0]"]] * 2


def _tables(report: Any, title: str) -> list[Table]:
    tables = [part for part in report.parts if isinstance(part, Table)]
    return [table for table in tables if table.title.startswith(title)]


def test_what_foreign_keys_cost_is_paired_by_round(tmp_path: Path) -> None:
    referring = [
        {**one, "way": "foreign", "throughput": 0.8 * one["throughput"]}
        for one in statement_lines(1.3)
        if (one["engine"], one["way"], one["durability"]) == ("innodb", "closed", "sync")
    ]
    report = _report(tmp_path, [*statement_lines(1.3), *referring])
    said = [line for part in report.parts if isinstance(part, Lines) for line in part.lines]
    (one,) = [line for line in said if "foreign keys" in line]
    assert one.endswith("20.0 [20.0, 20.0] % slower than without, the log synced")


def test_slices_too_short_for_one_statement_have_no_ratio(tmp_path: Path) -> None:
    lines = statement_lines(1.3)
    lines[-1] |= {"throughput": 0.0}  # MyRocks, closed, sync, of the last round
    report = _report(tmp_path, lines)
    (table,) = _tables(report, "What the engines can do")
    assert table.rows[1][4].startswith("-")


def test_a_second_without_any_insert_is_counted(tmp_path: Path) -> None:
    report = _report(tmp_path, statement_lines(1.0))
    said = [line for part in report.parts if isinstance(part, Lines) for line in part.lines]
    assert (
        "inserts on innodb, second by second: 0 to 2,000 in 12 whole seconds, 4 of them without any"
        in said
    )


def test_a_line_that_is_none_is_named(tmp_path: Path) -> None:
    (tmp_path / "statements.jsonl").write_text('{"way": 1}\n')
    with pytest.raises(UsageError, match=r"statements\.jsonl:1: no line of sweep statements"):
        reports.statements(tmp_path)
