"""What `waltax tpcc run` prints and writes, word for word."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from tpcc_fake import (
    CHECKED,
    FEW,
    READY,
    FakeDriver,
    block,
    interval,
    operation,
    run_on,
    slice_event,
)


@pytest.mark.parametrize(
    "pattern",
    [r"([0-9.]+) TpmC", r"^\s+(\d+\.\d{3}) TpmC$", r"<TpmC>\n\s+([0-9.]+)"],
)
def test_scripts_that_search_for_tpmc_find_the_figure(
    db: Path, fake: FakeDriver, pattern: str
) -> None:
    fake.answer_run([slice_event(30.0, NEW_ORDER=operation(*[0.001] * 700))])
    text = "\n".join(run_on(db).out)
    assert re.findall(pattern, text, re.M) == ["1400.000"]
    found = [line for line in text.splitlines() if "TpmC" in line]
    assert found == ["<TpmC>", f"{'':17}1400.000 TpmC"]


def test_intervals_are_the_originals_lines(db: Path, fake: FakeDriver) -> None:
    fake.answer_run([interval(10.004, 10.0, 12920), interval(20.0, 10.0, 0), FEW])
    out = run_on(db).out
    start = out.index("MEASURING START.")
    assert out[start + 2 : out.index("STOPPING THREADS") - 1] == [
        "  10, trx: 12920, 95%: 1.234, 99%: 2.345, max_rt: 9.000, "
        "2|9.000, 0|0.000, 0|0.000, 0|0.000",
        "  20, trx: 0, 95%: 0.000, 99%: 0.000, max_rt: 0.000, 2|9.000, 0|0.000, 0|0.000, 0|0.000",
    ]


def test_the_moment_after_the_last_interval_is_no_interval(db: Path, fake: FakeDriver) -> None:
    ends = [(10.0, 10.0), (20.0, 10.0), (25.0, 5.0), (25.001, 0.001)]
    fake.answer_run([*(interval(end, length, 5) for end, length in ends), FEW])
    lines = [line for line in run_on(db, "-l", "25", "-i", "10").out if "trx:" in line]
    assert [line.split(",")[0] for line in lines] == ["  10", "  20", "  25"]


def test_measuring_is_said_to_start_with_the_first_progress(db: Path, fake: FakeDriver) -> None:
    fake.answer_run([{"event": "progress"}, interval(10.0, 10.0, 5), FEW])
    out = run_on(db, "-r", "3").out
    assert out.index("RAMP-UP TIME.(3 sec.)") < out.index("MEASURING START.")
    assert out.count("MEASURING START.") == 1


def test_raw_results_are_the_originals_blocks(db: Path, fake: FakeDriver) -> None:
    fake.answer_run([FEW])
    result = run_on(db)
    assert block(result, "<Raw Results>") == [
        "<Raw Results>",
        "  [0] sc:2 lt:0  rt:4  fl:0 avg_rt: 2.0 (5)",
        "  [1] sc:2 lt:0  rt:0  fl:0 avg_rt: 1.0 (5)",
        "  [2] sc:1 lt:0  rt:0  fl:0 avg_rt: 1.0 (5)",
        "  [3] sc:1 lt:0  rt:0  fl:0 avg_rt: 500.0 (80)",
        "  [4] sc:1 lt:0  rt:0  fl:0 avg_rt: 20.0 (20)",
        " in 60 sec.",
        " (avg_rt in ms, response time limits in sec.)",
    ]
    assert block(result, "<Raw Results2(sum ver.)>")[1] == "  [0] sc:2  lt:0  rt:4  fl:0 "


def test_response_time_limits_are_seconds(db: Path, fake: FakeDriver) -> None:
    around_5 = operation(4.9, 5.1)
    limits = slice_event(
        NEW_ORDER=around_5,
        PAYMENT=around_5,
        ORDER_STATUS=around_5,
        DELIVERY=operation(5.1, 79, 81),
        STOCK_LEVEL=operation(19, 21, 22),
    )
    fake.answer_run([limits])
    counts = [re.findall(r"(?:sc|lt):(\d+)", line) for line in block(run_on(db), "<Raw Results>")]
    assert counts[1:6] == [["1", "1"], ["1", "1"], ["1", "1"], ["2", "1"], ["1", "2"]]


def test_limits_on_the_command_line_are_milliseconds(db: Path, fake: FakeDriver) -> None:
    fake.answer_run([FEW])
    lines = block(run_on(db, "-0", "2", "-3", "499"), "<Raw Results>")
    assert lines[1] == "  [0] sc:1 lt:1  rt:4  fl:0 avg_rt: 2.0 (0.002)"
    assert lines[4] == "  [3] sc:0 lt:1  rt:0  fl:0 avg_rt: 500.0 (0.499)"


def test_the_constraint_check_judges_mix_and_response_times(db: Path, fake: FakeDriver) -> None:
    fast = [0.001] * 43
    mix = slice_event(
        NEW_ORDER=operation(*[0.001] * 45),
        PAYMENT=operation(*fast),
        ORDER_STATUS=operation(*[0.001] * 4),
        DELIVERY=operation(*[0.001] * 3),
        STOCK_LEVEL=operation(*[0.001] * 3, 21, 22),
    )
    fake.answer_run([mix])
    assert block(run_on(db), "<Constraint Check>") == [
        "<Constraint Check> (all must be [OK])",
        " [transaction percentage]",
        "        Payment: 43.00% (>=43.0%) [OK]",
        "   Order-Status: 4.00% (>= 4.0%) [OK]",
        "       Delivery: 3.00% (>= 4.0%) [NG] *",
        "    Stock-Level: 5.00% (>= 4.0%) [OK]",
        " [response time (at least 90% passed)]",
        "      New-Order: 100.00%  [OK]",
        "        Payment: 100.00%  [OK]",
        "   Order-Status: 100.00%  [OK]",
        "       Delivery: 100.00%  [OK]",
        "    Stock-Level: 60.00%  [NG] *",
    ]


def _ready(rate: float = 0, **workload: object) -> dict[str, Any]:
    return {**READY, "rate": rate, "workload": {**READY["workload"], **workload}}


@pytest.mark.parametrize(
    ("ready", "new_orders", "sentence"),
    [
        (_ready(), 5, " TPC-C derived, unpaced: without keying and think times"),
        (_ready(rate=500), 5, " TPC-C derived, unpaced: 500 transactions a second offered,"),
        (_ready(paced=True), 120, " TPC-C derived, paced: 12.00 tpmC per warehouse; at most 12.86"),
    ],
)
def test_beside_the_figure_stands_what_it_is(
    db: Path, fake: FakeDriver, ready: dict[str, Any], new_orders: int, sentence: str
) -> None:
    fake.answer("run", ready, slice_event(NEW_ORDER=operation(*[0.1] * new_orders)), CHECKED)
    lines = block(run_on(db), "<TpmC>")
    assert lines[2].startswith(sentence)
    assert lines[3] == " 10 warehouses, durability sync, isolation serializable"
    assert lines[4] == " database: 100.0 MiB before, +1.0 MiB"


@pytest.mark.parametrize(
    ("new_orders", "verdict"), [(89, "NG"), (90, "OK"), (128, "OK"), (129, "NG")]
)
def test_a_paced_figure_must_lie_within_its_bounds(
    db: Path, fake: FakeDriver, new_orders: int, verdict: str
) -> None:
    figures = slice_event(NEW_ORDER=operation(*[0.1] * new_orders))
    fake.answer("run", _ready(paced=True), figures, CHECKED)
    assert block(run_on(db, "--paced"), "<TpmC>")[2].endswith(f"9 to 12.86 wanted: {verdict}")


def test_inputs_have_a_verdict_each(db: Path, fake: FakeDriver) -> None:
    rule = {"name": "rollbacks", "mean": 0.01, "variance": 0.0099, "low": 0.009, "high": 0.011}
    inputs = [
        {**rule, "samples": 100_000, "sum": 1000},
        {**rule, "name": "remote payments", "samples": 100_000, "sum": 5000},
        {**rule, "name": "few", "samples": 9_999, "sum": 100},
    ]
    fake.answer_run([{**FEW, "inputs": inputs}])
    _, passed, failed, skipped = block(run_on(db), "<Inputs>")
    assert re.fullmatch(r"  PASS  rollbacks: +0\.0100 \(0\.009 to 0\.011\), 100000 samples", passed)
    assert failed.startswith("  FAIL  remote payments: ")
    assert skipped.startswith("  SKIP  few: ")


def test_conflicts_are_counted_by_cause_and_transaction(db: Path, fake: FakeDriver) -> None:
    counters = {"conflicts_busy": 3, "conflicts_timed_out": 0, "conflicts_busy_NEW_ORDER": 3}
    fake.answer_run([{**FEW, "threads": [{"counters": counters}, {"counters": counters}]}])
    assert block(run_on(db), "<Conflicts>")[1:3] == [
        "        busy: 6, 3.000 per thousand transactions: New-Order 6",
        "   timed out: 0, 0.000 per thousand transactions",
    ]


def test_the_report_file_is_a_histogram_of_new_orders(
    db: Path, tmp_path: Path, fake: FakeDriver
) -> None:
    fake.answer_run([slice_event(NEW_ORDER=operation(0.00021, 0.00025, 0.0051, 0.000001))])
    report = tmp_path / "rt"
    run_on(db, "-f", str(report))
    lines = report.read_text().splitlines()
    assert lines == ["response_time_ms,new_orders", "0.1,1", "0.3,2", "5.1,1"]


def test_the_trx_file_is_the_intervals(db: Path, tmp_path: Path, fake: FakeDriver) -> None:
    fake.answer_run([interval(10.0, 10.0, 5), interval(20.0, 10.0, 6), FEW])
    series = tmp_path / "trx"
    run_on(db, "-t", str(series))
    header, *rows = series.read_text().splitlines()
    assert header.startswith("seconds,new_orders,p95_ms,p99_ms,max_ms,payment,payment_max_ms,")
    assert rows[0] == "10.000,5,1.234,2.345,9.000,2,9.000,0,0.000,0,0.000,0,0.000"
    assert [len(row.split(",")) for row in rows] == [len(header.split(","))] * 2
