"""A sweep of sizes: figures and ratios of every point, and what is said of the study."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from dbbench_rows import COST, operations_per_s, size_row, size_rows
from synthetic import published
from waltax.analysis import reports
from waltax.analysis.sweep import sizes
from waltax.base.errors import UsageError
from waltax.row import Row, append


@pytest.fixture(scope="module")
def sweep() -> sizes.Sweep:
    return sizes.of_rows(size_rows())


def _point(sweep: sizes.Sweep, bench: str, size: str, wal: bool = True) -> sizes.Point:
    return next(one for one in sweep.of(bench, wal) if one.result.size == size)


def _said(rows: list[Row]) -> list[str]:
    sweep = sizes.of_rows(rows)
    return [one for bench in sweep.benches for one in sizes.sentences(sweep, bench)]


def _report(rows: list[Row], folder: Path) -> str:
    for one in rows:
        append(folder / "rows.jsonl", one)
    return published(reports.sizes(folder), 120)


def test_the_smallest_size_is_the_first(sweep: sizes.Sweep) -> None:
    for bench in sweep.benches:
        points = sweep.of(bench, True)
        assert [one.result.size for one in points] == ["k16-v100", "k32-v100", "k16-v400"]
        assert points[0].figures["mb_per_s"].ratio.value == 1.0


@pytest.mark.parametrize("wal", [True, False])
def test_ratios_to_the_first_size_are_the_planted_ones(sweep: sizes.Sweep, wal: bool) -> None:
    planted = operations_per_s("fillrandom", 416, wal) / operations_per_s("fillrandom", 116, wal)
    figures = _point(sweep, "fillrandom", "k16-v400", wal).figures
    assert figures["ops_per_s"].ratio.value == pytest.approx(planted, rel=0.01)
    assert figures["mb_per_s"].ratio.value == pytest.approx(planted * 416 / 116, rel=0.01)
    assert figures["elapsed_s"].ratio.value == pytest.approx(1 / planted, rel=0.01)
    assert figures["compactions"].ratio.value == pytest.approx(14 / 4)
    low, high = figures["ops_per_s"].ratio.low, figures["ops_per_s"].ratio.high
    assert low is not None
    assert high is not None
    assert low < planted < high


def test_wal_bytes_are_per_operation_and_none_without_a_log(sweep: sizes.Sweep) -> None:
    with_wal = _point(sweep, "fillrandom", "k16-v400").figures["wal_bytes_per_operation"]
    assert with_wal.mean == 436
    without = _point(sweep, "fillrandom", "k16-v400", wal=False).figures
    assert without["wal_bytes_per_operation"].mean == 0
    assert without["wal_bytes_per_operation"].ratio.value is None


def test_the_overhead_is_against_off_of_the_same_size(sweep: sizes.Sweep) -> None:
    for size in ("k16-v100", "k32-v100", "k16-v400"):
        found = _point(sweep, "fillrandom", size).result
        assert found.overhead == pytest.approx(COST, abs=0.01)
        assert found.low is not None
        assert found.baseline is not None
        assert found.baseline.endswith(size)


def test_the_study_s_ratio_stands_beside_ours(sweep: sizes.Sweep) -> None:
    assert _point(sweep, "fillrandom", "k16-v400").study_ratio == pytest.approx(38 / 12.3)
    assert _point(sweep, "readseq", "k16-v400").study_ratio == pytest.approx(278 / 195.9)


def test_reads_have_no_figures_of_writes(sweep: sizes.Sweep) -> None:
    assert "compactions" not in _point(sweep, "readseq", "k16-v100").figures


def test_what_the_rows_show_of_the_study_is_said() -> None:
    write, work, *_ = (one for one in _said(size_rows()) if one.startswith("WAL on, from 116 to"))
    assert write.endswith("that MB/s grows with the size holds here")
    assert "compactions go from 4.00 to 14.0 a run" in work
    assert work.endswith("that larger data cost more of both holds here")
    reads = next(one for one in _said(size_rows()) if "MB/s of readseq grows" in one)
    assert reads.endswith("that random reads gain more holds here")


def test_rows_that_show_the_opposite_are_not_made_to_agree() -> None:
    rows = size_rows()
    for one in rows:  # throughput in MB/s that does not depend on the size, and reads alike
        one["mb_per_s"] = (
            10
            * one["mb_per_s"]
            / one["throughput"]
            * 116
            / (one["key_bytes"] + one["value_bytes"])
            * (1.01 if one["round"] else 1.0)
        )
        one["elapsed_s"] = 1.0
        one["compactions"] = 0
    said = "\n".join(_said(rows))
    assert "that MB/s grows with the size cannot be told" in said
    assert "no compaction ended in these runs" in said
    assert "that random reads gain more cannot be told" in said
    assert "holds here" not in said


def test_one_slice_of_each_concludes_nothing() -> None:
    rows = [
        size_row(bench, size, wal)
        for bench in ("fillrandom", "readseq", "readrandom")
        for size in ("k16-v100", "k16-v400")
        for wal in (True, False)
    ]
    said = _said(rows)
    assert said
    assert not [one for one in said if one.endswith("holds here")]


def test_a_planted_wrong_ratio_is_seen() -> None:
    """What the tests above compare with must not hold of rows with another truth."""
    rows = size_rows()
    for one in rows:
        if one["size"] == "k16-v400":
            one["throughput"] *= 1.1
            one["mb_per_s"] *= 1.1
    planted = operations_per_s("fillrandom", 416, True) / operations_per_s("fillrandom", 116, True)
    ratio = _point(sizes.of_rows(rows), "fillrandom", "k16-v400").figures["ops_per_s"].ratio
    assert ratio.low is not None
    assert ratio.low > planted * 1.05


def test_sizes_that_are_drawn_come_last_and_end_no_conclusion(tmp_path: Path) -> None:
    rows = size_rows()
    for one in [one for one in rows if one["size"] == "k32-v100"]:
        one["cell"] = one["cell"].replace("k32-v100", "facebook-udb")
        one["size"] = "facebook-udb"
        one["value_bytes"] = None
    found = sizes.of_rows(rows)
    last = found.of("fillrandom", True)[-1]
    assert last.result.size == "facebook-udb"
    assert last.entry_bytes == pytest.approx(132)
    assert "from 116 to 416 B" in _said(rows)[0]
    assert "~132" in _report(rows, tmp_path)


def test_a_size_that_failed_is_left_out_and_named(tmp_path: Path) -> None:
    failed = size_row("fillrandom", "k16-v400", wal=True, session=2, round_=9)
    failed |= {"status": "failed", "failure": "no space left", "throughput": None}
    text = _report([*size_rows(), failed], tmp_path)
    assert "FAILED fillrandom k16-v400 WAL on: no space left" in text


def test_the_report_writes_tables_files_and_figures(tmp_path: Path) -> None:
    text = _report(size_rows(), tmp_path)
    assert "db_bench fillrandom, profile dbbench-sizes, 1 thread: speed" in text
    assert "study x" in text
    assert "3.09" in text
    with (tmp_path / "sizes.csv").open() as file:
        lines = list(csv.DictReader(file))
    assert len(lines) == 3 * 3 * 2
    assert {"elapsed_s", "elapsed_s_ratio", "overhead_low", "study_mb_per_s_ratio"} <= set(lines[0])
    found = json.loads((tmp_path / "sizes.json").read_text())
    assert found["study"][-1]["ratios"]["fillseq"] == pytest.approx(55 / 17.8)
    assert found["sweeps"][0]["sentences"]
    assert (tmp_path / "sizes.png").stat().st_size > 10_000
    assert "published study" in (tmp_path / "sizes.svg").read_text()


def test_rows_of_something_else_are_refused() -> None:
    rows = [one | {"size": ""} for one in size_rows()]
    with pytest.raises(UsageError, match="sweep-sizes: found no rows of db_bench with a size"):
        sizes.of_rows(rows)
    rows = size_rows()
    rows[0] = rows[0] | {"device": "ssd", "cell": "another"}
    with pytest.raises(UsageError, match="found logs of nvme flush, ssd flush"):
        sizes.of_rows(rows)
