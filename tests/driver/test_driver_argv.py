from __future__ import annotations

from pathlib import Path

from waltax.driver.argv import check_argv, load_argv, run_argv


def test_a_load_is_one_command_line() -> None:
    argv = load_argv(
        Path("/b/linkbench"),
        Path("/d"),
        threads=2,
        seed=7,
        parameters={"maxid1": 100_001, "degree_cap": 10_000},
    )
    head = ["/b/linkbench", "load", "--db=/d", "--threads=2", "--seed=7"]
    assert argv == [*head, "--maxid1=100001", "--degree-cap=10000"]


def test_a_run_has_its_wal_directory_too() -> None:
    argv = run_argv(Path("linkbench"), Path("/d"), Path("/w"), threads=1, seed=0, parameters={})
    assert argv == ["linkbench", "run", "--db=/d", "--wal-dir=/w", "--threads=1", "--seed=0"]


def test_a_check_takes_what_a_load_takes() -> None:
    loaded = {"warehouses": 4}
    argv = check_argv(Path("tpcc"), Path("/d"), Path("/w"), threads=2, parameters=loaded)
    assert argv == ["tpcc", "check", "--db=/d", "--wal-dir=/w", "--threads=2", "--warehouses=4"]


def test_switches_and_negative_numbers_keep_their_sense() -> None:
    parameters = {"paced": True, "roam": False, "max_failed_requests": -1}
    argv = run_argv(
        Path("linkbench"), Path("/d"), Path("/w"), threads=1, seed=0, parameters=parameters
    )
    assert argv[-3:] == ["--paced", "--no-roam", "--max-failed-requests=-1"]
