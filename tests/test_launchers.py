"""Whatever waltax starts ends with it: `kill -9` of it in the middle of each launcher's run."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from with_server import gone

# Programs that never end; some start others, as scripts do. Each imports what it needs alone.
_LAUNCHERS = {
    "run": "proc.run(['sh', '-c', 'sleep 600; true'])",
    "launch": "proc.launch(['sleep', '600']).wait()",
    "a user's command": (
        "from waltax.runners.cells.program import shell\n"
        "shell.run('sleep 600; true', env={}, timeout_s=600, log=folder / 'log')"
    ),
    "fio": (
        "from waltax.devices.probe import jobs\n"
        "job = jobs.Job('sync', 1032, 600.0)\n"
        "jobs.run(job, folder, str(folder / 'slow'))"
    ),
    "a driver": (
        "from waltax.driver.client import Driver\n"
        "Driver('x', ['sleep', '600'], log=folder / 'log').wait_for('never')"
    ),
    "a server's program": (
        "from waltax.engines.server import datadir\n"
        "from with_server import spec_in\n"
        "spec = spec_in(folder, 'innodb')\n"
        "spec.home.mkdir()\n"
        "spec.datadir.mkdir()\n"
        "datadir._run(['sh', '-c', 'sleep 600; true'], spec, ())"
    ),
}
_SCRIPT = """\
import sys
from pathlib import Path
from waltax.base import proc

folder = Path(sys.argv[1])
"""


@pytest.fixture
def slow(place: Path) -> Path:
    """A folder with a fio in it that never ends."""
    path = place / "slow"
    path.write_text("#!/bin/sh\nsleep 600\ntrue\n")
    path.chmod(0o755)
    return place


@contextlib.contextmanager
def _begun(code: str, folder: Path, waits: str) -> Iterator[subprocess.Popen[bytes]]:
    """A python that called a launcher, of which the program `waits` is running."""
    path = {"PYTHONPATH": str(Path(__file__).parent)}
    argv = [sys.executable, "-c", _SCRIPT + code, str(folder)]
    parent = subprocess.Popen(argv, env={**psutil.Process().environ(), **path})
    try:
        deadline = time.monotonic() + 60
        while waits not in [one.name() for one in _below(parent)]:
            assert parent.poll() is None, "it ended"
            assert time.monotonic() < deadline, "nothing was started"
            time.sleep(0.01)
        yield parent
    finally:
        parent.kill()
        parent.wait()


def _below(parent: subprocess.Popen[bytes]) -> list[psutil.Process]:
    with contextlib.suppress(psutil.Error):
        return psutil.Process(parent.pid).children(recursive=True)
    return []


def _left(processes: list[psutil.Process]) -> list[psutil.Process]:
    """Those that still run; they are ended."""
    left = [one for one in processes if not gone(one.pid)]
    for one in left:
        one.kill()
    return left


@pytest.mark.parametrize("stopped", [False, True])
@pytest.mark.parametrize("launcher", _LAUNCHERS)
def test_nothing_is_left_of_what_a_launcher_started(
    slow: Path, launcher: str, stopped: bool
) -> None:
    with _begun(_LAUNCHERS[launcher], slow, "sleep") as parent:
        started = _below(parent)
        for one in started if stopped else ():
            one.suspend()
        parent.kill()
        parent.wait()
        assert _left(started) == []


_SPEC = """\
from waltax.engines.server import datadir
from waltax.engines.server.server import running
from with_server import spec_in
spec = spec_in(folder, "innodb")
spec.home.mkdir()
datadir.create(spec)
"""
_OF_A_SERVER = {
    "install": _SPEC,
    "serve": _SPEC + "with running(spec) as server: (folder / 'up').touch(); server._child.wait()",
}


@pytest.mark.parametrize(("launcher", "stopped"), [("install", False), ("serve", True)])
def test_nothing_is_left_of_a_real_server(place: Path, launcher: str, *, stopped: bool) -> None:
    with _begun(_OF_A_SERVER[launcher], place, "mariadbd") as parent:
        while launcher == "serve" and not (place / "up").exists():
            assert parent.poll() is None
            time.sleep(0.01)
        started = _below(parent)
        for one in started if stopped else ():
            with contextlib.suppress(psutil.NoSuchProcess):
                one.send_signal(signal.SIGSTOP)
        parent.kill()
        parent.wait()
        assert _left(started) == []
