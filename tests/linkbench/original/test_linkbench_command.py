from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from fake_driver import FakeDriver, Result, invoke
from waltax.linkbench.original.command import command

READY = {"event": "ready", "warnings": ["debug build"]}
LOADED = {"event": "loaded", "nodes": 1000, "links": 4000, "seconds": 2.0}
OPERATION: dict[str, Any] = {"count": 60, "mean_us": 50.0, "max_us": 900.0} | {
    f"p{p}_us": 40.0 for p in (50, 95, 99)
}
SLICE: dict[str, Any] = {
    "event": "slice",
    "requests": 60,
    "measure_s": 3.0,
    "errors": 0,
    "error_samples": [],
    "operations": {"GET_NODE": OPERATION, "ADD_NODE": {**OPERATION, "count": 0}},
}


def _linkbench(home: Path, *words: str) -> Result:
    """The command line on a small graph in a folder of its own."""
    small = ("-Dmaxid1=1001", "-Drequesters=2", "-Drequests=30", "-Dloaders=1")
    config = home / "config" / "LinkConfigMysql.properties"
    return invoke(command, "-c", str(config), *small, "--db", str(home / "db"), *words)


def test_both_phases_run_load_first(home: Path, fake: FakeDriver) -> None:
    fake.answer("load", LOADED)
    fake.answer("run", READY, SLICE)
    result = _linkbench(home, "-r", "-l", "--seed", "5")
    assert result.exit_code == 0
    tried, load, run, command, quit_command = fake.heard()
    assert tried[:2] == ["run", "--startid1=1"]
    assert tried[-1] == "--store=null"
    assert load[:4] == ["load", f"--db={home}/db", "--threads=1", "--seed=5"]
    assert run[:2] == ["run", f"--db={home}/db"]
    assert {"--threads=2", "--seed=5", "--durability=sync", "--rate=0"} <= set(run)
    assert command == {
        "cmd": "run",
        "warmup_s": 0,
        "measure_s": 100_000,
        "requests": 30,
        "progress_s": 10.0,
    }
    assert quit_command == {"cmd": "quit"}


@pytest.mark.parametrize(
    ("words", "seed"),
    [(("-Dload_random_seed=-1",), rf"={2**63 - 1} "), ((), r"=\d+ ")],
)
def test_the_drivers_command_line_with_its_seed_comes_before_the_phase(
    home: Path, fake: FakeDriver, words: tuple[str, ...], seed: str
) -> None:
    fake.answer("load", LOADED)
    result = _linkbench(home, "-l", *words)
    assert re.search(f"Running .* --seed{seed}", "\n".join(result.err))
    (last,) = result.out
    assert last.startswith("LOAD PHASE COMPLETED.  Loaded 1000 nodes (Expected 1000).")


def test_progress_is_said_and_results_are_printed(home: Path, fake: FakeDriver) -> None:
    steps = [{"event": "progress", "requests": n, "elapsed_s": n / 2} for n in (2500, 5000)]
    fake.answer("run", READY, *steps, SLICE)
    result = _linkbench(home, "-r")
    assert result.out == [
        "GET_NODE: 60, us: mean 50.0, p50 40.0, p95 40.0, p99 40.0, max 900.0",
        "REQUEST PHASE COMPLETED. 60 requests done in 3 seconds. Requests/second = 20",
    ]
    assert {"debug build", "1250 s: 2,500 requests", "2500 s: 5,000 requests"} <= set(result.err)


def test_files_of_the_original_that_nobody_writes_are_said_to_be_none(
    home: Path, fake: FakeDriver
) -> None:
    fake.answer("run", READY, SLICE)
    stats, flags = home / "stats.csv", ("-L", "-csvstats", "-csvstream")
    result = _linkbench(home, "-r", *(word for flag in flags for word in (flag, str(stats))))
    assert result.exit_code == 0
    for flag in flags:
        assert any(line.startswith(f"{flag}: no effect: the result is on") for line in result.err)
    assert not stats.exists()


