"""A command measured on a server per device."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from serving import CLIENT, TABLE, Serve, left_behind
from waltax import row
from waltax.engines.server import account, datadir
from waltax.engines.server.server import running
from waltax.evidence import judgement
from with_server import MEMORY, open_folder, spec_in

_INSERT = f'{CLIENT} -e "INSERT INTO t (b) VALUES (1); INSERT INTO t (b) VALUES (2)"'

# Until the server is gone: the signal does not wait for that, which may take seconds.
_SHUTDOWN = (
    f'pid=$(cat $({CLIENT} -N -e "SELECT @@pid_file")); kill $pid; '
    "while [ -e /proc/$pid/exe ]; do sleep 0.1; done"
)


def _rows(serve: Serve) -> list[dict[str, Any]]:
    return row.read(serve.folder() / "rows.jsonl")


@pytest.fixture(scope="module")
def measured() -> Iterator[tuple[Serve, str]]:
    """Two sessions of two rounds on three servers, and what was said. Not to be changed.

    Its command inserts two rows and gives 1,200.5 and the number of rows; it says how many of the
    servers are stopped.
    """
    with open_folder(MEMORY) as home:
        serve = Serve(home)
        stopped = (
            f"for p in $(pgrep -x mariadbd); do grep -qs {home.name} /proc/$p/cmdline && "
            "cut -d' ' -f3 /proc/$p/stat; done | grep -c T"
        )
        count = f'{CLIENT} -N -e "SELECT COUNT(*) FROM t"'
        done = serve.measure(
            *("--device=nvme", "--sessions=2", "--rounds=2", "--seed=7", f"--prepare={TABLE}"),
            command=f"{_INSERT} && echo stopped: $({stopped}) rate: 1,$((200 + $({count}))).5",
            metric=r"rate: ([\d,.]+)",
        )
        assert done.returncode == 0, done.stderr + done.stdout
        yield serve, done.stdout


def test_a_command_is_measured_on_every_device_with_the_log_where_its_label_says(
    measured: tuple[Serve, str],
) -> None:
    serve, said = measured
    rows = _rows(serve)
    assert {one["device"] for one in rows} == {"off", "nvram", "nvme"}
    assert len(rows) == 3 * 2 * 2
    for one in rows:
        assert one["status"] == "ok"
        assert one["workload"] == "command"
        assert one["throughput_unit"] == "metric"
        if one["device"] == "off":
            assert one["wal_bytes"] == one["tap_write_bytes"] == 0
        else:
            assert one["wal_bytes"] > 0
            assert one["device"] in one["wal_dir"]
            assert one["wal_dir"].startswith("/dev/shm/")
        assert judgement.untrue(one) == []
    assert "the WAL costs" in said
    assert left_behind(serve) == []


def test_every_round_visits_every_server_once_and_orders_differ(
    measured: tuple[Serve, str],
) -> None:
    orders: dict[tuple[int, int], list[str]] = {}
    for one in _rows(measured[0]):
        orders.setdefault((one["session"], one["round"]), []).append(one["device"])
    assert len(orders) == 4
    assert all(sorted(order) == ["nvme", "nvram", "off"] for order in orders.values())
    assert len({tuple(order) for order in orders.values()}) > 1


def test_only_one_server_is_awake(measured: tuple[Serve, str]) -> None:
    outputs = [path.read_text() for path in measured[0].folder().glob("*.out")]
    assert outputs
    assert all("stopped: 2 " in text for text in outputs)


def test_a_session_starts_from_the_prepared_data(measured: tuple[Serve, str]) -> None:
    for device in ("off", "nvram", "nvme"):
        found = [one["throughput"] for one in _rows(measured[0]) if one["device"] == device]
        assert found == [1202.5, 1204.5] * 2


def test_what_was_asked_is_kept_beside_the_rows(measured: tuple[Serve, str]) -> None:
    folder = measured[0].folder()
    asked = json.loads((folder / "campaign.json").read_text())
    assert asked["command"]["run"].startswith(_INSERT)
    assert asked["seed"] == 7
    assert list(folder.glob("*-nvram-sync.out"))


@pytest.mark.parametrize("engine", ["myrocks", "innodb"])
def test_tables_may_be_made_in_every_mode_and_a_log_that_is_off_is_warned_of(
    serve: Serve, engine: str
) -> None:
    tables = "CREATE TABLE u (a INT PRIMARY KEY, KEY (a)); TRUNCATE u; ALTER TABLE u ADD b INT;"
    command = f'{_INSERT} && {CLIENT} -e "{(tables + "DROP TABLE u;") * 10}" && echo 1'
    words = [f"--prepare={TABLE}", *(["--wal=flush"] if engine == "myrocks" else [])]
    done = serve.measure(*words, command=command, engine=engine)
    assert done.returncode == 0, done.stderr + done.stdout
    rows = {one["durability"]: one for one in _rows(serve)}
    modes = {"myrocks": {"off", "flush"}, "innodb": {"delayed", "flush", "sync"}}
    assert rows.keys() == modes[engine]
    if engine == "myrocks":
        assert "the log is off, but" in " ".join(rows["off"]["warnings"])


def test_a_command_that_fails_fails_its_cell_and_not_the_others(serve: Serve) -> None:
    """A cell each: what says nothing, what is refused, and what ends its server."""
    branches = {
        "nvram": "echo slow",
        "nvme": "echo lost it >&2; exit 4",
        "ssd": f'{CLIENT} -e "SET GLOBAL rocksdb_flush_log_at_trx_commit = 0"',
        "ssd-plp": "echo rate: 1; sleep 60",
        "pmem-dax": f"{_SHUTDOWN}; {CLIENT} -e 'SELECT 1'",
        "optane-p4800x": f"{_SHUTDOWN}; echo rate: 1",
    }
    done = serve.measure(
        *(f"--device={device}" for device in branches),
        *("--rounds=2", "--timeout=6"),
        command=_by_cell("sync", branches, "echo rate: 1"),
        metric=r"rate: (\d+)",
    )
    assert done.returncode == 1
    rows = _rows(serve)
    failed = {one["device"]: one for one in rows if one["status"] == "failed"}
    assert failed.keys() == branches.keys(), done.stdout
    for device, words in {
        "nvram": "matches nothing in the command's output",
        "nvme": "exit code 4): lost it",
        "ssd": "Access denied; you need",
        "ssd-plp": "within 6 s (--timeout)",
        "pmem-dax": "the server died",
        "optane-p4800x": "the server died",
    }.items():
        assert words in failed[device]["failure"]
        assert f"FAILED {failed[device]['cell']}: " in done.stdout
    assert {one["device"] for one in rows if one["status"] == "ok"} == {"off"}
    assert left_behind(serve) == []


def _by_cell(mode: str, branches: dict[str, str], otherwise: str) -> str:
    """A command that does on each device in that mode another thing."""
    cases = "".join(f"*-{name}-{mode}-*) {command};; " for name, command in branches.items())
    datadir_ = f'$({CLIENT} -N -e "SELECT @@datadir")'
    return f"case {datadir_} in {cases}*) {otherwise};; esac"


@pytest.mark.parametrize("engine", ["myrocks", "innodb"])
def test_a_command_that_changes_the_mode_or_commits_otherwise_fails_its_cell(
    serve: Serve, engine: str
) -> None:
    """In the second round: in the first it is fair, and believed. Only a user's own data let it."""
    variable = {"myrocks": "rocksdb", "innodb": "innodb"}[engine] + "_flush_log_at_trx_commit"
    inserts = "INSERT INTO t (b) VALUES (1);" * 500
    fair = f'{CLIENT} -e "{inserts}"'
    waiting = f"SET GLOBAL {variable} = 1; {inserts} SET GLOBAL {variable} = 2"
    first = f"mkdir {serve.home}/$(basename $(dirname $WALTAX_SOCKET)) 2>/dev/null"
    branches = {
        "nvram": f"{first} || {CLIENT} -e 'SET GLOBAL {variable} = 1'; echo 1",
        "nvme": f"{{ {first} && {fair}; }} || {CLIENT} -e '{waiting}'; echo 1",
    }
    done = serve.measure(
        *("--device=nvme", "--wal=flush", "--rounds=2", f"--prepare={TABLE}"),
        _powerful(serve, engine),
        command=_by_cell("flush", branches, "echo 1"),
        engine=engine,
    )
    assert (done.returncode, done.stderr) == (1, ""), done.stdout
    rows = _rows(serve)
    assert [one["round"] for one in rows if one["status"] == "failed"] == [1, 1], done.stdout
    why = {one["device"]: one["failure"] for one in rows if one["status"] == "failed"}
    assert f"{variable} is 1, and must be 2" in why["nvram"]
    assert re.search(r"durability flush, but the \w+ counted \d+ WAL", why["nvme"])


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


