"""`waltax serve`, and `waltax try` on a server, as a user runs them, on small real servers."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import psutil

SHM = Path("/dev/shm")
CLIENT = "mariadb -S $WALTAX_SOCKET -u $WALTAX_USER $WALTAX_DATABASE"
TABLE = f'{CLIENT} -e "CREATE TABLE t (a INT AUTO_INCREMENT PRIMARY KEY, b INT)"'
# Tests of another checkout may run at the same time, and folders in memory are called by it.
NAME = f"tiny{os.getpid()}"
_PROFILE = """\
name = "{name}"
title = "for tests"
engine = "{engine}"
threads = 2
[timing]
measure_s = 0.1
warmup_s = 0.1
settle_s = 0.1
rounds_per_session = 2
min_sessions = 3
time_budget_s = 0.001
target_half_width = 0.5
[server]
{settings}
[linkbench]
data_mb = 2
load.maxid1 = 2001
"""
_SETTINGS = {
    "myrocks": 'rocksdb_block_cache_size = "16M"\nrocksdb_max_total_wal_size = "32M"',
    "innodb": 'innodb_buffer_pool_size = "16M"\ninnodb_log_file_size = "16M"',
}


class Serve:
    """The command, with folders of its own."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.data = home / "data"
        self.results = home / "results"
        self._processes: list[subprocess.Popen[str]] = []

    def argv(self, *words: object, engine: str = "myrocks", name: str = "serve") -> list[str]:
        profile = self.home / f"{engine}.toml"
        profile.write_text(_PROFILE.format(name=NAME, engine=engine, settings=_SETTINGS[engine]))
        return [
            *(sys.executable, "-m", "waltax", name, "--share-machine"),
            *(f"--engine={engine}", f"--profile={profile}", f"--data-dir={self.data}"),
            *(str(word) for word in words),
        ]

    def start(
        self, *words: object, engine: str = "myrocks", name: str = "serve"
    ) -> subprocess.Popen[str]:
        """A server alone, or a measurement, in the background."""
        started = subprocess.Popen(
            self.argv(*words, engine=engine, name=name),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._processes.append(started)
        return started

    def run(
        self, *words: object, engine: str = "myrocks", name: str = "serve"
    ) -> subprocess.CompletedProcess[str]:
        """To its end."""
        argv = self.argv(*words, engine=engine, name=name)
        return subprocess.run(argv, capture_output=True, text=True, timeout=120, check=False)

    def measure(
        self, *words: object, command: str, metric: str = "(.+)", engine: str = "myrocks"
    ) -> subprocess.CompletedProcess[str]:
        """One session of one round, on nvram, unless `words` say otherwise."""
        usual = ("--device=nvram", "--sessions=1", "--rounds=1", f"--results={self.results}")
        said = (f"--metric={metric}", "--", command)
        return self.run(*usual, *words, *said, engine=engine, name="try")

    def resume(self) -> subprocess.CompletedProcess[str]:
        """Go on with the only measurement."""
        words = (f"--resume={self.folder()}", "--share-machine")
        argv = [sys.executable, "-m", "waltax", "try", *words]
        return subprocess.run(argv, capture_output=True, text=True, timeout=120, check=False)

    def folder(self) -> Path:
        """The only measurement's."""
        (found,) = self.results.iterdir()
        return found

    def end(self) -> None:
        for process in self._processes:
            process.kill()
            process.communicate()


def introduced(process: subprocess.Popen[str]) -> str:
    """What it says until the server can be used."""
    lines: list[str] = []
    assert process.stdout is not None
    for line in process.stdout:
        lines.append(line)
        if line.startswith("stop "):
            return "".join(lines)
    raise AssertionError(f"it ended early: {process.communicate()}")


def said(text: str, word: str) -> str:
    """What an introduction says after one of its words."""
    found = re.search(rf"^{word} +(.*)$", text, re.MULTILINE)
    assert found, text
    return found.group(1)


def query(introduction: str, sql: str) -> str:
    """Ask the server that was introduced."""
    argv = ["mariadb", f"--socket={said(introduction, 'socket')}", "waltax"]
    done = subprocess.run(
        [*argv, "--batch", "--skip-column-names", f"--execute={sql}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def server_of(introduction: str) -> psutil.Process:
    found = re.search(r"pid (\d+)", said(introduction, "server"))
    assert found
    return psutil.Process(int(found.group(1)))


def gone_within(process: psutil.Process, seconds: float = 20.0) -> bool:
    """Whether it ends in that time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if not process.is_running() or process.status() == psutil.STATUS_ZOMBIE:
            return True
        time.sleep(0.01)
    return False


def left_behind(serve: Serve) -> list[Path]:
    """Folders of ended commands, on disk and in memory."""
    work = serve.data / "work"
    found = list(work.iterdir()) if work.exists() else []
    measured = serve.results.iterdir() if serve.results.exists() else ()
    kept = [SHM / f"waltax-{campaign.name}" for campaign in measured]
    return [
        *found,
        *SHM.glob(f"waltax-*-{NAME}"),
        *(path for path in kept if path.exists()),
    ]