def test_rates_and_failures_of_a_thread_become_those_of_all_threads(
    home: Path, fake: FakeDriver
) -> None:
    fake.answer("run", READY, SLICE)
    _linkbench(home, "-r", "-Drequestrate=50", "-Dmax_failed_requests=3")
    assert {"--rate=100", "--max-failed-requests=6"} <= set(fake.heard()[1])


def test_a_negative_number_of_failures_is_any_number(home: Path, fake: FakeDriver) -> None:
    fake.answer("run", READY, SLICE)
    _linkbench(home, "-r", "-Dmax_failed_requests=-5")
    assert "--max-failed-requests=-1" in fake.heard()[1]


def test_too_many_failed_requests_fail_the_run(home: Path, fake: FakeDriver) -> None:
    fake.answer("run", READY, {"event": "error", "message": "7 of 60 requests failed"})
    result = _linkbench(home, "-r")
    assert (result.exit_code, result.error) == (1, "7 of 60 requests failed")


def test_a_driver_that_dies_fails_the_run_with_its_last_words(home: Path, fake: FakeDriver) -> None:
    fake.answer("run", READY, exit_code=1, stderr="linkbench: disk on fire\n")
    result = _linkbench(home, "-r")
    assert (result.exit_code, result.error) == (1, "linkbench: disk on fire")


def test_a_driver_that_refuses_its_flags_is_a_usage_error(home: Path, fake: FakeDriver) -> None:
    fake.answer("load", exit_code=2, stderr="linkbench: --db: found it not empty\n")
    result = _linkbench(home, "-l")
    assert (result.exit_code, result.error) == (2, "linkbench: --db: found it not empty")


def test_a_driver_that_ends_without_a_result_fails(home: Path, fake: FakeDriver) -> None:
    fake.answer("run", {"event": "bye"})
    assert _linkbench(home, "-r").exit_code == 1


def test_no_requesters_are_no_request_phase(home: Path) -> None:
    result = _linkbench(home, "-r", "-Drequesters=0")
    assert result.exit_code == 0
    assert result.out == ["NO REQUEST PHASE CONFIGURED. "]


@pytest.mark.parametrize(
    ("words", "durability"),
    [
        ((), "sync"),
        (("-Dwrite_options_sync=false", "-Dwrite_options_disableWAL=false"), "flush"),
        (("-Dwrite_options_sync=true",), "sync"),
        (("-Dwrite_options_disableWAL=true",), "off"),
        (("-Dwrite_options_disableWAL=true", "--durability", "sync"), "sync"),
    ],
)
def test_durability_is_the_command_lines_or_the_rocksdb_configurations(
    home: Path, fake: FakeDriver, words: tuple[str, ...], durability: str
) -> None:
    fake.answer("run", READY, SLICE)
    _linkbench(home, "-r", *words)
    assert f"--durability={durability}" in fake.heard()[1]


def test_the_config_file_of_linkbench_home_is_the_default(
    home: Path, fake: FakeDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LINKBENCH_HOME", str(home))
    fake.answer("load", LOADED)
    assert invoke(command, "-l", "--db", str(home / "db")).exit_code == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("-l",), "-c: found nothing, and LINKBENCH_HOME is no directory"),
        (("-c", "none", "-l"), "none: cannot be read"),
        (("-c", "none"), "found neither -l nor -r"),
        (("-c", "config/LinkConfigMysql.properties", "-l"), "--db: found nothing, want a direc"),
    ],
)
def test_an_unusable_command_line_is_refused(
    home: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], message: str
) -> None:
    monkeypatch.chdir(home)
    result = invoke(command, *words)
    assert result.exit_code == 2
    assert message in result.error


def test_the_program_exits_with_2_and_one_line(home: Path) -> None:
    config = home / "config" / "LinkConfigMysql.properties"
    words = [sys.executable, "-m", "waltax", "linkbench", "-c", str(config), "-l", "-Dmaxid1=x"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "waltax: -D: maxid1: found 'x', want a whole number of at least 1"
    ]


def test_importing_the_command_does_not_import_what_is_slow() -> None:
    code = "import sys, waltax.linkbench.original.command; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
