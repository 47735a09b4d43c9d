"""`waltax tpcc run` against a pretending driver: what it asks for, and its judgement."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tpcc_fake import (
    FEW,
    READY,
    VIOLATED,
    FakeDriver,
    interval,
    operation,
    run_command,
    run_on,
)


def test_the_letters_of_tpcc_start_reach_the_driver(db: Path, fake: FakeDriver) -> None:
    fake.answer_run([FEW])
    assert run_on(db, *["-c", "4", "-r", "5", "-l", "30", "-i", "3", "--seed", "7"]).exit_code == 0
    line, command, check, bye = fake.heard()
    assert line[:3] == ["run", f"--db={db}", f"--wal-dir={db}"]
    assert {"--threads=4", "--seed=7", "--warehouses=10", "--no-paced", "--rate=0"} <= set(line)
    assert {"--durability=sync", "--store=rocksdb", "--max-failed-requests=-1"} <= set(line)
    assert command == {
        "cmd": "run",
        "warmup_s": 5,
        "measure_s": 30,
        "progress_s": 1.0,
        "thread_stats_s": 3,
    }
    assert (check, bye) == ({"cmd": "check"}, {"cmd": "quit"})


def test_without_letters_a_run_is_that_of_tpcc_start(db: Path, fake: FakeDriver) -> None:
    fake.answer_run([FEW])
    assert run_command("run", "--db", str(db)).exit_code == 0
    line, command, *_ = fake.heard()
    assert {"--threads=10", "--warehouses=0"} <= set(line)
    assert (command["warmup_s"], command["measure_s"], command["thread_stats_s"]) == (10, 20, 10)


def test_options_and_the_seed_come_before_everything_else(db: Path, fake: FakeDriver) -> None:
    fake.answer_run([FEW])
    out = run_on(db, "-0", "250").out
    assert out[0] == "<Parameters>"
    seed = next(line.split()[-1] for line in out if "[seed]" in line)
    running = next(i for i, line in enumerate(out) if line.startswith("Running "))
    assert f"--seed={seed}" in out[running]
    assert "   [rt limits]: 0.25 5 5 80 20 (sec.)" in out[:running]
    assert "   [isolation]: serializable" in out[running:]


def test_the_check_after_the_run_is_shown(db: Path, fake: FakeDriver) -> None:
    fake.answer_run([FEW])
    assert run_on(db).out[-3:] == [
        "<Consistency Check> (clause 3.3.2 and more)",
        "  PASS in 1.5 sec.",
        "  looked at: warehouse 10, stock 1000000",
    ]


def test_a_violation_fails_the_run_and_is_shown(db: Path, fake: FakeDriver) -> None:
    fake.answer_run([FEW], check=VIOLATED)
    result = run_on(db)
    assert result.exit_code == 1
    assert result.error.startswith("the data is not consistent: 27 violations; first: condition 1:")
    assert "  FAIL, 27 violations, in 1.5 sec." in result.out
    assert {f"  {violation}" for violation in VIOLATED["violations"]} <= set(result.out)


def test_failed_requests_are_reported_and_fail_the_run(db: Path, fake: FakeDriver) -> None:
    failing = {**FEW, "errors": 7, "error_samples": ["PAYMENT: gave up after 100 conflicts"]}
    failing["operations"] = {**FEW["operations"], "PAYMENT": operation(0.001, errors=7)}
    fake.answer_run([failing])
    result = run_on(db)
    assert "  [1] sc:1 lt:0  rt:0  fl:7 avg_rt: 1.0 (5)" in result.out
    assert (result.exit_code, result.error) == (
        1,
        "7 of 2000 requests failed; first: PAYMENT: gave up after 100 conflicts",
    )


@pytest.mark.parametrize(
    ("ending", "exit_code", "error"),
    [
        ({"stderr": "tpcc: --warehouses: found 10, want 5\n", "exit_code": 2}, 2, "found 10, want"),
        ({"stderr": "tpcc: disk on fire\n", "exit_code": 1}, 1, "tpcc: disk on fire"),
        ({}, 1, "the driver ended without a result"),
    ],
)
def test_a_driver_that_gives_up_ends_the_run_with_its_words(
    db: Path, fake: FakeDriver, ending: dict[str, Any], exit_code: int, error: str
) -> None:
    fake.answer("run", **ending)
    result = run_on(db)
    assert result.exit_code == exit_code
    assert error in result.error


def test_a_driver_that_ends_before_its_check_fails_the_run(db: Path, fake: FakeDriver) -> None:
    fake.answer("run", READY, FEW)
    result = run_on(db)
    assert (result.exit_code, result.error) == (1, "tpcc run: the driver ended without a result")


def test_a_null_store_has_nothing_to_check(tmp_path: Path, fake: FakeDriver) -> None:
    fake.answer("run", READY, FEW)
    assert run_command("run", "--store", "null", "--db", str(tmp_path / "none")).exit_code == 0
    line, _, bye = fake.heard()
    assert {"--store=null", "--warehouses=1"} <= set(line)
    assert bye == {"cmd": "quit"}


@pytest.mark.parametrize("store", ["memory", "null"])
def test_a_store_that_keeps_nothing_is_named_and_nothing_is_said_of_a_database(
    tmp_path: Path, fake: FakeDriver, store: str
) -> None:
    fake.answer_run([FEW])
    text = "\n".join(run_command("run", "--store", store, "--db", str(tmp_path / "none")).out)
    assert f"[store]: {store}" in text
    assert f" 10 warehouses, store {store}, isolation serializable" in text
    for word in ("[database]", "[wal]", "[durability]", " durability ", "database: "):
        assert word not in text


def test_inputs_that_fail_fail_the_run(db: Path, fake: FakeDriver) -> None:
    rule = {"name": "rollbacks", "mean": 0.01, "variance": 0.0099, "low": 0.009, "high": 0.011}
    fake.answer_run([{**FEW, "inputs": [{**rule, "samples": 100_000, "sum": 5000}]}])
    result = run_on(db)
    assert (result.exit_code, result.error) == (
        1,
        "the inputs are not those of the specification: rollbacks 0.0500, want 0.009 to 0.011",
    )
    assert "<TpmC>" in result.out


@pytest.mark.parametrize(
    ("ending", "error"),
    [
        ({"stderr": "tpcc: disk on fire\n", "exit_code": 1}, "tpcc: disk on fire"),
        ({}, "the driver ended without a result"),
    ],
)
def test_what_was_measured_until_the_driver_died_is_shown(
    db: Path, fake: FakeDriver, ending: dict[str, Any], error: str
) -> None:
    fake.answer("run", READY, interval(10.0, 10.0, 100), interval(20.04, 10.0, 150), **ending)
    result = run_on(db)
    assert result.exit_code == 1
    assert error in result.error
    assert "THE RUN FAILED; whole intervals only, 20.0 sec. from MEASURING START:" in result.out
    assert "      New-Order: 250, avg_rt: 0.5, max_rt: 9.0" in result.out


def test_a_run_that_cannot_begin_overwrites_no_file(
    db: Path, tmp_path: Path, fake: FakeDriver
) -> None:
    fake.answer("run", stderr="tpcc: --warehouses: found 10, want 5\n", exit_code=2)
    report, series = tmp_path / "rt", tmp_path / "trx"
    for path in (report, series):
        path.write_text("of an earlier run")
    assert run_on(db, "-f", str(report), "-t", str(series)).exit_code == 2
    assert [path.read_text() for path in (report, series)] == ["of an earlier run"] * 2


def test_terminals_and_acknowledgements_reach_the_driver(db: Path, fake: FakeDriver) -> None:
    fake.answer_run([FEW])
    run_on(db, "--terminals", "100", "--ack-log", "acks", "--rate", "9", "--durability", "flush")
    wanted = {"--terminals=100", "--ack-log=acks", "--rate=9", "--durability=flush"}
    assert wanted <= set(fake.heard()[0])


def test_a_paced_run_has_ten_terminals_at_each_warehouse(db: Path, fake: FakeDriver) -> None:
    fake.answer_run([FEW])
    run_on(db, "--paced")
    assert {"--paced", "--threads=100"} <= set(fake.heard()[0])
