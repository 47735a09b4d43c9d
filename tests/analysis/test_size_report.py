"""A sweep of sizes: means and ratios of every point, and what is said of them."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from dbbench_rows import COST, operations_per_s, size_row, size_rows
from synthetic import published
from waltax.analysis import reports
from waltax.analysis.reports.sizes import Point, points_of, sentences
from waltax.base.errors import UsageError
from waltax.row import Row, append


@pytest.fixture(scope="module")
def points() -> list[Point]:
    return points_of(size_rows())


def _of(points: list[Point], bench: str, wal: bool = True) -> list[Point]:
    return [one for one in points if (one.bench, one.result.writes_wal) == (bench, wal)]


def _point(points: list[Point], bench: str, size: str, wal: bool = True) -> Point:
    return next(one for one in _of(points, bench, wal) if one.result.size == size)


def _report(rows: list[Row], folder: Path) -> str:
    for one in rows:
        append(folder / "rows.jsonl", one)
    return published(reports.sizes(folder), 120)


def test_the_smallest_size_is_the_first(points: list[Point]) -> None:
    assert list(dict.fromkeys(one.bench for one in points)) == [
        *("fillrandom", "readseq", "readrandom")
    ]
    for bench in ("fillrandom", "readseq", "readrandom"):
        mine = _of(points, bench)
        assert [one.result.size for one in mine] == ["k16-v100", "k32-v100", "k16-v400"]
        assert mine[0].ratios["mb_per_s"].value == 1.0


@pytest.mark.parametrize("wal", [True, False])
def test_ratios_to_the_first_size_are_the_planted_ones(points: list[Point], wal: bool) -> None:
    planted = operations_per_s("fillrandom", 416, wal) / operations_per_s("fillrandom", 116, wal)
    ratios = _point(points, "fillrandom", "k16-v400", wal).ratios
    assert ratios["ops_per_s"].value == pytest.approx(planted, rel=0.01)
    assert ratios["mb_per_s"].value == pytest.approx(planted * 416 / 116, rel=0.01)
    assert ratios["elapsed_s"].value == pytest.approx(1 / planted, rel=0.01)
    assert ratios["compactions"].value == pytest.approx(14 / 4)
    low, high = ratios["ops_per_s"].low, ratios["ops_per_s"].high
    assert low is not None
    assert high is not None
    assert low < planted < high


def test_wal_bytes_are_per_operation_and_none_without_a_log(points: list[Point]) -> None:
    with_wal = _point(points, "fillrandom", "k16-v400")
    assert with_wal.means["wal_bytes_per_operation"] == 436
    without = _point(points, "fillrandom", "k16-v400", wal=False)
    assert without.means["wal_bytes_per_operation"] == 0
    assert without.ratios["wal_bytes_per_operation"].value is None


def test_the_overhead_is_against_off_of_the_same_size(points: list[Point]) -> None:
    for size in ("k16-v100", "k32-v100", "k16-v400"):
        found = _point(points, "fillrandom", size).result
        assert found.overhead == pytest.approx(COST, abs=0.01)
        assert found.low is not None
        assert found.baseline is not None
        assert found.baseline.endswith(size)


def test_reads_have_no_figures_of_writes(points: list[Point]) -> None:
    assert "compactions" not in _point(points, "readseq", "k16-v100").means


def test_what_changes_from_the_smallest_size_to_the_largest_is_said(points: list[Point]) -> None:
    on, off = sentences(_of(points, "fillrandom") + _of(points, "fillrandom", wal=False))
    assert on.startswith("WAL on, from 116 to 416 B: MB/s is 2.4")
    assert on.endswith("; compactions go from 4.00 to 14.0 a run")
    assert off.startswith("WAL off, from 116 to 416 B: MB/s is 2.4")
    reads = next(iter(sentences(_of(points, "readseq"))))
    assert "compactions" not in reads


def test_a_planted_wrong_ratio_is_seen() -> None:
    """What the tests above compare with must not hold of rows with another truth."""
    rows = size_rows()
    for one in rows:
        if one["size"] == "k16-v400":
            one["throughput"] *= 1.1
            one["mb_per_s"] *= 1.1
    planted = operations_per_s("fillrandom", 416, True) / operations_per_s("fillrandom", 116, True)
    ratio = _point(points_of(rows), "fillrandom", "k16-v400").ratios["ops_per_s"]
    assert ratio.low is not None
    assert ratio.low > planted * 1.05


def test_sizes_that_are_drawn_come_last_and_end_no_sentence(tmp_path: Path) -> None:
    rows = size_rows()
    for one in [one for one in rows if one["size"] == "k32-v100"]:
        one["cell"] = one["cell"].replace("k32-v100", "facebook-udb")
        one["size"] = "facebook-udb"
        one["value_bytes"] = None
    mine = _of(points_of(rows), "fillrandom")
    assert mine[-1].result.size == "facebook-udb"
    assert mine[-1].entry_bytes == pytest.approx(132)
    assert "from 116 to 416 B" in next(iter(sentences(mine)))
    assert "~132" in _report(rows, tmp_path)


def test_a_size_that_failed_is_left_out_and_named(tmp_path: Path) -> None:
    failed = size_row("fillrandom", "k16-v400", wal=True, session=2, round_=9)
    failed |= {"status": "failed", "failure": "no space left", "throughput": None}
    text = _report([*size_rows(), failed], tmp_path)
    assert "FAILED fillrandom k16-v400 WAL on: no space left" in text


def test_the_report_writes_tables_files_and_figures(tmp_path: Path) -> None:
    text = _report(size_rows(), tmp_path)
    assert "db_bench fillrandom, profile dbbench-sizes, 1 thread: speed" in text
    with (tmp_path / "sizes.csv").open() as file:
        lines = list(csv.DictReader(file))
    assert len(lines) == 3 * 3 * 2
    assert {"elapsed_s", "elapsed_s_ratio", "overhead_low"} <= set(lines[0])
    found = json.loads((tmp_path / "sizes.json").read_text())
    assert found["sweeps"][0]["sentences"]
    assert (tmp_path / "sizes.png").stat().st_size > 10_000


def test_rows_of_something_else_are_refused() -> None:
    rows = [one | {"size": ""} for one in size_rows()]
    with pytest.raises(UsageError, match="sweep-sizes: found no rows of db_bench with a size"):
        points_of(rows)
    rows = size_rows()
    rows[0] = rows[0] | {"device": "ssd", "cell": "another"}
    with pytest.raises(UsageError, match="found logs of nvme flush, ssd flush"):
        points_of(rows)
