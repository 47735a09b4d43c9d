"""A sweep of sizes: means and ratios of every point, and what is said of them."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from kv_rows import COST, WRITES, operations_per_s, size_row, size_rows
from synthetic import make_rows, published, steady
from waltax.analysis import reports
from waltax.analysis.gate.difference import Compared
from waltax.analysis.reports.sizes import (
    mb_per_s,
    mb_ratio,
    points_of,
    size,
    write_amplification,
)
from waltax.base.errors import UsageError
from waltax.row import Row, append


@pytest.fixture(scope="module")
def points() -> list[Compared]:
    return points_of(size_rows())


def _point(points: list[Compared], name: str, wal: bool = True) -> Compared:
    found = [one for one in points if (size(one).name, one.result.writes_wal) == (name, wal)]
    return found[0]


def _report(rows: list[Row], folder: Path) -> str:
    for one in rows:
        append(folder / "rows.jsonl", one)
    return published(reports.sizes([folder]), 120)


def test_the_smallest_size_is_the_first_of_each_log(points: list[Compared]) -> None:
    found = [(one.result.durability, size(one).name) for one in points]
    sizes = ("k16-v100", "k32-v100", "k16-v400")
    assert found == [(log, size) for log in ("flush", "off") for size in sizes]
    assert mb_ratio(points[0]).value == 1.0


@pytest.mark.parametrize("wal", [True, False])
def test_ratios_to_the_first_size_are_the_planted_ones(points: list[Compared], wal: bool) -> None:
    planted = operations_per_s(WRITES, 416, wal) / operations_per_s(WRITES, 116, wal)
    point = _point(points, "k16-v400", wal)
    assert point.ratio.value == pytest.approx(planted, rel=0.01)
    assert mb_ratio(point).value == pytest.approx(planted * 416 / 116, rel=0.01)
    assert point.ratio.low is not None
    assert point.ratio.high is not None
    assert point.ratio.low < planted < point.ratio.high


def test_a_scan_reads_as_many_pairs_as_its_file_says() -> None:
    reads = points_of(size_rows("kv-read-seq"))[0]
    assert mb_per_s(reads) == pytest.approx(900 * 1000 * 116 / 2**20, rel=0.01)
    assert write_amplification(reads) is None


def test_what_was_flushed_and_compacted_is_over_what_was_written(points: list[Compared]) -> None:
    first, last = (write_amplification(_point(points, name)) for name in ("k16-v100", "k16-v400"))
    assert (first, last) == pytest.approx((2, 1 + 416 / 116))


def test_the_overhead_is_against_off_of_the_same_size(points: list[Compared]) -> None:
    for name in ("k16-v100", "k32-v100", "k16-v400"):
        found = _point(points, name).result
        assert found.overhead == pytest.approx(COST, abs=0.01)
        assert found.low is not None
        assert found.baseline is not None
        assert f"{name}-sizes-off-off" in found.baseline


def test_a_planted_wrong_ratio_is_seen() -> None:
    """What the tests above compare with must not hold of rows with another truth."""
    rows = size_rows()
    for one in rows:
        if one["workload"].endswith("k16-v400"):
            one["throughput"] *= 1.1
    planted = operations_per_s(WRITES, 416, True) / operations_per_s(WRITES, 116, True)
    ratio = _point(points_of(rows), "k16-v400").ratio
    assert ratio.low is not None
    assert ratio.low > planted * 1.05


def test_a_size_that_failed_is_left_out_and_named(tmp_path: Path) -> None:
    failed = size_row(WRITES, "k16-v400", wal=True, session=2, round_=9)
    failed |= {"status": "failed", "failure": "no space left", "throughput": None}
    text = _report([*size_rows(), failed], tmp_path)
    assert f"FAILED {failed['cell']}: no space left" in text


def test_the_report_writes_tables_files_and_figures(tmp_path: Path) -> None:
    text = _report(size_rows(), tmp_path)
    assert "kv-fillrandom, profile sizes, 1 client" in text
    with (tmp_path / "sizes.csv").open() as file:
        lines = list(csv.DictReader(file))
    assert [line["entry_bytes"] for line in lines] == ["116", "132", "416"] * 2
    assert {"mb_per_s", "mb_per_s_ratio", "overhead_low"} <= set(lines[0])
    assert [line["wal_bytes_per_operation"] for line in lines[2:4]] == ["436.0", "0.0"]
    (sweep,) = json.loads((tmp_path / "sizes.json").read_text())["sweeps"]
    (said,) = sweep["sentences"]
    assert said.startswith("nvme flush (emulated): the log costs ")
    assert " with 116 B and " in said
    assert (tmp_path / "sizes.png").stat().st_size > 10_000


def test_rows_of_something_else_are_refused() -> None:
    with pytest.raises(UsageError, match="found rows of linkbench, which has no size of keys"):
        points_of(make_rows(1, 1, steady(off=2.0, nvme=1.0)))


def test_each_of_several_logs_has_its_own_smallest_size() -> None:
    rows = size_rows()
    rows += [
        row | {"device": "ssd", "cell": row["cell"].replace("nvme", "ssd")}
        for row in rows
        if row["durability"] != "off"
    ]
    logs = [(one.result.device, size(one).name, mb_ratio(one).value) for one in points_of(rows)]
    assert {log[:2] for log in logs if log[2] == 1.0} == {
        *(("nvme", "k16-v100"), ("ssd", "k16-v100"), ("off", "k16-v100"))
    }


def test_rows_of_db_bench_from_an_older_release_are_refused_with_what_to_type() -> None:
    rows = [one | {"workload": "dbbench-fillrandom"} for one in size_rows()]
    with pytest.raises(UsageError, match=r"dbbench-fillrandom, .*: waltax sweep sizes"):
        points_of(rows)
