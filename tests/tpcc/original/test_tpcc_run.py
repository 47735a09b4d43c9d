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
    run_command,
    run_on,
)


def test_the_letters_of_tpcc_start_reach_the_driver(db: Path, fake: FakeDriver) -> None:
    fake.answer_run([FEW])
    assert run_on(db, *["-c", "4", "-r", "5", "-l", "30", "--seed", "7"]).exit_code == 0
    line, command, check, bye = fake.heard()
    assert line[:2] == ["run", f"--db={db}"]
    assert {"--threads=4", "--seed=7", "--warehouses=10"} <= set(line)
    assert {"--durability=sync", "--max-failed-requests=-1"} <= set(line)
    assert command == {
        "cmd": "run",
        "warmup_s": 5,
        "measure_s": 30,
        "progress_s": 10.0,
    }
    assert (check, bye) == ({"cmd": "check"}, {"cmd": "quit"})


def test_without_letters_a_run_is_that_of_tpcc_start(db: Path, fake: FakeDriver) -> None:
    fake.answer_run([FEW])
    assert run_command("run", "--db", str(db)).exit_code == 0
    line, command, *_ = fake.heard()
    assert {"--threads=10", "--warehouses=0"} <= set(line)
    assert (command["warmup_s"], command["measure_s"]) == (10, 20)


def test_letters_of_output_that_there_is_not_are_accepted_and_said_to_change_nothing(
    db: Path, tmp_path: Path, fake: FakeDriver
) -> None:
    fake.answer_run([FEW])
    told = {"-0": "250", "-4": "9", "-i": "3", "-f": str(tmp_path / "rt"), "-t": "trx"}
    result = run_on(db, *(word for pair in told.items() for word in pair))
    assert result.exit_code == 0
    for letter in told:
        assert any(line.startswith(f"{letter}: no effect: ") for line in result.err)
    assert not (tmp_path / "rt").exists()


def test_a_violation_fails_the_run_and_is_shown(db: Path, fake: FakeDriver) -> None:
    fake.answer_run([FEW], check=VIOLATED)
    result = run_on(db)
    assert result.exit_code == 1
    assert result.error.startswith("the data is not consistent: 27 violations: condition 1: wareh")
    assert "The check FAILED: looked at 10 warehouse, 1,000,000 stock" in result.err
    assert "<TpmC>" in result.out


def test_failed_requests_are_reported_and_fail_the_run(db: Path, fake: FakeDriver) -> None:
    failing = {**FEW, "errors": 7, "error_samples": ["PAYMENT: gave up after 100 conflicts"]}
    fake.answer_run([failing])
    result = run_on(db)
    assert (result.exit_code, result.error) == (
        1,
        "7 requests failed: PAYMENT: gave up after 100 conflicts",
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