def test_a_metric_that_cannot_be_is_refused_before_anything_is_started(serve: Serve) -> None:
    done = serve.measure(command="echo 1", metric="no group")
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
    process = serve.start(*words, "--", command, name="try")
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
    words = ("--device=nvram", f"--results={serve.results}", "--metric=(.+)")
    prepared = f"--prepare=touch {begun}; sleep 60"
    process = serve.start(*words, prepared, "--", "echo 1", name="try")
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
    process = serve.start(*words, once, "--metric=(.+)", "--seed=7", "--", count, name="try")
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


def test_a_real_directory_of_another_class_is_refused_unless_allowed(
    serve: Serve, small_disk: Any
) -> None:
    disk = small_disk(64)
    disk.chmod(0o777)
    words = ("--device=nvme", f"--wal-dir={disk}", f"--results={serve.results}", "--metric=(.+)")
    refused = serve.run(*words, "--", "echo 1", name="try")
    assert refused.returncode == 2
    assert "nvme" in refused.stderr
    once = ("--allow-mismatch", "--sessions=1", "--rounds=1", "--", "echo 1")
    allowed = serve.run(*words, *once, name="try")
    assert allowed.returncode == 0, allowed.stderr + allowed.stdout
    real = [one for one in _rows(serve) if one["device"] == "nvme"]
    assert real
    assert all(one["wal_dir"].startswith(str(disk)) for one in real)
    assert not any(one["emulated"] for one in real)
    assert subprocess.run(["ls", disk], capture_output=True, check=True).stdout == b""
