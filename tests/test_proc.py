from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import psutil
import pytest
from waltax import proc
from waltax.errors import WaltaxError


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
        "import sys, time; from waltax import proc;"
        "child = proc.spawn(['sleep', '600']); print(child.pid, flush=True); time.sleep(600)"
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
    child = proc.spawn(["sleep", "600"])
    try:
        assert os.getpgid(child.pid) != os.getpgid(0)
    finally:
        child.kill()
        child.communicate()
