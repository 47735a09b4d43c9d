"""A command measured on a server per device."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from serving import CLIENT, TABLE, Serve, left_behind
from waltax import row
from waltax.mariadb import account, datadir
from waltax.mariadb.server import running
from with_server import spec_in

_INSERT = f'{CLIENT} -e "INSERT INTO t (b) VALUES (1); INSERT INTO t (b) VALUES (2)"'

# Until the server is gone: the signal does not wait for that, which may take seconds.
_SHUTDOWN = (
    f'pid=$(cat $({CLIENT} -N -e "SELECT @@pid_file")); kill $pid; '
    "while [ -e /proc/$pid/exe ]; do sleep 0.1; done"
)


def _rows(serve: Serve) -> list[dict[str, Any]]:
    return row.read(serve.folder() / "rows.jsonl")


def test_a_command_is_measured_on_every_device_with_the_log_where_its_label_says(
    serve: Serve,
) -> None:
    done = serve.measure(
        *("--device=nvme", "--sessions=2", "--rounds=3", f"--prepare={TABLE}"),
        command=f"{_INSERT} && echo rate: 1,$((200 + $$ % 100)).5",
        metric=r"rate: ([\d,.]+)",
    )
    assert done.returncode == 0, done.stderr + done.stdout
    rows = _rows(serve)
    assert {one["device"] for one in rows} == {"off", "nvram", "nvme"}
    assert len(rows) == 3 * 2 * 3
    for one in rows:
        assert one["status"] == "ok"
        assert one["workload"] == "command"
        assert one["throughput_unit"] == "metric"
        assert 1200.5 <= one["throughput"] < 1300.5
        if one["device"] == "off":
            assert one["wal_bytes"] == one["tap_write_bytes"] == 0
        else:
            assert one["wal_syncs"] >= 2
            # One of the server's own may come after the first count and before the tap's, or the
            # other way round.
            assert one["tap_syncs"] >= one["wal_syncs"] - 2
            assert one["tap_write_bytes"] >= one["wal_bytes"] > 0
            assert one["device"] in one["wal_dir"]
            assert one["wal_dir"].startswith("/dev/shm/")
    assert "against off, the WAL costs" in done.stdout
    assert left_behind(serve) == []


def test_every_round_visits_every_server_once_and_orders_differ(serve: Serve) -> None:
    words = ("--device=nvme", "--sessions=2", "--rounds=4", "--seed=7")
    serve.measure(*words, command="echo 1")
    orders: dict[tuple[int, int], list[str]] = {}
    for one in _rows(serve):
        orders.setdefault((one["session"], one["round"]), []).append(one["device"])
    assert len(orders) == 8
    assert all(sorted(order) == ["nvme", "nvram", "off"] for order in orders.values())
    assert len({tuple(order) for order in orders.values()}) > 1


def test_only_one_server_is_awake(serve: Serve, tmp_path: Path) -> None:
    mine = (
        f"for p in $(pgrep -x mariadbd); do grep -qs {tmp_path.name} /proc/$p/cmdline && "
        "cut -d' ' -f3 /proc/$p/stat; done"
    )
    done = serve.measure("--device=nvme", command=f"{mine} | grep -c T")
    assert done.returncode == 0, done.stdout
    assert {one["throughput"] for one in _rows(serve)} == {2.0}


def test_a_session_starts_from_the_prepared_data(serve: Serve) -> None:
    count = f'{CLIENT} -N -e "INSERT INTO t (b) VALUES (1); SELECT COUNT(*) FROM t"'
    serve.measure("--sessions=2", "--rounds=2", f"--prepare={TABLE}", command=count)
    assert [one["throughput"] for one in _rows(serve) if one["device"] == "off"] == [1, 2, 1, 2]


def test_a_log_that_is_off_and_gets_a_table_all_the_same_is_warned_of(serve: Serve) -> None:
    drop = f'{CLIENT} -e "CREATE TABLE u (a INT PRIMARY KEY); DROP TABLE u"; echo 1'
    assert serve.measure(command=drop).returncode == 0
    (off,) = (one for one in _rows(serve) if one["device"] == "off")
    assert "the log is off, but" in " ".join(off["warnings"])


def test_innodb_is_compared_with_its_delayed_log(serve: Serve) -> None:
    done = serve.measure(
        f"--prepare={TABLE}", command=f"{_INSERT} && echo 5", metric="(5)", engine="innodb"
    )
    assert done.returncode == 0, done.stderr + done.stdout
    found = {(one["device"], one["durability"]) for one in _rows(serve)}
    assert found == {("nvram", mode) for mode in ("sync", "flush", "delayed")}
    assert all(one["tap_syncs"] >= 2 for one in _rows(serve) if one["durability"] == "sync")


def test_a_command_that_fails_fails_its_cell_and_not_the_others(
    serve: Serve, tmp_path: Path
) -> None:
    once = f"mkdir {tmp_path}/first 2>/dev/null && {{ echo lost it >&2; exit 4; }}; echo 1"
    done = serve.measure("--device=nvme", "--rounds=2", command=once)
    assert done.returncode == 1
    failed = [one for one in _rows(serve) if one["status"] == "failed"]
    assert len(failed) == 1
    assert "exit code 4): lost it" in failed[0]["failure"]
    assert f"FAILED {failed[0]['cell']}: --run" in done.stdout
    others = {one["cell"] for one in _rows(serve) if one["status"] == "ok"}
    assert len(others) == 2


@pytest.mark.parametrize(
    ("engine", "variable", "value"),
    [
        ("myrocks", "rocksdb_flush_log_at_trx_commit", "2"),
        ("innodb", "innodb_flush_log_at_trx_commit", "0"),
    ],
)
def test_a_command_that_changes_the_mode_fails_its_cell(
    serve: Serve, engine: str, variable: str, value: str
) -> None:
    command = f'{CLIENT} -e "SET GLOBAL {variable} = {value}"; echo 1'
    done = serve.measure("--wal=sync", _powerful(serve, engine), command=command, engine=engine)
    assert done.returncode == 1
    (failed,) = (one for one in _rows(serve) if one["durability"] == "sync")
    assert failed["status"] == "failed"
    assert f"{variable} is {value}, and must be 1" in failed["failure"]


@pytest.mark.parametrize("engine", ["myrocks", "innodb"])
def test_a_command_may_not_change_the_mode_unless_the_data_is_the_users(
    serve: Serve, engine: str
) -> None:
    variable = {"myrocks": "rocksdb", "innodb": "innodb"}[engine] + "_flush_log_at_trx_commit"
    done = serve.measure(command=f'{CLIENT} -e "SET GLOBAL {variable} = 0"', engine=engine)
    assert done.returncode == 1
    assert all("Access denied; you need" in one["failure"] for one in _rows(serve))


def _powerful(serve: Serve, engine: str) -> str:
    """The flag for a data directory of the user's own, in which our account may do more."""
    spec = replace(spec_in(serve.home / "own", engine), wal_dir=None)
    datadir.create(spec)
    statements = serve.home / "rights.sql"
    statements.write_text(f"GRANT SUPER ON *.* TO `{account.user()}`@localhost;\n")
    told = {**spec.settings, "init_file": str(statements)}
    with running(replace(spec, settings=told)) as server:
        server.shutdown()
    return f"--data={spec.datadir}"


