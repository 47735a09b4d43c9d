"""The CPU's counters cover all threads of a process, also later ones, and say where they are not.

Which hardware counts is not ours to choose: the kernel's own clock of a task stands for it.
"""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from waltax.base import perf

_CLOCK = {"clock": (1, 1)}  # PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK: ns on a CPU
_EACH_S = 0.05
_DESCRIPTORS = Path("/proc/self/fd")
_THREADS = f"""
import sys, threading, time
def burn():
    while time.thread_time() < start.get(threading.get_ident(), 0) + {_EACH_S}: pass
start = {{}}
go = threading.Event()
def waiting():
    burn()  # before anybody counts
    start[threading.get_ident()] = time.thread_time()
    ready.release()
    go.wait()
    burn()
ready = threading.Semaphore(0)
threads = [threading.Thread(target=waiting) for _ in range(2)]
for one in threads: one.start()
for one in threads: ready.acquire()
print("ready", flush=True)
sys.stdin.readline()
go.set()
threads.append(threading.Thread(target=burn))
threads[-1].start()
for one in threads: one.join()
print("done", flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def program() -> Iterator[subprocess.Popen[str]]:
    """Two threads that used the CPU, and wait to do so again beside a third."""
    argv = [sys.executable, "-c", _THREADS]
    with subprocess.Popen(
        argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as running:
        yield running
        running.kill()


def _says(running: subprocess.Popen[str], word: str) -> None:
    assert running.stdout is not None
    assert running.stdout.readline() == f"{word}\n"


def test_all_threads_are_counted_and_those_that_are_made_meanwhile(
    program: subprocess.Popen[str],
) -> None:
    if why := perf.unavailable(_CLOCK):
        pytest.skip(why)
    _says(program, "ready")
    program.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, program.pid, os.WSTOPPED | os.WNOWAIT)
    counting = perf.begin([program.pid], _CLOCK)
    program.send_signal(signal.SIGCONT)
    assert program.stdin is not None
    program.stdin.write("\n")
    program.stdin.flush()
    _says(program, "done")
    columns = counting.end()
    assert perf.MISSING not in columns
    used_ns = columns["clock"]
    assert isinstance(used_ns, int)
    # Three times; the two times before are not among them.
    assert used_ns >= 3 * _EACH_S * 1e9 * 0.99
    assert used_ns < 1e9 * (_cpu_s(program.pid) - _EACH_S)


def _cpu_s(pid: int) -> float:
    """What a process used since it began."""
    times = psutil.Process(pid).cpu_times()
    return times.user + times.system


@pytest.mark.parametrize(
    ("code", "why"),
    [
        (errno.ENOENT, "neither this CPU nor its hypervisor lets it be counted"),
        (errno.EOPNOTSUPP, "neither this CPU nor its hypervisor lets it be counted"),
        (errno.EACCES, "not permitted; be root, or set kernel.perf_event_paranoid to 1 or less"),
        (errno.EMFILE, "Too many open files"),
    ],
)
def test_what_cannot_be_counted_is_null_and_says_why(
    monkeypatch: pytest.MonkeyPatch, code: int, why: str
) -> None:
    """One of the three alone: the others are counted."""
    opened = perf._open

    def refuse(thread: int, event: perf.Event) -> int:
        if event == perf.EVENTS["llc_misses"]:
            raise OSError(code, os.strerror(code))
        return opened(thread, _CLOCK["clock"])

    monkeypatch.setattr(perf, "_open", refuse)
    if perf.unavailable(_CLOCK):
        pytest.skip("no software event either")
    columns = perf.begin([os.getpid()]).end()
    assert columns["llc_misses"] is None
    assert isinstance(columns["cpu_instructions"], int)
    assert columns[perf.MISSING] == f"llc_misses: {why}"
    assert perf.unavailable() == f"llc_misses: {why}"


@pytest.mark.parametrize(
    ("count", "enabled_ns", "running_ns", "want"),
    [(100, 10, 10, 100), (100, 10, 5, 200), (0, 10, 0, None), (0, 0, 0, 0)],
)
def test_a_counter_that_had_a_part_of_the_time_is_scaled(
    count: int, enabled_ns: int, running_ns: int, want: int | None
) -> None:
    reader, writer = os.pipe()
    os.write(writer, perf._READ.pack(count, enabled_ns, running_ns))
    os.close(writer)
    columns = perf.Counting({"cpu_cycles": [reader]}).end()
    assert columns["cpu_cycles"] == want
    assert (perf.MISSING in columns) == (want is None)


def test_no_descriptor_is_left_open() -> None:
    before = len(list(_DESCRIPTORS.iterdir()))
    perf.begin([os.getpid()], {**perf.EVENTS, **_CLOCK}).end()
    assert len(list(_DESCRIPTORS.iterdir())) == before
