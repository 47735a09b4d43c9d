"""A probe that is ended while its device hangs, and what it leaves."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from click.testing import CliRunner
from probing import command
from waltax.base.errors import WaltaxError
from waltax.devices.probe import jobs
from waltax.devices.probe.command import probe
from waltax.devices.probe.jobs import Job
from with_server import gone


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def memory() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        yield Path(folder)


@pytest.fixture
def hanging(tmp_path: Path) -> Path:
    """A fio that never ends, as on a device that hangs."""
    path = tmp_path / "fio"
    path.write_text("#!/bin/sh\nexec sleep 300\n")
    path.chmod(0o755)
    return path


def sleeping(memory: Path, hanging: Path) -> tuple[subprocess.Popen[str], psutil.Process]:
    """Start a probe with that fio and return both."""
    words, pipe = command("probe", str(memory), "--name", "mine"), subprocess.PIPE
    paths = {**os.environ, "PATH": f"{hanging.parent}:{os.environ['PATH']}"}
    child = subprocess.Popen(words, stdout=pipe, stderr=pipe, text=True, env=paths)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        with contextlib.suppress(psutil.Error):
            for one in psutil.Process(child.pid).children():
                if one.name() == "sleep":
                    return child, one
        time.sleep(0.02)
    child.kill()
    raise AssertionError("no fio came up")


def ended(worker: psutil.Process) -> bool:
    """Whether it is gone; one that still runs is ended, so that no test leaves it."""
    if not gone(worker.pid):
        worker.kill()
        return False
    return True


def test_a_killed_probe_takes_its_fio_with_it(memory: Path, hanging: Path) -> None:
    child, worker = sleeping(memory, hanging)
    child.kill()
    child.communicate()
    assert ended(worker)


def test_the_next_probe_removes_what_a_killed_one_left(memory: Path, hanging: Path) -> None:
    child, worker = sleeping(memory, hanging)
    (left,) = memory.iterdir()
    (left / "big.log").touch()
    child.kill()
    child.communicate()
    assert ended(worker)
    planned = CliRunner().invoke(probe, [str(memory), "--plan"])
    assert (planned.exit_code, list(memory.iterdir())) == (0, [left])
    next_one, its_worker = sleeping(memory, hanging)
    next_one.send_signal(signal.SIGINT)
    next_one.communicate()
    assert ended(its_worker)
    assert list(memory.iterdir()) == []


def test_what_only_looks_like_a_leftover_stays_and_is_named(
    tmp_path: Path, memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))  # without fio, a probe goes no further
    (tmp_path / "mine").mkdir()
    (memory / ".waltax-probe-link").symlink_to(tmp_path / "mine")
    (memory / ".waltax-probe-file").touch()
    (memory / ".waltax-probe-thesis").mkdir()
    (memory / "waltax-probe-mine").mkdir()
    said = CliRunner().invoke(probe, [str(memory)]).output
    for name in ("file", "link", "thesis"):
        assert f"{memory}/.waltax-probe-{name}: " in said
    assert len(list(memory.iterdir())) == 4


def test_an_interrupted_probe_ends_a_fio_that_hangs(memory: Path, hanging: Path) -> None:
    child, worker = sleeping(memory, hanging)
    child.send_signal(signal.SIGINT)
    assert child.wait(timeout=60) == 130
    child.communicate()
    assert ended(worker)
    assert list(memory.iterdir()) == []


def test_a_fio_that_hangs_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "fio"
    path.write_text("#!/bin/sh\nkill -STOP $$\n")
    path.chmod(0o755)
    monkeypatch.setattr(jobs, "_PATIENCE_S", 1.0)
    job = Job("sync", 1032, 0.0)
    named = r"not done in 1 s, and killed: fio \(pid \d+\) is stopped by a signal \(state T\)"
    with pytest.raises(WaltaxError, match=named):
        jobs.run(job, tmp_path, str(path))
