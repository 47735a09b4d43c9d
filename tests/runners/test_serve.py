"""One server that serves until it is told to end."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from serving import NAME, Serve, introduced, left_behind, query, said, server_of
from waltax.base.errors import UsageError
from waltax.cli import cli
from with_server import MEMORY, gone_within, open_folder


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """Unlike pytest's own, it can be entered by the servers' user; and no disk is waited for."""
    with open_folder(MEMORY) as path:
        yield path


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    home = tmp_path / "home"
    home.mkdir()
    serve = Serve(home)
    yield serve
    serve.end()


def _end(process: subprocess.Popen[str], number: signal.Signals) -> str:
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert err == ""
    return out


def test_a_server_answers_and_shows_at_its_end_that_its_log_was_on_the_device(
    serve: Serve,
) -> None:
    process = serve.start("--device=nvram")
    text = introduced(process)
    assert "nvram (emulated), sync, log in /dev/shm/" in text
    assert said(text, "stop").endswith(f"kill {process.pid}")
    query(text, "CREATE TABLE t (a INT PRIMARY KEY)")
    for key in range(20):
        query(text, f"INSERT INTO t VALUES ({key})")
    assert query(text, "SELECT COUNT(*) FROM t") == "20"
    assert query(text, "SELECT @@rocksdb_flush_log_at_trx_commit") == "1"
    _only_the_servers_user_and_we_reach_the_socket(text)
    out = _end_cleanly(serve, process, text, signal.SIGINT, 130)
    found = re.search(r"^the log: .* in ([\d,]+) writes, ([\d,]+) syncs, p50 .* us", out, re.M)
    assert found, out
    assert int(found.group(2)) >= 20


def _only_the_servers_user_and_we_reach_the_socket(text: str) -> None:
    folder = Path(said(text, "socket")).parent
    assert folder.stat().st_mode & 0o777 == 0o700
    assert folder.stat().st_uid == server_of(text).uids().real
    assert query(text, "SELECT LOAD_FILE('/etc/passwd')") == "NULL"
    assert said(text, "user").startswith(query(text, "SELECT USER()").removesuffix("@localhost"))


def _end_cleanly(
    serve: Serve, process: subprocess.Popen[str], text: str, number: signal.Signals, code: int
) -> str:
    """By a signal, with that exit code; nothing is left."""
    server = server_of(text)
    out = _end(process, number)
    assert process.returncode == code
    assert not server.is_running()
    assert left_behind(serve) == []
    return out


def test_a_kill_9_of_us_takes_the_server_along_and_the_next_one_tidies_up(serve: Serve) -> None:
    process = serve.start()
    server = server_of(introduced(process))
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert gone_within(server)
    again = serve.start()
    introduced(again)
    _end(again, signal.SIGTERM)
    assert left_behind(serve) == []


def test_a_server_that_dies_ends_it_with_its_name_and_how(serve: Serve) -> None:
    process = serve.start("--device=nvram")
    server_of(introduced(process)).kill()
    out, err = process.communicate(timeout=60)
    assert process.returncode == 1
    assert f"myrocks-serve-{NAME}-nvram-sync-t1" in err
    assert "SIGKILL" in err
    assert left_behind(serve) == [], out


def test_without_a_log_nothing_is_written_to_one(serve: Serve) -> None:
    process = serve.start("--device=off")
    text = introduced(process)
    query(text, "SELECT 1")
    out = _end_cleanly(serve, process, text, signal.SIGTERM, 0)
    assert "the log: 0 bytes in 0 writes, no sync" in out


def test_innodb_has_its_redo_log_on_the_device(serve: Serve) -> None:
    process = serve.start("--device=nvram", "--wal=sync", engine="innodb")
    text = introduced(process)
    assert "serving innodb" in text
    query(text, "CREATE TABLE t (a INT PRIMARY KEY)")
    query(text, "INSERT INTO t VALUES (1)")
    place = query(text, "SELECT @@innodb_log_group_home_dir")
    assert place.startswith("/dev/shm/")
    out = _end_cleanly(serve, process, text, signal.SIGHUP, 0)
    assert re.search(r"^the log: .* [1-9][\d,]* syncs", out, re.M)


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("--device=nvme", "--device=ssd"), "--device"),
        (("--device=floppy",), "floppy"),
        (("--wal-dir=/nowhere",), "/nowhere"),
        (("--profile=huge",), "huge"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(
    serve: Serve, words: tuple[str, ...], named: str
) -> None:
    refused = _refused(serve, *words)
    assert named in refused
    assert len(refused.splitlines()) == 1


def _refused(serve: Serve, *words: object, engine: str = "myrocks") -> str:
    """What the command says that refuses its words, without a process of its own."""
    with pytest.raises((UsageError, click.UsageError)) as error:
        cli(serve.argv(*words, engine=engine)[3:], standalone_mode=False)
    assert left_behind(serve) == []
    return str(error.value)


@pytest.mark.parametrize("flag", ["--data-dir", "--wal-dir"])
def test_a_directory_that_a_server_cannot_be_told_is_refused_before_anything_is_made(
    serve: Serve, tmp_path: Path, flag: str
) -> None:
    place = tmp_path / "a:b"
    place.mkdir()
    refused = _refused(serve, "--device=nvme", "--allow-mismatch", f"{flag}={place}")
    assert f"{str(place)!r}: has a colon" in refused
    assert f"with {flag}" in refused
    assert not list(place.iterdir())


def test_a_server_lives_in_folders_of_any_name(serve: Serve, tmp_path: Path) -> None:
    data, log = tmp_path / 'a "b" c\'s # \\d', tmp_path / 'lög "e"'
    log.mkdir()
    words = (f"--data-dir={data}", f"--wal-dir={log}", "--allow-mismatch")
    process = serve.start("--device=nvme", *words)
    text = introduced(process)
    query(text, "CREATE TABLE t (a INT PRIMARY KEY)")
    assert list(log.rglob("*.log"))
    assert re.search(r"^the log: .* [1-9][\d,]* syncs", _end(process, signal.SIGTERM), re.M)


def test_innodb_has_no_off(serve: Serve) -> None:
    assert "--wal" in _refused(serve, "--wal=off", engine="innodb")


def test_a_setting_that_the_server_does_not_know_is_named(serve: Serve) -> None:
    argv = serve.argv()
    profile = serve.home / "myrocks.toml"
    text = profile.read_text()
    profile.write_text(text.replace("[server]", "[server]\nrocksdb_no_such_thing = 1"))
    done = subprocess.run(argv, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "rocksdb_no_such_thing" in done.stderr
    assert left_behind(serve) == []
