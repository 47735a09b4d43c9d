"""What is said of openings after a kill; they are made up."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from recovery_lines import openings
from waltax.analysis import reports
from waltax.analysis.report import Table
from waltax.errors import UsageError


def _kept(folder: Path, *lines: str) -> Path:
    (folder / "recovery.jsonl").write_text("".join(f"{line}\n" for line in lines))
    return folder


def test_the_slope_is_told_with_its_interval_and_what_the_longest_log_takes(
    tmp_path: Path,
) -> None:
    (found,) = reports.recovery(_kept(tmp_path, *openings())).verdicts
    assert found.startswith(
        "RocksDB: recovery takes 20.0 s [20.0, 20.0] for each GiB of log; with 256"
    )
    assert found.endswith("it serves again after 5.20 s.")


def test_a_disturbed_opening_hardly_moves_the_slope(tmp_path: Path) -> None:
    late = json.loads(openings()[0]) | {"recovery_s": 30.0}
    report = reports.recovery(_kept(tmp_path, *openings(), json.dumps(late)))
    assert report.content is not None
    assert report.content["seconds_per_gib"]["value"] == pytest.approx(20.0, rel=0.05)


def test_an_opening_that_read_less_than_its_log_was_not_cold(tmp_path: Path) -> None:
    warm = json.loads(openings()[0]) | {"read_bytes": 0}
    cold, some = (tmp_path / name for name in ("cold", "some"))
    for folder, more in ((cold, []), (some, [json.dumps(warm)])):
        folder.mkdir()
        _kept(folder, *openings(), *more)
    assert "files out of the page cache" in _title(cold)
    assert "NOT COLD: 1 of 10 openings read less than their log" in _title(some)


def _title(folder: Path) -> str:
    (table,) = (part for part in reports.recovery(folder).parts if isinstance(part, Table))
    return table.title


def test_one_length_of_log_has_no_slope(tmp_path: Path) -> None:
    report = reports.recovery(_kept(tmp_path, openings()[0]))
    assert "one length of log tells no more" in report.verdicts[0]
    assert report.content is not None
    assert report.content["seconds_per_gib"] is None


@pytest.mark.parametrize("line", ["[]", "{", '{"log_bytes": "many"}'])
def test_a_line_that_is_no_opening_is_refused_by_its_number(tmp_path: Path, line: str) -> None:
    with pytest.raises(UsageError, match=r"recovery\.jsonl:2: no opening"):
        reports.recovery(_kept(tmp_path, openings()[0], line))


def test_a_folder_without_openings_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="`waltax recovery` writes it"):
        reports.recovery(tmp_path)
