"""What is said of damaged logs that were opened in several recovery modes; they are made up."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from recovery_lines import modes
from waltax.analysis import reports
from waltax.analysis.report import Report, Table
from waltax.base.errors import UsageError


def _report(folder: Path, *lines: str) -> Report:
    (folder / "recovery-modes.jsonl").write_text("".join(f"{line}\n" for line in lines))
    return reports.recovery_modes(folder)


def test_each_mode_has_a_column_and_each_damage_a_line(tmp_path: Path) -> None:
    report = _report(tmp_path, *modes())
    (table,) = (part for part in report.parts if isinstance(part, Table))
    assert [column.heading for column in table.columns] == ["log", "absolute (1)", "skip (3)"]
    assert table.rows == [
        ["sync, torn", "1/2 open, loses 0", "loses 0"],
        ["sync, changed", "refuses", "loses 11.5 %, 1 broken"],
    ]


def test_how_many_logs_each_mode_opens_is_told_first(tmp_path: Path) -> None:
    (found,) = _report(tmp_path, *modes()).verdicts
    assert found == (
        "MyRocks: absolute (1) opens 1 of 4 logs; skip (3) opens 4 of 4 logs, 1 of them not "
        "consistent."
    )


@pytest.mark.parametrize(("name", "value"), [("opens", 1), ("lost", True), ("mode", None)])
def test_a_line_that_is_none_is_refused_by_its_number(
    tmp_path: Path, name: str, value: object
) -> None:
    first, *_ = modes()
    with pytest.raises(UsageError, match=rf"recovery-modes\.jsonl:2: no line .*{name}: found"):
        _report(tmp_path, first, json.dumps(json.loads(first) | {name: value}))
