"""A user's command, and what it leaves running."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import psutil
import pytest
from waltax.base import proc
from waltax.base.errors import WaltaxError
from waltax.runners.cells.program import shell
from with_server import gone_within


def _run(command: str, tmp_path: Path, timeout_s: float = 60.0) -> shell.Finished:
    return shell.run(command, env={}, timeout_s=timeout_s, log=tmp_path / "one")


def _gone(pid: int) -> bool:
    """Whether it ends, now or soon: it was killed, and nobody waited for it."""
    try:
        return gone_within(psutil.Process(pid))
    except psutil.NoSuchProcess:
        return True


def test_both_its_outputs_are_kept(tmp_path: Path) -> None:
    _run("echo said; echo warned >&2", tmp_path)
    assert (tmp_path / "one.out").read_text() == "said\n"
    assert (tmp_path / "one.err").read_text() == "warned\n"


def test_its_cpu_time_is_counted_with_that_of_its_children(tmp_path: Path) -> None:
    busy = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done"
    done = _run(f"( {busy} ); true", tmp_path)
    assert done.cpu_user_s > 0
    assert done.seconds > 0


def test_a_failure_is_told_with_its_exit_code_and_last_words(tmp_path: Path) -> None:
    with pytest.raises(WaltaxError, match=r"COMMAND: .*\(exit code 3\): no such table"):
        _run("echo no such table >&2; exit 3", tmp_path)


def test_a_failure_without_complaint_is_told_with_its_output(tmp_path: Path) -> None:
    with pytest.raises(WaltaxError, match=r"exit code 1\): half way"):
        _run("echo half way; exit 1", tmp_path)


def test_a_command_that_is_killed_is_told_by_the_signal(tmp_path: Path) -> None:
    with pytest.raises(WaltaxError, match="killed by SIGTERM"):
        _run("kill -TERM $$", tmp_path)


def test_a_command_that_takes_too_long_is_killed_with_its_children(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pid_file, used = tmp_path / "pid", proc.used

    def once_begun(child: proc.Child, within_s: float) -> Any:
        """Its time runs from when it has a child: that takes a slow machine half a second."""
        while not (pid_file.exists() and pid_file.read_text()):
            time.sleep(0.01)
        return used(child, within_s)

    monkeypatch.setattr(proc, "used", once_begun)
    with pytest.raises(WaltaxError, match=r"within 0.5 s \(--timeout\).*: begun"):
        _run(f"echo begun; sh -c 'echo $$ > {pid_file}; exec sleep 600'; true", tmp_path, 0.5)
    assert _gone(int(pid_file.read_text()))


def test_what_is_left_running_with_the_output_in_its_hand_is_not_waited_for(
    tmp_path: Path,
) -> None:
    done = _run("sleep 600 & echo 5", tmp_path, 30)
    assert done.output == "5\n"
    assert done.seconds < 20


def test_what_a_command_leaves_running_is_killed(tmp_path: Path) -> None:
    assert _gone(int(_run("sleep 600 >/dev/null 2>&1 & echo $!", tmp_path).output))
