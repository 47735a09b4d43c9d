"""What a report says of the workload itself: its conflicts, how its data grew."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from synthetic import (
    EVIDENCE,
    make_row,
    make_rows,
    report,
    result_of,
    shown,
    steady,
    tables_width,
)
from waltax import analysis
from waltax.analysis.results import words
from waltax.base.errors import WaltaxError
from waltax.row import Row, append


def _tpcc(one: Row, **more: object) -> Row:
    """A slice as one of TPC-C."""
    names = {"workload": "tpcc", "cell": one["cell"].replace("linkbench", "tpcc")}
    said = {"isolation": "serializable", "paced": False, "throughput_unit": "tpmC"}
    orders = {"warehouses": 2, "new_orders_committed": 600}
    data = {"data_bytes_loaded": 1_000_000, "data_bytes": 1_000_000 + 50_000 * (1 + one["round"])}
    return {**one, **names, **said, **orders, **data, "retries": 2, **more}


def _rows() -> list[Row]:
    return [_tpcc(one | EVIDENCE) for one in make_rows(3, 4, steady(off=1000.0, nvme=730.0))]


def _report(rows: list[Row], folder: Path) -> str:
    for one in rows:
        append(folder / "rows.jsonl", one)
    return report(folder)


def test_unpaced_results_of_tpcc_are_called_derived_wherever_they_are_named(
    tmp_path: Path,
) -> None:
    text = _report(_rows(), tmp_path)
    title = "TPC-C derived, unpaced, on RocksDB, profile quick, 4 threads"
    assert text.count(title) == 2  # the sentence and the table
    assert title in json.loads((tmp_path / "summary.json").read_text())["verdicts"][0]
    assert "TPC-C derived, unpaced, on RocksDB," in (tmp_path / "overhead.svg").read_text()
    assert "tpmC" in text
    assert tables_width(text) <= 100


def test_a_failed_baseline_does_not_hide_that_a_result_is_derived() -> None:
    off, *others = [_tpcc(one) for one in make_rows(1, 1, steady(off=1.0, nvme=0.5))]
    lost = {name: off[name] for name in make_row("off", None)}
    lost |= {"status": "failed", "failure": "it died", "throughput": None}
    cells = analysis.every_cell([lost, *others])
    assert {one.paced for one in cells} == {False}


def test_rows_that_all_failed_are_called_derived_too() -> None:
    lost: Row = {"workload": "tpcc", "throughput_unit": "tpmC"}
    cells = analysis.every_cell([make_row(device, None, **lost) for device in ("off", "nvme")])
    assert words.group_title(cells[0]).startswith("TPC-C derived, on RocksDB, profile quick")


def test_what_is_counted_and_what_waits_have_their_names_in_tpcc(tmp_path: Path) -> None:
    """The throughput counts New-Orders, the counters all transactions."""
    text = _report(_rows(), tmp_path)
    assert "per New-Order" in text
    assert "Per transaction, warm-up included" in text
    assert "equest" not in text


def test_both_workloads_of_a_campaign_get_a_sentence_a_table_and_a_figure(
    rows: list[Row], tmp_path: Path
) -> None:
    text = _report([*rows, *_rows()], tmp_path)
    for name in ("LinkBench", "TPC-C derived, unpaced,"):
        assert f"{name} on RocksDB, profile quick, 4 threads: against off, the WAL costs" in text
    svg = (tmp_path / "overhead.svg").read_text()
    assert "requests/s" in svg
    assert "tpmC" in svg
    cells = json.loads((tmp_path / "summary.json").read_text())["cells"]
    assert [cell["workload"] for cell in cells].count("tpcc") == 2


def test_the_growth_of_the_data_is_that_of_a_whole_session() -> None:
    rows = _rows()
    found = result_of(rows, rows[0]["cell"]).facts
    assert found["data_growth"] == pytest.approx(0.2)
    assert found["orders_growth"] == pytest.approx(4 * 600 / 60_000)


def test_the_session_in_which_the_data_grew_most_is_told() -> None:
    rows = [
        one | ({"data_bytes": 1_300_000} if (one["session"], one["round"]) == (1, 3) else {})
        for one in _rows()
    ]
    assert result_of(rows, rows[0]["cell"]).facts["data_growth"] == pytest.approx(0.3)


def test_what_a_workload_is_stands_in_the_summary_of_each_cell(tmp_path: Path) -> None:
    _report(_rows(), tmp_path)
    cells = json.loads((tmp_path / "summary.json").read_text())["cells"]
    assert cells[0]["isolation"] == "serializable"
    assert cells[0]["paced"] is False
    assert cells[0]["data_growth"] == pytest.approx(0.2)
    assert cells[0]["conflicts_per_thousand_requests"] == 2


def test_slices_of_two_isolation_levels_are_not_one_cell() -> None:
    rows = _rows()
    rows[0] = rows[0] | {"isolation": "read committed"}
    with pytest.raises(WaltaxError, match="found isolation read committed and serializable"):
        analysis.every_cell(rows)


def test_added_time_of_a_new_order_contains_the_mix_around_it() -> None:
    """4 threads and 1,000 or 500 New-Orders a minute: 240 and 480 ms from one to the next."""
    rows = [_tpcc(one) for one in make_rows(3, 2, steady(off=1000.0, nvme=500.0))]
    (one,) = analysis.estimate(rows)
    assert one.added_us_per_request == pytest.approx(240_000)


def test_a_database_that_began_empty_has_no_growth_in_percent() -> None:
    rows = [one | {"data_bytes_loaded": 9_000} for one in _rows()]
    assert {cell.facts["data_growth"] for cell in analysis.every_cell(rows)} == {None}


def test_a_mode_whose_commits_do_not_sync_has_no_time_of_a_sync() -> None:
    closing: Row = {"wal_syncs": 0, "tap_syncs": 12, "tap_sync_us_p50": 90.0}
    rows = [one | EVIDENCE | closing | {"durability": "flush"} for one in _rows()]
    line = next(each for each in shown(rows).split("Per ")[1].splitlines() if " flush " in each)
    assert line.split() == ["nvme", "flush", "(emulated)", "50.0", "0", "3.00", "30.0", "0.300"]
    assert " 90.0 " not in line
