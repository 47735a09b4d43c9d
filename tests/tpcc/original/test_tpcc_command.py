"""`waltax tpcc` and what a user may type, against a pretending driver."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tpcc_fake import (
    CHECKED,
    LOADED,
    VIOLATED,
    FakeDriver,
    operation,
    run_command,
    slice_event,
)

SLICE = slice_event(NEW_ORDER=operation(1))


def test_a_load_is_one_command_line_and_is_checked(tmp_path: Path, fake: FakeDriver) -> None:
    progress = {"event": "progress", "warehouses": 3, "of": 10, "rows": 1500, "seconds": 12.0}
    fake.answer("load", progress, LOADED)
    db = tmp_path / "new"
    result = run_command("load", "-w", "10", "-d", str(db), "--seed", "7", "--threads", "2")
    assert result.exit_code == 0
    load, check = fake.heard()
    assert load == ["load", f"--db={db}", "--threads=2", "--seed=7", "--warehouses=10"]
    assert check[:2] == ["check", f"--db={db}"]
    assert "--warehouses=10" in check
    assert "12 s: 3 warehouses, 1,500 rows" in result.err
    assert result.out == [
        "100010 rows in 8.0 sec., 3.0 MiB",
        "...DATA LOADING COMPLETED SUCCESSFULLY.",
    ]
    assert result.err[-1] == "The check passed: looked at 10 warehouse, 1,000,000 stock"


def test_a_drawn_seed_is_printed_before_the_load(tmp_path: Path, fake: FakeDriver) -> None:
    err = run_command("load", "-w", "1", "-d", str(tmp_path / "new")).err
    (seed,) = (word for word in fake.heard()[0] if word.startswith("--seed="))
    assert seed in err[0].split()


def test_a_check_shows_every_violation_and_fails(db: Path, fake: FakeDriver) -> None:
    fake.answer("check", VIOLATED, exit_code=1)
    result = run_command("check", "--db", str(db), "-w", "3")
    assert fake.heard()[0][1:] == [
        f"--db={db}",
        f"--threads={os.cpu_count()}",
        "--warehouses=3",
    ]
    assert result.exit_code == 1
    for violation in VIOLATED["violations"]:
        assert violation in result.error


def test_a_check_that_cannot_be_made_fails_with_the_drivers_words(
    db: Path, fake: FakeDriver
) -> None:
    fake.answer("check", stderr="tpcc: cannot read it\n", exit_code=1)
    result = run_command("check", "--db", str(db))
    assert (result.exit_code, result.error) == (1, "tpcc: cannot read it")


def test_a_check_that_passed_and_then_failed_to_close_has_not_passed(
    db: Path, fake: FakeDriver
) -> None:
    fake.answer("check", CHECKED, stderr="tpcc: cannot close it\n", exit_code=1)
    result = run_command("check", "--db", str(db))
    assert (result.exit_code, result.error) == (1, "tpcc: cannot close it")


@pytest.mark.parametrize("command", ["load", "run", "check"])
def test_letters_that_name_a_server_are_ignored_with_one_warning(
    db: Path, fake: FakeDriver, command: str
) -> None:
    fake.answer_run([SLICE])
    words = ["-h127.0.0.1", "-P3306", "-u", "root", "-p", "", "-S/tmp/mysql.sock", "-D", "tpcc"]
    result = run_command(command, "-w", "10", "--db", str(db), *words)
    assert result.exit_code == 0
    (warning,) = (line for line in result.err if "warning" in line)
    assert warning.startswith("warning: -h, -P, -D, -u, -S: ignored, since the database is embe")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("load -w 10", "--db: found nothing, want a directory for the data"),
        ("load -w 1 --engine myrocks", "--socket: found nothing with --engine myrocks, want a se"),
        ("check --engine innodb -h localhost", "-h: found it with --engine innodb: a server is"),
        ("run --engine innodb -P 3306", "-P: found it with --engine innodb: a server is"),
        ("run --engine myrocks -psecret", "-p: found it with --engine myrocks: a server is"),
        ("run --engine myrocks -D tpcc", "-D: found it with --engine myrocks: a server is"),
        ("load -w 1 --engine myrocks --db x", "--db: found 'x' with --engine myrocks, where data"),
        ("run --engine myrocks --wal-dir x", "--wal-dir: found 'x' with --engine myrocks, where"),
        (
            "run --engine myrocks --durability off",
            "--durability: found 'off' with --engine myrocks",
        ),
        ("run -d one --db two", "--db: found 'two' with -d one, want one directory"),
        ("run -d x --paced", "--paced: is no option any more; give rate under [tpcc.run] of a"),
        ("run -d x --rate 5", "--rate: is no option any more; give rate under [tpcc.run] of a"),
        ("check --acks x", "--acks: is no option any more; type: waltax receipts --workload tpcc"),
    ],
)
def test_what_cannot_be_used_is_refused_with_what_to_type(words: str, message: str) -> None:
    result = run_command(*words.split())
    assert result.exit_code == 2
    assert result.error.startswith(message)


@pytest.mark.parametrize("command", ["load", "run", "check"])
def test_h_alone_says_what_it_is_and_what_help_is(command: str) -> None:
    result = run_command(command, "-w", "10", "-h")
    assert result.exit_code == 2
    assert result.error.startswith("-h: found no host: a server is")
    assert "for help type --help" in result.error


def test_the_program_exits_with_2_and_one_line() -> None:
    words = [sys.executable, "-m", "waltax", "tpcc", "load", "-w", "0"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("waltax: Invalid value for '-w'")
    assert "1<=x<=1000000" in line


def test_importing_the_command_does_not_import_what_is_slow() -> None:
    code = "import sys, waltax.tpcc.original.command; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