@pytest.mark.parametrize("engine", ["myrocks", "innodb"])
def test_commits_that_wait_although_the_mode_says_otherwise_fail_the_cell(
    serve: Serve, engine: str
) -> None:
    variable = {"myrocks": "rocksdb", "innodb": "innodb"}[engine] + "_flush_log_at_trx_commit"
    inserts = "INSERT INTO t (b) VALUES (1);" * 500
    waiting = f"SET GLOBAL {variable} = 1; {inserts} SET GLOBAL {variable} = 2"
    words = ("--wal=flush", f"--prepare={TABLE}", _powerful(serve, engine))
    fair = serve.measure(*words, command=f'{CLIENT} -e "{inserts}"; echo 1', engine=engine)
    assert fair.returncode == 0, fair.stdout
    shutil.rmtree(serve.results)
    serve.measure(*words, command=f'{CLIENT} -e "{waiting}"; echo 1', engine=engine)
    (failed,) = (one for one in _rows(serve) if one["durability"] == "flush")
    assert re.search(r"durability flush, but the \w+ counted \d+ WAL", str(failed["failure"])), [
        failed.get(name) for name in ("tap_syncs", "tap_writes", "measure_s", "wal_bytes")
    ]


def test_tables_may_be_made_in_every_mode(serve: Serve) -> None:
    tables = "CREATE TABLE u (a INT PRIMARY KEY, KEY (a)); TRUNCATE u; ALTER TABLE u ADD b INT;"
    command = f'{CLIENT} -e "{(tables + "DROP TABLE u;") * 10}" && echo 1'
    done = serve.measure("--wal=flush", command=command, engine="innodb")
    assert done.returncode == 0, done.stdout
    shutil.rmtree(serve.results)
    done = serve.measure("--wal=flush", command=command)
    assert done.returncode == 0, done.stdout


