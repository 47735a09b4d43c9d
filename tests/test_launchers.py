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

# Programs that never end; some of them start others, as scripts do.
_LAUNCHERS = {
    "run": "proc.run(['sh', '-c', 'sleep 600; true'])",
    "launch": "proc.launch(['sleep', '600']).wait()",
    "db_bench": "child.run(['sleep', '600'], {}, folder / 'out', 600)",
    "a user's command": "shell.run('sleep 600; true', env={}, timeout_s=600, log=folder / 'log')",
    "fio --version": "fio.find(folder / 'slow')",
    "fio": "fio.run(fio.Fio(folder / 'slow', '3.33'), job(), folder)",
    "a driver of the command line": "talk(['sleep', '600'])",
    "a driver": "Driver('x', ['sleep', '600'], log=folder / 'log').wait_for('never')",
    "a server's program": "datadir._run(['sh', '-c', 'sleep 600; true'], spec, None, ())",
}
_SCRIPT = """\
import sys
from pathlib import Path
from waltax import proc
from waltax.dbbench import child
from waltax.devices.probe import fio, jobs
from waltax.driver.client import Driver, running
from waltax.mariadb import datadir
from waltax.serve import shell
from with_server import spec_in

folder = Path(sys.argv[1])
spec = spec_in(folder, "innodb")
spec.home.mkdir()
spec.datadir.mkdir()

def job():
    return jobs.Job("sync", "preallocated", 1032, 600.0)

def talk(words):
    with running(words) as driver:
        list(driver.events())

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
    """Those that still run after as long as a slow machine may need; they are ended."""
    _, alive = psutil.wait_procs(processes, timeout=20)
    left = [one for one in alive if one.status() != psutil.STATUS_ZOMBIE]
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


_OF_A_SERVER = {
    "install": "datadir.create(spec)",
    "serve": (
        "datadir.create(spec); from waltax.mariadb.server import running\n"
        "with running(spec) as server: (folder / 'up').touch(); server._child.wait()"
    ),
}


@pytest.mark.parametrize("stopped", [False, True])
@pytest.mark.parametrize("launcher", _OF_A_SERVER)
def test_nothing_is_left_of_a_real_server(place: Path, launcher: str, stopped: bool) -> None:
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
