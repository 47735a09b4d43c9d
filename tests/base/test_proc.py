from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import psutil
import pytest
from waltax.base import proc
from waltax.base.errors import WaltaxError


def test_run_returns_what_the_program_printed() -> None:
    assert proc.run(["printf", "%s", "hello"]) == "hello"


def test_a_failed_program_is_an_error_with_its_command_code_and_words() -> None:
    with pytest.raises(WaltaxError, match=r"sh -c .*: exit code 3: no luck"):
        proc.run(["sh", "-c", "echo no luck >&2; exit 3"])


def test_a_missing_program_is_an_error_that_says_what_to_do() -> None:
    with pytest.raises(WaltaxError, match="make setup"):
        proc.run(["no-such-program"])


def _gone(pid: int) -> bool:
    """Whether the process ended, waiting for it as long as a slow machine may need."""
    for _ in range(1000):
        if not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
            return True
        time.sleep(0.01)
    return False


@pytest.mark.parametrize("frozen", [False, True])
def test_a_child_dies_with_its_parent_even_when_frozen(frozen: bool) -> None:
    script = (
        "import sys, time; from waltax.base import proc;"
        "child = proc.launch(['sleep', '600']); print(child.pid, flush=True); time.sleep(600)"
    )
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    if frozen:
        os.kill(child, signal.SIGSTOP)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    assert _gone(child)


def test_a_terminals_ctrl_c_does_not_reach_a_child() -> None:
    child = proc.launch(["sleep", "600"])
    try:
        assert os.getpgid(child.pid) != os.getpgid(0)
    finally:
        child.kill()
        child.communicate()


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (0, "exit code 0"),
        (3, "exit code 3"),
        (-9, "killed by SIGKILL"),
        (-40, "killed by signal 40"),  # a real-time signal, which has no name
    ],
)
def test_how_a_program_ended_is_said_in_words(code: int, words: str) -> None:
    assert proc.how_ended(code) == words


def test_a_killed_program_is_an_error_that_names_the_signal() -> None:
    with pytest.raises(WaltaxError, match=r"killed by SIGTERM: no message"):
        proc.run(["sh", "-c", "kill -TERM $$"])


def test_a_program_that_is_not_done_in_time_is_killed_and_what_hangs_is_named() -> None:
    with pytest.raises(proc.TimedOut, match=r"not done in 1 s, and killed: sh \(pid \d+\) is stop"):
        proc.run(["sh", "-c", "(kill -STOP $$); true"], timeout_s=1)
    with pytest.raises(proc.TimedOut, match=r"sh \(pid \d+\) runs \(state S\)"):
        proc.run(["sh", "-c", "sleep 600; true"], timeout_s=1)


def test_a_stopped_child_of_a_program_is_what_hangs() -> None:
    with proc.launched_group(["sh", "-c", "sleep 600; true"]) as shell:
        while not (below := psutil.Process(shell.pid).children()):
            time.sleep(0.01)
        while below[0].name() != "sleep":  # until then the shell waits for it, in state D
            time.sleep(0.01)
        below[0].suspend()
        while not proc.hangs(below[0].pid):
            time.sleep(0.01)
        assert (
            proc.standing(shell.pid)
            == f"sleep (pid {below[0].pid}) is stopped by a signal (state T)"
        )
        assert not proc.hangs(shell.pid)
    assert proc.standing(shell.pid) == f"pid {shell.pid} is gone"


def test_the_environment_of_a_child_is_ours_and_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OURS", "1")
    pipe = subprocess.PIPE
    child = proc.launch(["sh", "-c", "echo $OURS $MORE"], env={"MORE": "2"}, stdout=pipe)
    assert child.communicate()[0] == b"1 2\n"