def test_a_server_that_a_command_kills_is_what_its_cell_failed_of(serve: Serve) -> None:
    done = serve.measure(command=f"{_SHUTDOWN}; {CLIENT} -e 'SELECT 1'")
    assert done.returncode == 1
    assert all("the server died" in one["failure"] for one in _rows(serve))


def test_a_server_that_dies_although_the_command_ends_well_fails_the_cell(serve: Serve) -> None:
    done = serve.measure(command=f"{_SHUTDOWN}; echo 1")
    assert done.returncode == 1
    assert {one["status"] for one in _rows(serve)} == {"failed"}
    assert all("the server died" in one["failure"] for one in _rows(serve))


@pytest.mark.parametrize(
    ("words", "command", "metric", "said"),
    [
        ((), "echo slow", r"rate: (\d+)", "matches nothing in the command's output"),
        ((), "echo rate: fast", "rate: (.*)", "found 'fast', want a number"),
        (("--timeout=0.5",), "echo 1; sleep 60", "(.+)", "within 0.5 s (--timeout)"),
        ((), "no-such-program", "(.+)", "exit code 127"),
    ],
)
def test_a_command_that_gives_no_number_is_told_why(
    serve: Serve, words: tuple[str, ...], command: str, metric: str, said: str
) -> None:
    done = serve.measure(*words, command=command, metric=metric)
    assert done.returncode == 1
    assert said in done.stdout
    assert {one["status"] for one in _rows(serve)} == {"failed"}
    assert left_behind(serve) == []


@pytest.mark.parametrize("metric", ["(", "no group", "(two) (groups)"])
def test_a_metric_that_cannot_be_is_refused_before_anything_is_started(
    serve: Serve, metric: str
) -> None:
    done = serve.measure(command="echo 1", metric=metric)
    assert done.returncode == 2
    assert "--metric" in done.stderr
    assert not serve.results.exists()


def test_a_preparation_that_fails_ends_it_all(serve: Serve) -> None:
    done = serve.measure("--prepare=echo no disk >&2; exit 5", command="echo 1")
    assert done.returncode == 1
    assert "--prepare: the command failed (exit code 5): no disk" in done.stderr
    assert left_behind(serve) == []


def test_ctrl_c_keeps_the_row_prints_the_table_and_exits_130(serve: Serve) -> None:
    command = "sleep 0.3; echo 1"
    words = ("--device=nvram", "--rounds=1000", f"--results={serve.results}", "--metric=(.+)")
    process = serve.start(*words, f"--run={command}")
    while process.poll() is None and not _has_rows(serve, 4):
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "interrupted" in out
    assert "overhead" in out
    assert all(one["status"] == "ok" for one in _rows(serve))
    assert left_behind(serve) == []


