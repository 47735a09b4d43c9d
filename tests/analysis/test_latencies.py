"""The slices' histograms become percentiles of a cell with intervals, or are said to lack."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from histogram_rows import FAST, SLOW, encoded, rows_with
from synthetic import report
from waltax import analysis
from waltax.analysis import CellResult
from waltax.analysis.results.latency import ALL, Latency, main_write
from waltax.analysis.stats import NOTHING, Interval
from waltax.row import Row, append


def _nvme(rows: list[Row]) -> CellResult:
    return analysis.every_cell(rows)[-1]


def _all(rows: list[Row]) -> Latency:
    found = _nvme(rows).latency_of(ALL)
    assert found is not None
    return found


def _us(of: Latency) -> list[float]:
    return [one.value or 0.0 for one in of.quantiles.values()]


def test_percentiles_are_those_of_all_slices_together() -> None:
    found = _all(rows_with([FAST, FAST, FAST, {100: 100}]))  # 370 at 0.1 us, 30 at 1 us
    assert found.count == 400
    assert _us(found) == [0.1, 1.0, 1.0]  # 99.9 has less than one request beyond
    assert found.max_us == 1.0
    assert found.quantile(99.9) == NOTHING


def test_the_percentile_is_the_value_that_so_many_requests_do_not_exceed() -> None:
    hundred = dict.fromkeys(range(1, 101), 1)
    found = _all(rows_with([hundred] * 2))
    assert _us(found) == [0.05, 0.095, 0.099]


def test_slices_that_are_alike_leave_no_interval_and_others_do() -> None:
    same = _all(rows_with([SLOW] * 6)).quantile(99)
    assert same == Interval(2.0, 2.0, 2.0)
    apart = _all(rows_with([{100: 90 + n, 1000 + 10 * n: 10 - n} for n in range(6)])).quantile(95)
    assert apart.value is not None
    assert apart.low is not None
    assert apart.high is not None
    assert apart.low < apart.value <= apart.high


def test_one_round_gives_percentiles_without_an_interval() -> None:
    assert _all(rows_with([SLOW])).quantile(50.0) == Interval(0.1, None, None)


def test_a_disturbed_slice_is_left_out_as_in_the_estimate() -> None:
    rows = rows_with([FAST] * 7 + [{1500: 1000}])
    assert _all(rows).count == 1700
    rows[-1]["disturbed"] = ["foreign CPU"]
    assert _all(rows).count == 700


def test_operations_come_by_their_number_after_all_together() -> None:
    found = _nvme(rows_with([FAST] * 4)).latencies
    assert [one.operation for one in found] == [ALL, "GET_NODE", "ADD_LINK", "ADD_NODE"]
    assert main_write("linkbench", found) == "ADD_LINK"
    assert main_write("command", found) is None


def test_the_write_that_the_throughput_counts_is_told_of_though_another_came_more_often() -> None:
    rows = rows_with([FAST] * 4)
    for row in rows:
        row["op_NEW_ORDER_latency_hdr"] = row.pop("op_ADD_NODE_latency_hdr", None)
        row["op_PAYMENT_latency_hdr"] = row.pop("op_ADD_LINK_latency_hdr", None)
    found = _nvme(rows).latencies
    assert [one.operation for one in found][-2:] == ["PAYMENT", "NEW_ORDER"]
    assert main_write("tpcc", found) == "NEW_ORDER"


@pytest.mark.parametrize(
    "broken", ["", "no base64!", "SElTVEZBSUw=", None, encoded({}), encoded(SLOW, 10**6)]
)
def test_what_cannot_be_read_is_not_counted(broken: str | None) -> None:
    rows = rows_with([FAST] * 4)
    rows[-1]["latency_hdr"] = broken
    found = _all(rows)
    assert (found.slices, found.count) == (3, 300)


def test_the_report_has_a_table_and_the_summary_columns(tmp_path: Path) -> None:
    rows = rows_with([FAST, SLOW] * 3)
    rows[-1]["latency_hdr"] = "x"
    for row in rows:
        append(tmp_path / "rows.jsonl", row)
    text = report(tmp_path)
    assert "Latency of ADD_LINK, us\n" in "\n".join(map(str.rstrip, text.splitlines()))
    off, nvme = json.loads((tmp_path / "summary.json").read_text())["cells"]
    assert (off["latency_count"], nvme["latency_count"]) == (600, 500)
    assert [nvme[f"latency_us_{of}"] for of in ("p50", "p99", "max")] == [0.1, 2, 2]
    assert nvme["latency_us_p99_low"] <= 2 <= nvme["latency_us_p99_high"]
    assert nvme["latency_us_p999"] is None
    assert [one["operation"] for one in nvme["operations"]] == ["GET_NODE", "ADD_LINK", "ADD_NODE"]
    assert nvme["operations"][1]["latency_us_p99"] == 2.0


def test_a_report_of_rows_without_histograms_says_so(folder: Path) -> None:
    assert "latency: the rows have no histograms" in report(folder)
    cells = json.loads((folder / "summary.json").read_text())["cells"]
    assert {cell["latency_us_p99"] for cell in cells} == {None}
    assert [cell["operations"] for cell in cells] == [[]] * len(cells)
