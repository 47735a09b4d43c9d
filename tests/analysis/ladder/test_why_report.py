"""The report of ladders, as a value."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rungs import rung_rows
from synthetic import make_row, published
from waltax import row
from waltax.analysis import reports
from waltax.base.errors import UsageError
from waltax.row import Row


def _folder(rows: list[Row], folder: Path) -> Path:
    for one in rows:
        row.append(folder / "rows.jsonl", one)
    return folder


def test_a_single_ladder_has_its_steps_on_top_of_the_file(tmp_path: Path) -> None:
    published(reports.why([_folder(rung_rows(), tmp_path)]))
    told = json.loads((tmp_path / "why.json").read_text())
    assert told["steps"] == told["ladders"][0]["steps"]
    assert set(told["steps"][0]) == {
        *("step", "added_us", "low", "high", "points", "points_low", "points_high"),
    }
    assert told["remainder_us"] == told["ladders"][0]["remainder_us"]


def test_several_ladders_have_each_their_own(tmp_path: Path) -> None:
    rows = rung_rows(devices={"nvme": True, "ssd": True})
    published(reports.why([_folder(rows, tmp_path)]))
    told = json.loads((tmp_path / "why.json").read_text())
    assert "steps" not in told
    assert {one["device"] for one in told["ladders"]} == {"nvme", "ssd"}


def test_a_ladder_of_which_nothing_is_left_says_why(tmp_path: Path) -> None:
    failed = {"status": "failed", "failure": "no space left", "throughput": None}
    said = published(reports.why([_folder([one | failed for one in rung_rows()], tmp_path)]))
    assert "no step is known" in said
    assert "FAILED off: no space left" in said


def test_rows_without_rungs_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="found no rungs"):
        reports.why([_folder([make_row("nvme", 5.0)], tmp_path)])


def test_a_ladder_of_a_disturbed_machine_says_so_with_its_verdict(tmp_path: Path) -> None:
    rows = rung_rows(disturbed=["steal"])
    (verdict,) = reports.why([_folder(rows, tmp_path)]).verdicts
    assert f"; DOUBTFUL: {len(rows)} of {len(rows)} slices disturbed (steal" in verdict
