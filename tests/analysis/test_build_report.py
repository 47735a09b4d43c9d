"""Builds of an engine against each other, of rows that are made up."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from build_rows import build_rows
from synthetic import published
from waltax import row
from waltax.analysis import reports, results
from waltax.analysis.reports.builds import against
from waltax.base.errors import UsageError
from waltax.row import Row


def _folder(rows: list[Row], folder: Path) -> Path:
    for one in rows:
        row.append(folder / "rows.jsonl", one)
    return folder


def _slower(device: str) -> float:
    return {"off": 1000.0, "nvme": 540.0}[device]


def test_the_ratio_and_the_difference_of_overheads_are_those_that_were_planted() -> None:
    (found,) = against(build_rows(_slower), ["base", "new"])
    off, nvme = found.points
    assert (off.result.device, nvme.result.device) == ("off", "nvme")
    assert off.ratio.low is not None
    assert off.ratio.high is not None
    assert off.ratio.low < 1 < off.ratio.high
    assert off.points.value is None
    assert nvme.ratio.value == pytest.approx(0.9, abs=0.005)
    assert nvme.points.value == pytest.approx(0.06, abs=0.004)
    assert nvme.points.low is not None
    assert nvme.points.high is not None
    assert 0.05 < nvme.points.low < nvme.points.high < 0.07


def test_each_build_has_its_own_baseline_and_none_is_told_a_mix_of_releases() -> None:
    rows = build_rows(lambda device: {"off": 500.0, "nvme": 300.0}[device])
    (found,) = against(rows, ["base", "new"])
    assert found.points[1].ratio.value == pytest.approx(0.5, abs=0.01)
    assert found.points[1].result.overhead == pytest.approx(0.4, abs=0.01)
    assert found.points[1].result.baseline == "rocksdb-linkbench-quick-off-off-t4@new"
    assert not results.source.origin_of(rows).warnings


def test_a_report_says_it_in_a_sentence_and_has_it_for_programs(tmp_path: Path) -> None:
    text = published(reports.builds([_folder(build_rows(_slower), tmp_path)], ["base", "new"]), 300)
    assert "LinkBench on RocksDB, profile quick, 4 threads: build new against base: " in text
    assert "on off, new and base cannot be told apart (" in text
    assert "times the throughput of base, and the log's cost rose from 40." in text
    assert "the same bytes" not in text
    (line,) = [line for line in text.splitlines() if line.lstrip().startswith("nvme (emulated) ")]
    assert line.rstrip().endswith("slower")
    assert "base: rocksdb 10.4.0, revision of-base" in text
    told = json.loads((tmp_path / "builds.json").read_text())
    assert told["builds"]["new"]["files"] == {"/opt/new/librocksdb.so": "aa"}
    (off, nvme) = csv.DictReader((tmp_path / "builds.csv").open())
    assert (off["verdict"], nvme["verdict"]) == ("not told apart", "slower")
    assert float(nvme["overhead_difference_low"]) > 0.05
    assert "cost rose from 40." in (tmp_path / "report.html").read_text()
    assert (tmp_path / "builds.svg").exists() or (tmp_path / "builds.png").exists()


def test_its_table_fits_a_pipe_and_a_narrow_terminal(tmp_path: Path) -> None:
    folder = _folder(build_rows(_slower), tmp_path)
    for width in (80, 300):
        text = published(reports.builds([folder], ["base", "new"]), width)
        (line,) = [line for line in text.splitlines() if line.lstrip().startswith("nvme (emul")]
        assert "\N{HORIZONTAL ELLIPSIS}" not in line
        assert "]" in line


def test_the_base_is_the_first_that_was_named(tmp_path: Path) -> None:
    folder = _folder(build_rows(_slower), tmp_path)
    assert "build base against new" in published(reports.builds([folder], ["new", "base"]), 300)


def test_equal_bytes_are_said_to_be_an_a_a(tmp_path: Path) -> None:
    rows = build_rows(lambda device: {"off": 1000.0, "nvme": 600.0}[device], bytes_of=("c", "c"))
    text = published(reports.builds([_folder(rows, tmp_path)], ["base", "new"]), 300)
    assert "warning: builds base and new have the same bytes: an A/A comparison" in text
    assert "the log's cost cannot be told apart (" in text


def test_a_build_that_failed_is_named_and_the_others_cells_have_their_figures() -> None:
    rows = build_rows(_slower)
    last = next(one for one in reversed(rows) if one["cell"].endswith("nvme-sync-t4@new"))
    last |= {"status": "failed", "throughput": None, "failure": "build new: it was replaced"}
    (found,) = against(rows, ["base", "new"])
    off, nvme = found.points
    assert off.ratio.value is not None
    assert [one.at.build for one in nvme.failed] == ["new"]
    assert nvme.points.value is None


def test_rows_of_one_build_are_no_comparison() -> None:
    rows = [one for one in build_rows(_slower) if one["build"] == "new"]
    with pytest.raises(UsageError, match="builds: found new; a comparison has two"):
        against(rows)
