"""`waltax --args TEXT`, as make calls it."""

from __future__ import annotations

import subprocess
import sys


def _waltax(*words: str) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-m", "waltax", *words]
    return subprocess.run(argv, capture_output=True, text=True, check=False, timeout=60)


def test_the_words_of_args_are_words_of_the_command() -> None:
    done = _waltax("run", "--profile=quick", "--args", "--workload 'linkbench tpcc' --plan")
    assert done.returncode == 0, done.stderr
    assert "-rocksdb-linkbench-tpcc-quick" in done.stdout


def test_a_quote_that_is_not_closed_is_refused_in_one_line_that_names_args() -> None:
    done = _waltax("run", "--plan", "--args", "--seed '3")
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert "ARGS" in line
    assert "--seed '3" in line
    assert "no closing quotation" in line


def test_what_stands_behind_two_dashes_is_never_a_flag() -> None:
    for text in ("-rf", "--plan", "--args", "--help"):
        done = _waltax("devices", "probe", "--plan", "--", text)
        assert (done.returncode, done.stdout) == (2, ""), text
        assert text in done.stderr
