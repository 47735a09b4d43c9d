"""The command line on a real server."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from fake_driver import Result
from tpcc_fake import run_command
from waltax.engines.server.server import Server
from with_server import small_server

pytestmark = pytest.mark.nightly


@pytest.fixture(params=["myrocks", "innodb"], scope="module")
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    """With one warehouse, that every test leaves consistent."""
    with small_server(request.param) as started:
        loaded = _tpcc(started, "load", "-w", "1", "--seed", "3")
        assert loaded.error == ""
        assert "...DATA LOADING COMPLETED SUCCESSFULLY." in loaded.out
        assert any(line.startswith("The check passed: ") for line in loaded.err)
        yield started


def _tpcc(server: Server, command: str, *words: str) -> Result:
    where = ("--engine", server.spec.engine, "-S", str(server.socket))
    return run_command(command, *where, *words)


def _run(server: Server, *words: str) -> Result:
    short = ("-w", "1", "-c", "2", "-r", "0", "-l", "2", "--seed", "5")
    return _tpcc(server, "run", *short, *words)


def test_a_run_prints_its_report_and_leaves_consistent_data(server: Server) -> None:
    result = _run(server, "-u", server.user, "-d", "waltax", "-p", "")
    text = "\n".join(result.out)
    assert result.error == ""
    assert float(re.findall(r"([0-9.]+) TpmC", text)[0]) > 0
    assert any(line.startswith("The check passed: ") for line in result.err)
    assert _tpcc(server, "check", "-w", "1").error == ""


def test_what_is_said_of_the_log_is_what_the_server_says(server: Server) -> None:
    result = _run(server)
    text = "\n".join([*result.out, *result.err])
    engine = server.spec.engine
    name = {"myrocks": "rocksdb", "innodb": "innodb"}[engine] + "_flush_log_at_trx_commit"
    assert re.search(rf"^{engine} server .*, {name}=2, ", text, re.M)
    assert re.search(r"^ 1 warehouses, isolation read c", text, re.M)
    assert "durability" not in text


def test_a_loaded_database_and_one_that_is_not_there_are_refused(server: Server) -> None:
    again = _tpcc(server, "load", "-w", "1")
    assert again.exit_code == 2
    assert "--database: found" in again.error
    other = _tpcc(server, "run", "-d", "elsewhere")
    assert other.exit_code != 0
    assert "elsewhere" in other.error
