"""One server that serves until it is told to end, with its log on a device: a preset."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from waltax.base import proc
from with_server import MEMORY, gone_within, open_folder


@pytest.fixture
def home() -> Iterator[Path]:
    """Unlike pytest's own, it can be entered by the servers' user; and no disk is waited for."""
    with open_folder(MEMORY) as path:
        yield path


class Server:
    """The command, which has said where its server is."""

    def __init__(self, home: Path, *words: str) -> None:
        self.data = home / "data"
        argv = [sys.executable, "-m", "waltax", "try", "--share-machine", f"--data-dir={self.data}"]
        self.process = subprocess.Popen(
            [*argv, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.said = {}
        assert self.process.stdout is not None
        for line in self.process.stdout:
            word, _, said = line.strip().partition(" ")
            self.said[word] = said.strip()
            if word == "stop":
                return
        raise AssertionError(f"it ended early: {self.process.communicate()}")

    def query(self, sql: str) -> str:
        argv = ["mariadb", f"--socket={self.said['sockets']}/m", "waltax", "-N", f"-e{sql}"]
        return proc.run(argv).strip()

    def program(self) -> psutil.Process:
        """The server itself."""
        children = psutil.Process(self.process.pid).children(recursive=True)
        (found,) = [each for each in children if each.name() == "mariadbd"]
        return found

    def end(self, number: signal.Signals) -> tuple[str, str]:
        self.process.send_signal(number)
        return self.process.communicate(timeout=60)

    def left(self) -> list[Path]:
        """Folders, on disk and in memory."""
        return [
            *(self.data / "work").iterdir(),
            *Path(self.said["sockets"]).parent.parent.glob("*"),
        ]


@pytest.fixture
def server(request: pytest.FixtureRequest, home: Path) -> Iterator[Server]:
    serving = Server(home, f"--preset={getattr(request, 'param', 'innodb')}", "--device=nvram")
    yield serving
    serving.process.kill()
    serving.process.communicate()


@pytest.mark.parametrize(
    ("server", "engine"), [("innodb", "InnoDB"), ("myrocks", "ROCKSDB")], indirect=["server"]
)
def test_it_answers_and_shows_at_its_end_that_its_log_was_on_the_device(
    server: Server, engine: str
) -> None:
    assert server.said["log"].startswith("on nvram, in /dev/shm/")
    server.query(f"CREATE TABLE t (a INT PRIMARY KEY) ENGINE={engine}")
    for key in range(20):
        server.query(f"INSERT INTO t VALUES ({key})")
    assert server.query("SELECT COUNT(*) FROM t") == "20"
    program = server.program()
    out, _ = server.end(signal.SIGINT)
    assert server.process.returncode == 130
    assert not program.is_running()
    assert server.left() == []
    found = re.search(r"^the log: .* bytes in .* writes, (\d+) syncs, p50 .* us", out, re.M)
    assert found, out
    assert int(found.group(1)) >= 20


def test_one_that_dies_ends_it_and_says_how(server: Server) -> None:
    server.program().kill()
    _, err = server.process.communicate(timeout=60)
    assert server.process.returncode == 1
    assert "the server has ended (killed by SIGKILL)" in err
    assert server.left() == []


def test_a_kill_9_of_us_takes_it_along(server: Server) -> None:
    program = server.program()
    os.kill(server.process.pid, signal.SIGKILL)
    assert gone_within(program)
