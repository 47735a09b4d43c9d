from __future__ import annotations

import os
import subprocess
import sys

from waltax.runners.cells import machine, scheduler

_SLEEPER = "import time\nfor line in open(0): time.sleep(0.002); print(flush=True)"


def test_a_process_that_sleeps_switches_by_its_own_will() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", _SLEEPER], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        before = machine.sample({}, [child.pid])
        for _ in range(20):
            child.stdin.write(b"\n")
            child.stdin.flush()
            child.stdout.readline()
        seen = machine.sample({}, [child.pid]).since(before)
        child.stdin.close()
    assert seen["sched_switches_voluntary"] >= 20
    assert seen["sched_run_s"] > 0


def test_several_processes_are_counted_together() -> None:
    alone = scheduler.threads([os.getpid()])
    both = scheduler.threads([os.getpid(), os.getppid()])
    assert set(alone) < set(both)


def test_a_process_that_is_gone_has_no_threads() -> None:
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    assert scheduler.threads([child.pid]) == {}
    assert not any(
        name.startswith("sched_")
        for name in machine.sample({}, [child.pid]).since(machine.sample({}))
    )


def test_a_thread_that_ends_takes_nothing_from_the_sum() -> None:
    early = {(1, 1): {"sched_run_s": 1.0}, (1, 2): {"sched_run_s": 50.0}}
    late = {(1, 1): {"sched_run_s": 1.5}}
    assert scheduler.difference(late, early) == {"sched_run_s": 0.5}


def test_a_thread_with_the_number_of_another_counts_from_its_beginning() -> None:
    early = {(1, 2): {"sched_run_s": 50.0}}
    late = {(1, 2): {"sched_run_s": 0.25}, (1, 3): {"sched_run_s": 0.25}}
    assert scheduler.difference(late, early) == {"sched_run_s": 0.5}
