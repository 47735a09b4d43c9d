"""`waltax tpcc` and what a user may type, against a pretending driver."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tpcc_fake import (
    CHECKED,
    LOADED,
    READY,
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
    assert check[:3] == ["check", f"--db={db}", f"--wal-dir={db}"]
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


def test_a_load_replaces_only_what_waltax_made_in_the_default_directory(
    tmp_path: Path, db: Path, fake: FakeDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("waltax.base.home.ROOT", tmp_path)
    default = tmp_path / "data" / "tpcc-cli"
    assert run_command("load", "-w", "1").exit_code == 0
    (default / "db").mkdir()
    (default / "db" / "CURRENT").touch()
    result = run_command("load", "-w", "1")
    run_command("load", "-w", "1", "-d", str(db))
    assert not (default / "db").exists()
    assert f"Replacing the data set in {default / 'db'}" in result.err
    assert (db / "CURRENT").exists()
    assert len(fake.heard()) == 6


@pytest.mark.usefixtures("fake")
def test_what_somebody_else_put_in_the_default_directory_is_refused_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("waltax.base.home.ROOT", tmp_path)
    thesis = tmp_path / "data" / "tpcc-cli" / "thesis.tex"
    thesis.parent.mkdir(parents=True)
    thesis.write_text("precious")
    result = run_command("load", "-w", "1")
    assert result.exit_code == 2
    assert "stands in the way and has no marker" in result.error
    assert thesis.read_text() == "precious"


def test_a_check_shows_every_violation_and_fails(db: Path, fake: FakeDriver) -> None:
    fake.answer("check", VIOLATED, exit_code=1)
    result = run_command("check", "--db", str(db), "--acks", "acks", "-w", "3")
    assert fake.heard()[0][1:] == [
        f"--db={db}",
        f"--wal-dir={db}",
        f"--threads={os.cpu_count()}",
        "--warehouses=3",
        "--acks=acks",
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
    assert warning.startswith("warning: -h (host), -P (port), -u (user), -p (password)")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("load", "-w: found nothing, want the number of warehouses; type -w 10"),
        ("load -w 0", "-w: found '0', want a whole number from 1 to 1000000"),
        ("load -w ten", "-w: found 'ten', want a whole number"),
        ("load -w 10 -l 1", "-l: found '1': it loads a part of the tables"),
        ("load -w 10 -m 1", "-m: found '1': it is the first warehouse of a part"),
        ("load -w 10 -n 4", "-n: found '4': it is the last warehouse of a part"),
        (f"load -w {'9' * 5000}", f"-w: found '{'9' * 57}...', want a whole number from 1 to"),
        ("run -w 10 -c abc", "-c: found 'abc', want a whole number from 1 to 1024"),
        ("run -w 10 -l -5", "-l: found '-5', want a whole number from 1"),
        ("run -w 10 -m 2", "-m: found '2': it spreads tpcc_start over several schemas"),
        ("run -w 10 -o 2", "-o: found '2': it counts tpcc_start's schemas"),
        ("run -w 10 -d none", "--db: found no data set in none; type: waltax tpcc load -w 10"),
        (
            "check -d none",
            "--db: found no data set in none; type: waltax tpcc load -w 10 --db none",
        ),
        ("load -w 1 --engine myrocks", "-S: found nothing with --engine myrocks, want a server's"),
        ("run --engine myrocks -S /none", "-S: found '/none', which cannot be reached (No such"),
        ("run --engine innodb -S /tmp", "-S: found '/tmp', which is no socket; `waltax serve"),
        ("check --engine innodb -h localhost", "-h: found 'localhost' with --engine innodb: a ser"),
        ("run --engine innodb -P 3306", "-P: found '3306' with --engine innodb: a server is"),
        ("run --engine myrocks -psecret", "-p: found a password with --engine myrocks: a server"),
        ("run --engine myrocks -D tpcc", "-D: found 'tpcc' with --engine myrocks: the database is"),
        ("load -w 1 --engine myrocks --db x", "--db: found 'x' with --engine myrocks, where data"),
        ("run --engine myrocks --wal-dir x", "--wal-dir: found 'x' with --engine myrocks, where"),
        (
            "run --engine myrocks --durability off",
            "--durability: found 'off' with --engine myrocks",
        ),
        ("run -d one --db two", "--db: found 'two' with -d one, want one directory"),
        ("run --paced", "--paced: found no -w, want one"),
        ("run --paced -w 10 -c 10", "-c: found 10 with --paced, want 10 terminals for each"),
        ("run --paced -w 200", "-w: found 200 with --paced, want at most 102"),
        ("run --paced -w 1 --rate 5", "--rate: found 5 with --paced, want one of them"),
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
    assert result.error.startswith("-h: found no host")
    assert result.error.endswith("for help type --help")


def test_the_program_exits_with_2_and_one_line() -> None:
    words = [sys.executable, "-m", "waltax", "tpcc", "load", "-w", "0"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "waltax: -w: found '0', want a whole number from 1 to 1000000"
    ]


def _interrupted(db: Path, until: str) -> tuple[int, list[str]]:
    """Ctrl-C once a line that holds `until` was printed; exit code and the lines after it."""

    def heed_ctrl_c() -> None:
        """A shell's background job ignores it, and so would its children, these tests' too."""
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    process = subprocess.Popen(
        [sys.executable, "-m", "waltax", "tpcc", "run", "--db", str(db)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=dict(os.environ),
        preexec_fn=heed_ctrl_c,
    )
    assert process.stdout is not None
    assert any(until in line for line in process.stdout)
    process.send_signal(signal.SIGINT)
    rest = process.communicate()[0].splitlines()
    return process.returncode, rest


@pytest.mark.parametrize(
    ("until", "last", "said"),
    [
        ("Running ", [], "Given up before anything was measured"),
        ("20 s: ", [], "Given up after 20 s: 150 requests, 0 errors"),
        ("20 s: ", [SLICE], "The data was not checked after the run"),
    ],
)
def test_ctrl_c_says_what_there_is(
    db: Path, fake: FakeDriver, until: str, last: list[dict[str, Any]], said: str
) -> None:
    begun = {"event": "progress", "requests": 150, "errors": 0, "elapsed_s": 20.0}
    steps = [begun] if until != "Running " else []
    fake.answer("run", READY, *steps, *last, {"event": "hang"})
    exit_code, lines = _interrupted(db, until if not last else " TpmC")
    assert exit_code == 130
    assert said in lines


def test_importing_the_command_does_not_import_what_is_slow() -> None:
    code = "import sys, waltax.tpcc.original.command; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
