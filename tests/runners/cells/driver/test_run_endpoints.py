"""Campaigns of servers that somebody else runs: real ones, which speak the Redis protocol."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from redis_server import ALWAYS, EVERYSEC, NONE, Redis, Waltax, redis
from waltax.evidence import judgement


@dataclass(frozen=True)
class Measured:
    """A campaign that has ended, and its servers, which have not."""

    waltax: Waltax
    servers: dict[str, Redis]
    done: subprocess.CompletedProcess[str]

    def endpoints(self) -> list[str]:
        return [f"--endpoint={label}={one.url}" for label, one in self.servers.items()]


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Measured]:
    """Workload F, whose check adds up what was acknowledged."""
    home = tmp_path_factory.mktemp("endpoints")
    with (
        redis(home, "a", *ALWAYS) as always,
        redis(home, "b", *EVERYSEC) as everysec,
        redis(home, "c", *NONE) as none,
    ):
        servers = {"sync": always, "delayed": everysec, "off": none}
        one = Measured(Waltax(home), servers, subprocess.CompletedProcess("", 0))
        words = ("--workload=ycsb-f", "--seed=7", *one.endpoints())
        yield Measured(one.waltax, servers, one.waltax.run(*words))


def test_each_mode_is_compared_with_the_server_without_a_log(measured: Measured) -> None:
    done = measured.done
    assert done.returncode == 0, done.stdout + done.stderr
    assert "YCSB F (read-modify-write) on endpoints" in done.stdout
    assert "owner sync" in done.stdout
    rows = measured.waltax.rows()
    assert {row["status"] for row in rows} == {"ok"}
    assert {row["durability"] for row in rows} == {"sync", "delayed", "off"}
    for session in {row["session"] for row in rows}:
        assert len({row["cell"] for row in rows if row["session"] == session}) == 3


def test_a_row_says_who_placed_the_log_and_what_its_server_says_of_it(measured: Measured) -> None:
    for row in measured.waltax.rows():
        server = measured.servers[row["durability"]]
        assert row["endpoint"] == server.url
        assert row["log_mode"] == row["durability"]
        assert row["device_kind"] == ("none" if row["durability"] == "off" else "owner")
        assert (row["wal_bytes"] > 0) == (row["durability"] != "off")
        assert f"its owner runs it, and decides on its log: {server.url}" in row["warnings"]
        assert row["versions"]["redis"]
        assert row["cpu_server_user_s"] >= 0
        assert not [name for name in row if name.startswith("tap_")]
    assert "its server's settings mean sync (aof_enabled 1, appendfsync always)" in (
        measured.done.stdout
    )


def test_the_data_are_checked_after_every_session(measured: Measured) -> None:
    path = measured.waltax.folder() / "checks.jsonl"
    counted = [json.loads(line)["counted"] for line in path.open()]
    assert len(counted) == len({(row["session"], row["cell"]) for row in measured.waltax.rows()})
    assert all(one["usertable"] == 2000 for one in counted)


def test_a_row_that_was_changed_is_refused_when_it_is_read(measured: Measured) -> None:
    rows = measured.waltax.rows()
    assert not any(judgement.untrue(row) for row in rows)
    off = next(row for row in rows if row["durability"] == "off")
    assert judgement.untrue({**off, "wal_bytes": 1}) == [
        "labelled off, but its log grew by 1 bytes"
    ]
    assert judgement.untrue({**off, "log_mode": "sync"})
    sync = next(row for row in rows if row["durability"] == "sync")
    assert "want more than" in judgement.untrue({**sync, "wal_bytes": 0})[0]


def test_a_resumed_campaign_finds_its_servers_and_its_data(measured: Measured) -> None:
    before = len(measured.waltax.rows())
    done = measured.waltax.run("--resume", measured.waltax.folder())
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"resuming {measured.waltax.folder().name} after {before} rows" in done.stdout


def test_a_cell_whose_server_dies_or_contradicts_its_label_fails_by_name_and_others_go_on(
    measured: Measured, tmp_path: Path
) -> None:
    waltax = Waltax(tmp_path)
    with redis(tmp_path, "doomed", *ALWAYS) as doomed, redis(tmp_path, "liar", *NONE) as liar:
        strangers = {"doomed/sync": doomed, "liar/sync": liar}
        words = [f"--endpoint={label}={one.url}" for label, one in strangers.items()]
        process = subprocess.Popen(
            waltax.argv("--workload=ycsb-a", *measured.endpoints(), *words, budget_s=3.0),
            stdout=subprocess.PIPE,
            text=True,
        )
        results = tmp_path / "results"
        while process.poll() is None and not list(results.glob("*/rows.jsonl")):
            time.sleep(0.05)
        doomed.kill()
        out, _ = process.communicate(timeout=120)
    assert process.returncode == 1, out
    failed = {row["device"]: row for row in waltax.rows() if row["status"] == "failed"}
    assert failed.keys() == {"doomed", "liar"}
    assert f"endpoint {doomed.url}: " in failed["doomed"]["failure"]
    assert "labelled sync, but its server's settings mean off" in failed["liar"]["failure"]
    assert all(one.ask("PING") == "PONG" for one in measured.servers.values())
    last = max(row["slice"] for row in failed.values())
    later = [row for row in waltax.rows() if row["slice"] > last]
    assert {row["durability"] for row in later} == {"sync", "delayed", "off"}


def test_a_mix_is_measured_on_servers(tmp_path: Path) -> None:
    waltax = Waltax(tmp_path)
    with redis(tmp_path, "a", *ALWAYS) as always, redis(tmp_path, "b", *NONE) as none:
        words = ("--workload=outbox", f"--endpoint=sync={always.url}", f"--endpoint=off={none.url}")
        done = waltax.run(*words, "--seed=7")
        assert done.returncode == 0, done.stdout + done.stderr
        rows = waltax.rows()
        assert {(row["status"], row["workload"]) for row in rows} == {("ok", "outbox")}
        checks = [json.loads(line) for line in (waltax.folder() / "checks.jsonl").open()]
        assert all(one["counted"]["accounts"] == 5000 for one in checks)
