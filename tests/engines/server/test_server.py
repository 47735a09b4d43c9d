"""Real servers: started, frozen, stopped, killed, and what they say when they cannot start."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace

import psutil
import pytest
from waltax.base.errors import UsageError
from waltax.engines.server import binaries, server
from waltax.engines.server.server import ServerDied, Spec, running
from waltax.engines.server.settings import contradictions, wanted
from with_server import gone, sql

Clones = Callable[..., Spec]


def _start(spec: Spec) -> None:
    with running(spec):
        pass


def test_a_server_serves_as_this_user_on_its_socket_and_no_port(
    clone_of: Clones, engine: str
) -> None:
    with running(clone_of(engine)) as running_server:
        assert sql(running_server, "SELECT a FROM kept") == "7\n"
        process = psutil.Process(running_server.pid)
        assert set(process.uids()) == {os.geteuid()}
        assert not process.net_connections("inet")
        assert os.getpgid(running_server.pid) == running_server.pid
    assert not running_server.socket.exists()
    assert gone(running_server.pid)


@pytest.mark.usefixtures("on_disk")
@pytest.mark.parametrize(
    ("engine", "mode"),
    [
        *(("myrocks", mode) for mode in ("sync", "flush", "delayed", "off")),
        *(("innodb", mode) for mode in ("sync", "flush", "delayed")),
    ],
)
def test_a_server_shows_the_variables_of_its_mode(clone_of: Clones, engine: str, mode: str) -> None:
    spec = clone_of(engine, mode)
    with running(spec) as running_server:
        rows = sql(running_server, "SHOW GLOBAL VARIABLES").splitlines()
    found = dict(row.split("\t", 1) for row in rows)
    assert contradictions(wanted(engine, mode, spec.places), found) == []
    other = "sync" if mode != "sync" else "flush"
    assert contradictions(wanted(engine, other, spec.places), found)


def test_no_setting_of_a_profile_opens_what_is_closed(clone_of: Clones) -> None:
    """MariaDB takes a setting by several names, and the last in the file holds."""
    spec = clone_of("myrocks", "sync")
    told: dict[str, str | int | float | bool] = {
        "loose_skip_networking": False,
        "port": 45671,
        "loose_skip_grant_tables": True,
        "skip_grant_tables": True,
        "loose_socket": "/tmp/elsewhere",
        "loose_rocksdb_wal_dir": "/tmp",
        "loose_secure_file_priv": "",
        "symbolic_links": True,
    }
    with running(replace(spec, settings={**told, **spec.settings})) as running_server:
        rows = sql(running_server, "SHOW GLOBAL VARIABLES").splitlines()
        rights = sql(running_server, "SHOW GRANTS")
        process = psutil.Process(running_server.pid)
        assert not process.net_connections("inet")
    found = dict(row.split("\t", 1) for row in rows)
    assert contradictions(wanted("myrocks", "sync", spec.places), found) == []
    assert found["secure_file_priv"].rstrip("/") == f"{spec.home}/no-files"
    assert found["have_symlink"] == "DISABLED"
    assert "ON `waltax`.*" in rights


def test_a_port_that_a_bench_asks_for_is_open_to_this_machine_alone(clone_of: Clones) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    spec = replace(clone_of("innodb", "sync"), loopback_port=port)
    with running(spec) as running_server:
        listening = psutil.Process(running_server.pid).net_connections("inet")
    assert [tuple(one.laddr) for one in listening] == [("127.0.0.1", port)]


@pytest.mark.usefixtures("on_disk")
def test_a_server_elsewhere_than_asked_contradicts_its_label(clone_of: Clones) -> None:
    spec = clone_of("innodb", "sync")
    with running(spec) as running_server:
        rows = sql(running_server, "SHOW GLOBAL VARIABLES").splitlines()
    found = dict(row.split("\t", 1) for row in rows)
    for name in ("socket", "datadir", "innodb_log_group_home_dir", "skip_networking"):
        (said,) = contradictions(
            wanted("innodb", "sync", spec.places), {**found, name: "/elsewhere"}
        )
        assert said.startswith(f"{name} is /elsewhere, and must be ")


def test_versions_are_those_of_the_engine_inside(clone_of: Clones) -> None:
    with running(clone_of("myrocks")) as running_server:
        assert running_server.engine_version().split(".")[0] == "6"
        assert running_server.program.version.startswith("10.")


def test_cpu_time_grows_with_work(clone_of: Clones) -> None:
    with running(clone_of("innodb")) as running_server:
        before = sum(running_server.cpu_s())
        sql(running_server, "SELECT BENCHMARK(20000000, 1 + 1)")
        assert sum(running_server.cpu_s()) > before


def test_a_frozen_server_answers_nothing_until_it_is_thawed(clone_of: Clones) -> None:
    with running(clone_of("myrocks")) as running_server:
        running_server.freeze()
        os.waitid(os.P_PID, running_server.pid, os.WSTOPPED | os.WNOWAIT)
        question = subprocess.Popen(
            ["mariadb", "--no-defaults", f"--socket={running_server.socket}", "-e", ""]
        )
        with pytest.raises(subprocess.TimeoutExpired):
            question.wait(0.3)
        running_server.thaw()
        assert question.wait(60) == 0


def test_a_shutdown_is_clean_and_keeps_what_was_written(clone_of: Clones, engine: str) -> None:
    spec = clone_of(engine)
    with running(spec) as running_server:
        sql(running_server, "INSERT INTO kept VALUES (8)")
        running_server.freeze()
        running_server.shutdown()
        assert not running_server.is_alive()
    with running(spec) as running_server:
        assert sql(running_server, "SELECT COUNT(*) FROM kept") == "2\n"


def test_a_server_that_does_not_shut_down_is_killed(
    clone_of: Clones, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = clone_of("myrocks")  # may have to make the data set first, with a shutdown
    monkeypatch.setattr(server, "STOP_S", 0.0)
    with running(spec) as running_server:
        with pytest.raises(ServerDied, match="test: did not shut down in 0 s"):
            running_server.shutdown()
        assert gone(running_server.pid)


def test_what_was_acknowledged_survives_a_kill(clone_of: Clones, engine: str) -> None:
    spec = clone_of(engine)
    with running(spec) as running_server:
        sql(running_server, "INSERT INTO kept VALUES (8)")
        running_server.kill()
        with pytest.raises(ServerDied, match=r"test: the server died \(killed by SIGKILL\)"):
            running_server.require_alive()
    with running(spec) as running_server:
        assert sql(running_server, "SELECT COUNT(*) FROM kept") == "2\n"


@pytest.mark.parametrize("frozen", [False, True])
def test_nothing_runs_on_when_we_are_killed(clone_of: Clones, frozen: bool) -> None:
    spec = clone_of("myrocks")
    script = f"""
