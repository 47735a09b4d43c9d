"""A server's second log, the binlog: on a device of its own, or on the WAL's."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from waltax.evidence import judgement

TinyOf = Callable[..., Path]


def _run(waltax: Any, engine: str, profile: Path, *words: object) -> Any:
    done = waltax.run("--engine", engine, "--profile", profile, *words)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


def test_a_binlog_is_told_apart_from_the_wal_with_evidence_for_both(
    served: Any, tiny_of: TinyOf
) -> None:
    words = ("--device", "off", "--device", "nvme", "--binlog", "nvram")
    done = _run(served, "myrocks", tiny_of("myrocks"), *words)
    assert "binlog: nvram (emulated), synced with each group of commits" in done.stdout
    assert "binlog on nvram (emulated), " in done.stdout
    rows = served.rows()
    assert {row["device"] for row in rows} == {"off", "nvme"}
    for row in rows:
        assert (row["binlog_device"], row["binlog_emulated"]) == ("nvram", True)
        assert judgement.untrue(row) == []
        assert row["binlog_bytes_written"] > 0
        assert {Path(name).name for name in row["binlog_files"]} == {"binlog.000001"}
        assert not any("binlog" in name for name in row["wal_files"])
        if row["device"] == "off":  # but for the server's own
            assert row["wal_bytes"] < row["binlog_bytes"] / 100
        else:
            assert row["wal_syncs"] > 0
    told = (served.folder() / "myrocks-linkbench-tiny-nvme-sync-t2.cnf").read_text()
    assert "sync_binlog = 1" in told
    assert "skip_log_bin" not in told
    _a_binlog_without_its_syncs_is_no_longer_believed(served.folder() / "rows.jsonl")


def test_a_binlog_is_synced_after_as_many_groups_of_commits_as_asked_for(
    served: Any, tiny_of: TinyOf
) -> None:
    words = ("--device", "nvme", "--wal", "flush", "--binlog", "same", "--set", "sync_binlog=1,50")
    done = _run(served, "innodb", tiny_of("innodb", min_sessions="1"), *words)
    rows = served.rows()
    assert {(row["set"], row["binlog_sync_every"]) for row in rows} == {
        ("sync_binlog=1", 1),
        ("sync_binlog=50", 50),
    }
    for row in rows:
        few = row["binlog_syncs"] < row["binlog_writes"] / 10
        assert few == (row["binlog_sync_every"] == 50)
        assert judgement.untrue(row) == []
    assert "not durable: sync_binlog is 50: the binlog can miss the last 50 groups" in done.stdout


def _a_binlog_without_its_syncs_is_no_longer_believed(path: Path) -> None:
    last = json.loads(path.read_text().splitlines()[-1])
    assert judgement.untrue(last) == []
    why = judgement.untrue({**last, "binlog_syncs": 1, "binlog_group_commits": None})
    assert why
    assert "syncs of the binlog" in why[0]


@pytest.mark.nightly
def test_both_logs_of_innodb_wait_on_the_same_device(served: Any, tiny_of: TinyOf) -> None:
    words = ("--device", "nvme", "--wal", "sync", "--binlog", "same")
    done = _run(served, "innodb", tiny_of("innodb"), *words)
    assert "binlog: on the WAL's device, synced with" in done.stdout
    assert "the WAL's device, nvme (emulated)" in done.stdout
    for row in served.rows():
        assert (row["binlog_device"], row["binlog_shares_device"]) == ("nvme", True)
        assert row["binlog_syncs"] > 0
        assert row["wal_bytes"] > 0
        wal = Path(row["wal_dir"]).parent
        assert all(Path(name).is_relative_to(wal) for name in row["binlog_files"])


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--binlog=nvram"], "--binlog: found nvram with --engine rocksdb, which writes no second"),
        (["--engine=myrocks", "--binlog=off"], "--binlog: found off, which writes no log"),
        (["--engine=myrocks", "--binlog=nvmee"], '--binlog: unknown device "nvmee"'),
        (["--engine=myrocks", "--binlog=same"], "--binlog: found same with 3 devices"),
    ],
)
def test_a_binlog_that_cannot_be_is_refused_by_name(
    waltax: Any, words: list[str], why: str
) -> None:
    done = waltax.run("--plan", *words)
    assert done.returncode == 2
    assert why in done.stderr
