"""The command line on the real driver and a real RocksDB."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from fake_driver import Result, invoke
from waltax.base import proc
from waltax.linkbench.original import settings
from waltax.linkbench.original.command import command
from waltax.linkbench.original.settings import Phase

SMALL = ("-Dmaxid1=2001", "-Ddegree_cap=100", "-Drequesters=2", "-Drequests=2000")


def _words(home: Path, *words: str) -> list[str]:
    config = home / "config" / "LinkConfigMysql.properties"
    return ["-c", str(config), "--db", str(home / "db"), *SMALL, "--seed", "3", *words]


def _linkbench(home: Path, *words: str) -> Result:
    return invoke(command, *_words(home, *words))


def test_the_stock_configuration_loads_and_runs(home: Path) -> None:
    result = _linkbench(home, "-l", "-r")
    assert result.error == ""
    loaded, *operations, done = result.out
    assert loaded.startswith("LOAD PHASE COMPLETED.  Loaded 2000 nodes (Expected 2000). ")
    assert re.fullmatch(
        r"REQUEST PHASE COMPLETED\. 4000 requests done in \d+ seconds\. Requests/second = \d+", done
    )
    counts = [re.fullmatch(r"\w+: ([\d,]+), us: mean .*", line) for line in operations]
    assert sum(int(found[1].replace(",", "")) for found in counts if found) == 4000


def test_all_keys_together_are_flags_that_the_driver_knows() -> None:
    for phase in Phase:
        words = [str(proc.program("linkbench")), phase.value, "--help"]
        shown = subprocess.run(words, capture_output=True, text=True, check=True).stdout
        for key in settings._GRAPH if phase is Phase.LOAD else settings._REQUESTS:
            assert f"--{key.replace('_', '-')} " in shown


def test_time_ends_a_run_that_requests_do_not(home: Path) -> None:
    result = _linkbench(
        home, "-l", "-r", "-Drequests=500000000", "-Dmaxtime=1", "-Drequestrate=100"
    )
    # A machine that stalls does not reach the rate, which is said last.
    said = "\n".join(result.out)
    found = re.search(r"COMPLETED\. (\d+) requests done in (\d+) seconds", said)
    assert found is not None
    done, seconds = map(int, found.groups())
    # Two requesters are offered a hundred each, together 200 with a deviation of 14; on a machine
    # that stalls they do fewer, or the last of them late. All requests would take a month.
    assert 0 < done < 300
    assert 1 <= seconds < 60


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("read_function=x.REAL", '-D: read_function: found "real", want one of: zipf uniform g'),
        ("read_shape=1", "-D: read_shape: found 1, want a number near it, such as 0.999"),
        ("startid1=3000", "-D: maxid1: found 2001, want more than --startid1, which is 3000"),
        ("node_datasize=inf", '-D: node_datasize: found "inf", want a number from 0.01 to'),
        ("addlink=10", "-D: addlink and the other nine percentages: found a sum of 101.0113399"),
    ],
)
def test_what_the_driver_refuses_is_said_of_the_key_before_anything_is_made(
    home: Path, word: str, message: str
) -> None:
    result = _linkbench(home, "-l", "-r", f"-D{word}")
    assert (result.exit_code, result.error.startswith(message)) == (2, True), result.error
    assert not (home / "db").exists()


def test_a_graph_is_not_loaded_over_another_one(home: Path) -> None:
    assert _linkbench(home, "-l").exit_code == 0
    again = _linkbench(home, "-l")
    assert again.exit_code == 2
    assert f"{home}/db not empty" in again.error


def test_requests_on_another_graph_than_the_loaded_one_are_refused(home: Path) -> None:
    _linkbench(home, "-l")
    result = _linkbench(home, "-r", "-Dmaxid1=3001")
    assert result.exit_code == 2
    assert "--maxid1: found 3001" in result.error


def test_requests_without_a_graph_are_refused(home: Path) -> None:
    result = _linkbench(home, "-r")
    assert result.exit_code != 0
    assert str(home / "db") in result.error


def _heed_ctrl_c() -> None:
    """A shell's background job ignores it, and so would its children, these tests' too."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_the_driver_does_not_outlive_an_interrupted_command(
    home: Path, how: signal.Signals
) -> None:
    _linkbench(home, "-l")
    words = _words(home, "-r", "-Drequests=500000000", "-Dmaxtime=60")
    process = subprocess.Popen(
        [sys.executable, "-m", "waltax", "linkbench", *words],
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_heed_ctrl_c,
    )
    assert process.stderr is not None
    assert any(line.startswith("Running ") for line in process.stderr)
    while not psutil.Process(process.pid).children():
        time.sleep(0.01)
    driver = psutil.Process(process.pid).children()[0]
    process.send_signal(how)
    process.communicate()
    assert process.returncode == (130 if how is signal.SIGINT else -signal.SIGKILL)
    for _ in range(1000):
        if not driver.is_running() or driver.status() == psutil.STATUS_ZOMBIE:
            return
        time.sleep(0.01)
    raise AssertionError("the driver is still there")
