"""The report of ladders, as a value."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from rungs import OFF, TIMES_US, rung_rows
from synthetic import make_row, published
from waltax import row
from waltax.analysis import reports
from waltax.base.errors import UsageError
from waltax.row import Row


def _folder(rows: list[Row], folder: Path) -> Path:
    for one in rows:
        row.append(folder / "rows.jsonl", one)
    return folder


def test_a_ladder_has_its_steps_and_all_of_them_together(tmp_path: Path) -> None:
    rows = rung_rows(devices={"nvme": True, "ssd": True})
    published(reports.why([_folder(rows, tmp_path)]))
    told = json.loads((tmp_path / "why.json").read_text())
    assert {one["group"]["device"] for one in told["ladders"]} == {"nvme", "ssd"}
    for ladder in told["ladders"]:
        *steps, whole = ladder["points"]
        assert [one["step"] for one in steps] == ["encode", "write", "sync-free", "wait", "device"]
        assert set(steps[0]["added_us"]) == {"value", "low", "high"}
        added = sum(step["added_us"]["value"] for step in steps)
        assert added == pytest.approx(whole["added_us"]["value"])


def test_a_ladder_of_which_nothing_is_left_says_why(tmp_path: Path) -> None:
    failed = {"status": "failed", "failure": "no space left", "throughput": None}
    rows = [one | failed for one in rung_rows()]
    said = published(reports.why([_folder(rows, tmp_path)]))
    assert "no step is known" in said
    assert f"FAILED {rows[0]['cell']}: no space left" in said


def test_rows_without_rungs_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="found no rungs"):
        reports.why([_folder([make_row("nvme", 5.0)], tmp_path)])


def test_a_ladder_of_a_disturbed_machine_says_so_with_its_verdict(tmp_path: Path) -> None:
    rows = rung_rows(disturbed=["steal"])
    (verdict,) = reports.why([_folder(rows, tmp_path)]).verdicts
    assert f"; DOUBTFUL: {len(rows)} of {len(rows)} slices disturbed (steal" in verdict


def _builds(slower_write_us: float) -> list[Row]:
    new = {**TIMES_US, "write": TIMES_US["write"] + slower_write_us}
    above = ("sync-free", "wait", "device")
    new |= {name: new[name] + slower_write_us for name in above}
    rows = []
    for build, times_us in (("old", TIMES_US), ("new", new)):
        rows += rung_rows(times_us, baseline=OFF.at(build=build), sd=0.001, build=build)
    return rows


def test_a_step_that_a_build_made_dearer_is_named_with_how_much(tmp_path: Path) -> None:
    report = reports.why([_folder(_builds(6.0), tmp_path)], ["old", "new"])
    old, new = report.verdicts
    assert "against" not in old
    said = new.partition("; against build old, what changed is ")[2]
    assert "write (6." in said or "write (5.9" in said
    assert "encode (" not in said
    assert re.search(r"build old +more \[95 %\]", published(report, 140))
    first, other = json.loads((tmp_path / "why.json").read_text())["ladders"]
    assert first["points"][1]["more_us"]["value"] is None
    more = {point["step"]: point["more_us"]["value"] for point in other["points"]}
    assert more["write"] == pytest.approx(6.0, abs=0.3)
    assert more["all"] == pytest.approx(6.0, abs=0.6)


def test_equal_builds_are_not_told_apart(tmp_path: Path) -> None:
    verdict = reports.why([_folder(_builds(0.0), tmp_path)], ["old", "new"]).verdicts[-1]
    assert verdict.endswith("; against build old, no step can be told to differ.")
