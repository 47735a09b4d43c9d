"""Work on several CPUs: its results come in order, and nothing of it outlives whoever waits."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from waltax.base import proc
from waltax.base.errors import UsageError, WaltaxError
from waltax.crash.runs import parallel
from with_server import gone


def test_results_come_in_the_order_of_the_parts_though_the_first_takes_longest() -> None:
    three = multiprocessing.get_context("fork").Barrier(3)

    def work(part: int, number: int) -> tuple[int, int, int]:
        if part < 3:
            three.wait()
        time.sleep(0.1 if part == 0 else 0)
        return part, number, os.getpid()

    found = list(parallel.in_order(work, range(9), processes=3))
    assert [part for part, _, _ in found] == list(range(9))
    assert len({process for _, _, process in found}) == 3
    assert [number for _, number, _ in found] == list(range(9))  # nobody shares a number
    assert os.getpid() not in {process for _, _, process in found}


def test_a_single_part_needs_no_other_process() -> None:
    assert list(parallel.in_order(lambda part, _: (part, os.getpid()), ["a"])) == [
        ("a", os.getpid())
    ]
    assert list(parallel.in_order(lambda part, _: part, [])) == []


def test_what_a_part_raised_is_raised_where_its_result_was_due() -> None:
    def work(part: int, _: int) -> int:
        if part == 2:
            raise UsageError("--cuts: found 2")
        return part

    found = parallel.in_order(work, range(4), processes=2)
    assert [next(found), next(found)] == [0, 1]
    with pytest.raises(UsageError, match="--cuts: found 2"):
        next(found)


def test_a_process_that_was_killed_is_an_error_and_no_wait() -> None:
    def work(part: int, _: int) -> int:
        if part == 1:
            os.kill(os.getpid(), signal.SIGKILL)
        return part

    with pytest.raises(WaltaxError, match="a process that looked at states died"):
        list(parallel.in_order(work, range(2), processes=2))


def test_whoever_stops_waiting_leaves_no_process(tmp_path: Path) -> None:
    def work(part: int, number: int) -> int:
        if part < 2:
            return part
        child = proc.launch(["sleep", "600"])
        (tmp_path / f"new-{number}").write_text(f"{os.getpid()} {child.pid}")
        (tmp_path / f"new-{number}").rename(tmp_path / str(number))
        return child.wait()

    found = parallel.in_order(work, range(4), processes=2)
    assert [next(found), next(found)] == [0, 1]
    pids = _pids(tmp_path)
    found.close()
    assert all(map(gone, pids))


_FOREVER = """
import os, pathlib, sys
from waltax.base import proc
from waltax.crash.runs import parallel

def work(part, number):
    child = proc.launch(["sleep", "600"])
    new = pathlib.Path(sys.argv[1], f"new-{number}")
    new.write_text(f"{os.getpid()} {child.pid}")
    new.rename(new.with_name(str(number)))
    child.wait()

list(parallel.in_order(work, range(2), processes=2))
"""


def test_all_of_it_dies_with_whoever_waits(tmp_path: Path) -> None:
    waits = subprocess.Popen([sys.executable, "-c", _FOREVER, str(tmp_path)])
    pids = _pids(tmp_path)
    waits.kill()
    waits.wait()
    assert all(map(gone, pids))


def _pids(folder: Path) -> list[int]:
    """Of two processes and of what each started, as soon as all are there."""
    while len(files := list(folder.glob("[0-9]"))) < 2:
        time.sleep(0.01)
    return [int(word) for path in files for word in path.read_text().split()]


def test_a_ctrl_c_of_the_terminal_is_for_whoever_waits() -> None:
    def work(part: int, _: int) -> int:
        os.kill(os.getpid(), signal.SIGINT)
        return part

    assert list(parallel.in_order(work, range(4), processes=2)) == [0, 1, 2, 3]