def test_a_signal_while_the_data_are_prepared_ends_it_and_leaves_nothing(
    serve: Serve, tmp_path: Path
) -> None:
    begun = tmp_path / "begun"
    words = ("--device=nvram", f"--results={serve.results}", "--metric=(.+)", "--run=echo 1")
    process = serve.start(*words, f"--prepare=touch {begun}; sleep 60")
    while process.poll() is None and not begun.exists():
        time.sleep(0.01)
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert left_behind(serve) == []


def test_data_that_are_not_there_are_refused_when_it_is_planned(serve: Serve) -> None:
    done = serve.measure("--plan", "--data=/no/such/data", command="echo 1")
    assert done.returncode == 2
    assert "--data: found '/no/such/data', which is no data directory of myrocks" in done.stderr


def test_a_killed_measurement_is_resumed_with_its_command(serve: Serve, tmp_path: Path) -> None:
    """The data are prepared anew, since the killed one's folders are gone."""
    words = ("--device=nvram", "--rounds=2", "--sessions=2", f"--results={serve.results}")
    once = f"--prepare={TABLE}; echo x >> {tmp_path}/prepared"
    count = f'{CLIENT} -N -e "INSERT INTO t (b) VALUES (1); SELECT COUNT(*) FROM t"; sleep 0.2'
    process = serve.start(*words, once, f"--run={count}", "--metric=(.+)", "--seed=7")
    while process.poll() is None and not _has_rows(serve, 1):
        time.sleep(0.01)
    process.kill()
    process.communicate(timeout=60)
    before = len(_rows(serve))
    done = serve.resume()
    assert done.returncode == 0, done.stderr + done.stdout
    assert f"after {before} rows" in done.stdout
    rows = _rows(serve)
    assert {one["session"] for one in rows} == {0, 1}
    assert [one["throughput"] for one in rows if one["session"] == 1] == [1, 1, 2, 2]
    assert (tmp_path / "prepared").read_text().split() == ["x", "x"]
    assert left_behind(serve) == []


def test_the_plan_of_a_command_is_its_runs_and_writes_nothing(serve: Serve) -> None:
    done = serve.measure("--plan", "--sessions=3", "--rounds=4", command="echo 1")
    assert done.returncode == 0, done.stderr
    assert "at least 24 whole runs; time not known" in done.stdout
    assert not serve.results.exists()


def _has_rows(serve: Serve, count: int) -> bool:
    if not serve.results.exists() or not any(serve.results.iterdir()):
        return False
    path = serve.folder() / "rows.jsonl"
    return path.exists() and path.read_text().count("\n") >= count


def test_what_was_asked_is_kept_beside_the_rows(serve: Serve) -> None:
    serve.measure("--seed=7", command="echo 1")
    kept = json.loads((serve.folder() / "campaign.json").read_text())
    assert kept["command"]["run"] == "echo 1"
    assert kept["seed"] == 7
    assert list(serve.folder().glob("*-nvram-sync.out"))


def test_a_real_directory_of_another_class_is_refused_unless_allowed(
    serve: Serve, small_disk: Any
) -> None:
    disk = small_disk(64)
    disk.chmod(0o777)
    words = ("--device=nvme", f"--wal-dir={disk}", f"--results={serve.results}")
    refused = serve.run(*words, "--run=echo 1", "--metric=(.+)")
    assert refused.returncode == 2
    assert "nvme" in refused.stderr
    allowed = serve.run(
        *words, "--allow-mismatch", "--run=echo 1", "--metric=(.+)", "--sessions=1", "--rounds=1"
    )
    assert allowed.returncode == 0, allowed.stderr + allowed.stdout
    real = [one for one in _rows(serve) if one["device"] == "nvme"]
    assert real
    assert all(one["wal_dir"].startswith(str(disk)) for one in real)
    assert not any(one["emulated"] for one in real)
    assert subprocess.run(["ls", disk], capture_output=True, check=True).stdout == b""
