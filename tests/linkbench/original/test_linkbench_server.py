"""The command line on a real server."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from fake_driver import Result, invoke
from waltax.base import proc
from waltax.driver.argv import command_line
from waltax.engines.server.server import Server
from waltax.linkbench.original.command import command
from waltax.linkbench.original.settings import Phase, check, read_config
from with_server import small_server

SMALL = ("maxid1=2001", "degree_cap=100", "requesters=2", "requests=500000000", "maxtime=2")


@pytest.fixture(params=["myrocks", "innodb"])
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    with small_server(request.param) as started:
        yield started


def _config(home: Path) -> Path:
    return home / "config" / "LinkConfigMysql.properties"


def _linkbench(home: Path, engine: str, socket: Path, *words: str) -> Result:
    small = (f"-D{override}" for override in SMALL)
    where = ("--engine", engine, "--socket", str(socket))
    return invoke(command, "-c", str(_config(home)), *where, *small, "--seed", "3", *words)


def _checked(home: Path, server: Server) -> str:
    """What the driver's own check says of the graph."""
    settings = check(read_config(_config(home), SMALL), [Phase.LOAD])
    words = command_line(
        *(proc.program("linkbench"), "check"),
        {"store": server.spec.engine, "socket": server.socket, "threads": 2},
        settings.parameters(Phase.LOAD),
    )
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


@pytest.mark.nightly
def test_a_graph_is_loaded_and_used_on_a_server(home: Path, server: Server) -> None:
    engine = server.spec.engine
    result = _linkbench(home, engine, server.socket, "-l", "-r")
    assert result.error == ""
    log = "\n".join([*result.err, *result.out])
    assert "Loaded 2000 nodes (Expected 2000)" in log
    assert re.search(r"COMPLETED\. [1-9]\d+ requests done in \d+ seconds", log)
    # What the server says of its log, and no word of ours.
    prefix = "rocksdb" if engine == "myrocks" else "innodb"
    assert f"{prefix}_flush_log_at_trx_commit=2" in log
    assert "durability" not in log
    assert '"ok":true' in _checked(home, server)

    again = _linkbench(home, engine, server.socket, "-l")
    assert again.exit_code == 2
    assert "--database: found" in again.error


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "--socket: found nothing with --engine myrocks, want a server's Unix socket; `waltax"),
        (("--db", "x"), "--db: found 'x' with --engine myrocks, where data and log are the"),
        (("--wal-dir", "x"), "--wal-dir: found 'x' with --engine myrocks, where data and log"),
        (("--durability", "off"), "--durability: found 'off' with --engine myrocks, where data"),
    ],
)
def test_what_a_server_has_no_use_for_is_refused(
    home: Path, words: tuple[str, ...], message: str
) -> None:
    result = invoke(command, "-c", str(_config(home)), "-r", "--engine", "myrocks", *words)
    assert result.exit_code == 2
    assert result.error.startswith(message)


@pytest.mark.parametrize("flag", ["--socket", "--user", "--database"])
def test_a_server_is_not_taken_for_the_embedded_engine(home: Path, flag: str) -> None:
    result = invoke(command, "-c", str(_config(home)), "-r", flag, "x")
    assert result.exit_code == 2
    assert result.error.startswith(f"{flag}: found 'x' with --engine rocksdb, which has no server")
