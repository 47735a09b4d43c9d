"""`waltax serve` as a user runs it, on small real servers."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import psutil

SHM = Path("/dev/shm")
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
        self._processes: list[subprocess.Popen[str]] = []

    def argv(self, *words: object, engine: str = "myrocks") -> list[str]:
        profile = self.home / f"{engine}.toml"
        profile.write_text(_PROFILE.format(name=NAME, engine=engine, settings=_SETTINGS[engine]))
        return [
            *(sys.executable, "-m", "waltax", "serve", "--share-machine"),
            *(f"--engine={engine}", f"--profile={profile}", f"--data-dir={self.data}"),
            *(str(word) for word in words),
        ]

    def start(self, *words: object, engine: str = "myrocks") -> subprocess.Popen[str]:
        """A server, in the background."""
        started = subprocess.Popen(
            self.argv(*words, engine=engine),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._processes.append(started)
        return started

    def run(self, *words: object) -> subprocess.CompletedProcess[str]:
        """To its end."""
        argv = self.argv(*words)
        return subprocess.run(argv, capture_output=True, text=True, timeout=120, check=False)

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


def left_behind(serve: Serve) -> list[Path]:
    """Folders of ended commands, on disk and in memory."""
    work = serve.data / "work"
    return [*(work.iterdir() if work.exists() else ()), *SHM.glob(f"waltax-*-{NAME}")]
