"""What is said of openings after a kill; they are made up."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from recovery_lines import openings
from waltax.analysis import reports
from waltax.analysis.report import Table
from waltax.base.errors import UsageError


def _kept(folder: Path, *lines: str) -> Path:
    (folder / "recovery.jsonl").write_text("".join(f"{line}\n" for line in lines))
    return folder


def test_the_slope_is_told_with_its_interval_and_what_the_longest_log_takes(
    tmp_path: Path,
) -> None:
    (found,) = reports.recovery(_kept(tmp_path, *openings())).verdicts
    assert found.startswith(
        "RocksDB: recovery takes 20.0 [20.0, 20.0] s for each GiB of log; with 256"
    )
    assert found.endswith("it serves again after 5.20 s.")


def _slope(folder: Path, lines: list[str]) -> dict[str, float]:
    report = reports.recovery(_kept(folder, *lines))
    assert report.content is not None
    found: dict[str, float] = report.content["seconds_per_gib"]
    return found


def test_a_disturbed_opening_hardly_moves_the_slope(tmp_path: Path) -> None:
    late = json.loads(openings()[0]) | {"recovery_s": 30.0}
    assert _slope(tmp_path, [*openings(), json.dumps(late)])["value"] == pytest.approx(20.0)


def test_kills_that_differ_widen_the_interval_and_openings_that_do_not_leave_it(
    tmp_path: Path,
) -> None:
    """Two of three kills of each length took half as long again, in all openings alike."""
    lines = [json.loads(line) for line in openings(kills=3)]
    slow = [one | {"recovery_s": one["recovery_s"] * (1.5 if one["kill"] else 1)} for one in lines]
    few = _slope(tmp_path, [json.dumps(one) for one in slow])
    assert few["low"] < 22
    assert few["high"] > 28
    many = _slope(tmp_path, [json.dumps(one) for one in slow * 5])
    assert many == few


def test_one_kill_of_a_length_has_no_interval(tmp_path: Path) -> None:
    (found,) = reports.recovery(_kept(tmp_path, *openings(kills=1))).verdicts
    assert found.startswith("RocksDB: recovery takes 20.0 s for each GiB of log; with 256 MiB")
    assert _slope(tmp_path, openings(kills=1))["low"] is None


def test_an_opening_that_read_less_than_its_log_was_not_cold(tmp_path: Path) -> None:
    warm = json.loads(openings()[0]) | {"read_bytes": 0}
    cold, some = (tmp_path / name for name in ("cold", "some"))
    for folder, more in ((cold, []), (some, [json.dumps(warm)])):
        folder.mkdir()
        _kept(folder, *openings(), *more)
    assert "files out of the page cache" in _title(cold)
    assert "NOT COLD: 1 of 19 openings read less than their log" in _title(some)


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
    with pytest.raises(UsageError, match=r"recovery\.jsonl:2: no line of receipts recovery"):
        reports.recovery(_kept(tmp_path, openings()[0], line))


def test_a_folder_without_openings_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="`waltax receipts recovery` writes it"):
        reports.recovery(tmp_path)