import time
from pathlib import Path
from waltax.engines.server.server import Spec, running
home, data, wal = {str(spec.home)!r}, {str(spec.datadir)!r}, {str(spec.wal_dir)!r}
with running(Spec("test", "myrocks", Path(home), Path(data), Path(wal), {{}})) as server:
    if {frozen}: server.freeze()
    print(server.pid, flush=True)
    time.sleep(600)
"""
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    parent.stdout.close()
    assert gone(child)


def test_an_exception_of_ours_leaves_no_server(clone_of: Clones) -> None:
    with pytest.raises(KeyboardInterrupt), running(clone_of("myrocks")) as running_server:
        raise KeyboardInterrupt
    assert gone(running_server.pid)
    assert not running_server.socket.exists()


def test_a_setting_that_the_server_refuses_is_named(clone_of: Clones) -> None:
    spec = clone_of("myrocks")
    with pytest.raises(UsageError, match=r"test: the server died .*rocksdb_no_such"):
        _start(replace(spec, settings={**spec.settings, "rocksdb_no_such": 3}))


def test_a_server_that_dies_while_it_starts_says_why(clone_of: Clones) -> None:
    spec = clone_of("myrocks")
    (spec.datadir / "#rocksdb" / "CURRENT").unlink()
    for manifest in (spec.datadir / "#rocksdb").glob("MANIFEST*"):
        manifest.write_text("nonsense")
    (spec.datadir / "#rocksdb" / "CURRENT").write_text("MANIFEST-000001\n")
    with pytest.raises(ServerDied, match=r"test: the server died while it started.*\[ERROR\].*"):
        _start(spec)


def test_only_the_last_servers_words_are_quoted(clone_of: Clones) -> None:
    spec = clone_of("myrocks")
    spec.home.mkdir(exist_ok=True)
    spec.error_log.write_text("[ERROR] of an earlier server\n")
    with running(spec) as running_server:
        running_server.kill()
        with pytest.raises(ServerDied) as died:
            running_server.require_alive()
    assert "earlier" not in str(died.value)


def test_a_server_that_does_not_get_ready_is_given_up(
    clone_of: Clones, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = clone_of("myrocks")
    monkeypatch.setattr(server, "START_S", 0.0)
    with pytest.raises(ServerDied, match="test: the server was not ready in 0 s"):
        _start(spec)


def test_a_server_that_listens_and_says_nothing_is_not_ready(
    clone_of: Clones, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = clone_of("myrocks")
    mute = spec.home.parent / "mute"
    say = f"import socket; s = socket.socket(socket.AF_UNIX); s.bind('{spec.socket_path}'); "
    say += "s.listen(); print('listening'); s.accept()"
    mute.write_text(f'#!/bin/sh\n/usr/bin/python3 -c "{say}"\n')
    mute.chmod(0o755)
    program = replace(binaries.find("myrocks"), mariadbd=mute)
    monkeypatch.setattr(binaries, "find", lambda _engine, _mariadbd: program)
    with pytest.raises(ServerDied, match=r"test: the server died while it started \(.*\): listen"):
        _start(spec)


def test_a_socket_path_that_is_too_long_is_told_in_the_servers_words(clone_of: Clones) -> None:
    spec = clone_of("myrocks")
    with pytest.raises(ServerDied, match="path is too long"):
        _start(replace(spec, home=spec.home.parent / ("long" * 25)))
