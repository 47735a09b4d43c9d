"""Real Redis servers for tests, on Unix sockets; and campaigns of them, as a user types them."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# Debian's redis-tools has the server in it under the name of a tool, which is what it is when it
# is called so.
_PROGRAM = "/usr/bin/redis-check-rdb"
_PROFILE = """\
name = "tiny"
title = "for tests"
threads = 2
[timing]
measure_s = 0.2
warmup_s = 0.05
settle_s = 0.05
rounds_per_session = 2
min_sessions = 1
time_budget_s = {budget_s}
target_half_width = 0.05
[rocksdb]
block_cache_mb = 16
max_total_wal_mb = 16
[rocksdb.db]
[rocksdb.column_family]
[rocksdb.table]
[ycsb]
data_mb = 2
load.scale = 0.02
[mix]
data_mb = 1
load.scale = 0.01
"""


@dataclass(frozen=True)
class Redis:
    """A server that runs."""

    socket: Path
    pid: int

    @property
    def url(self) -> str:
        return f"redis://{self.socket}"

    def ask(self, *words: str) -> str:
        argv = ["redis-cli", "-s", str(self.socket), *words]
        return subprocess.run(argv, check=True, capture_output=True, text=True).stdout.strip()

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)


@contextlib.contextmanager
def redis(folder: Path, name: str, *settings: str) -> Iterator[Redis]:
    """A server with these settings; nothing of it is left running."""
    home = folder / name
    home.mkdir()
    socket = folder / f"{name}.sock"
    argv = [
        *("redis-server", "--port", "0", "--unixsocket", str(socket)),
        *("--dir", str(home), "--save", "", *settings),
    ]
    with (home / "log").open("w") as log:
        process = subprocess.Popen(argv, executable=_PROGRAM, stdout=log)
    one = Redis(socket, process.pid)
    try:
        for _ in range(500):
            if socket.exists():
                break
            time.sleep(0.02)
        assert socket.exists(), (home / "log").read_text()
        yield one
    finally:
        process.kill()
        process.wait()


ALWAYS = ("--appendonly", "yes", "--appendfsync", "always")
EVERYSEC = ("--appendonly", "yes", "--appendfsync", "everysec")
NONE = ("--appendonly", "no")


@dataclass(frozen=True)
class Waltax:
    """The command, with folders of its own."""

    home: Path

    def argv(self, *words: object, budget_s: float = 1.0) -> list[str]:
        profile = self.home / "tiny.toml"
        profile.write_text(_PROFILE.format(budget_s=budget_s))
        return [
            *(sys.executable, "-m", "waltax", "run", "--share-machine"),
            *(f"--results={self.home / 'results'}", f"--data-dir={self.home / 'data'}"),
            *([] if "--resume" in words else [f"--profile={profile}"]),
            *map(str, words),
        ]

    def run(self, *words: object, **more: float) -> subprocess.CompletedProcess[str]:
        argv = self.argv(*words, **more)
        return subprocess.run(argv, check=False, capture_output=True, text=True, timeout=120)

    def folder(self) -> Path:
        (only,) = (self.home / "results").glob("*-endpoint-*")
        return only

    def rows(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in (self.folder() / "rows.jsonl").open()]
