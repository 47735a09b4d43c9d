"""Campaigns of YCSB's six workloads on the real driver."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from waltax.ycsb.workload import WORKLOADS

Tiny = Callable[..., Path]
_COUNTED = {"ycsb-e": "SCAN", "ycsb-f": "READ-MODIFY-WRITE"}


def test_all_six_take_turns_on_clones_of_one_data_set(waltax: Any, tiny: Tiny) -> None:
    ycsb = waltax.of("ycsb")
    done = ycsb.run("--profile", tiny(rounds_per_session=1), "--device", "nvme", "--seed", 7)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("loading ycsb-2000-") <= 1
    rows = [row for row in ycsb.rows() if row["replica"] == ""]
    assert {row["workload"] for row in rows} == {one.name for one in WORKLOADS}
    for one in WORKLOADS:
        (sync, *_) = [
            row for row in rows if row["workload"] == one.name and row["durability"] == "sync"
        ]
        assert sync["status"] == "ok"
        assert sync["throughput_unit"] == "ops/s"
        shares = {
            rule["name"].removesuffix(" share"): rule["mean"]
            for rule in sync["inputs"]
            if rule["name"].endswith(" share")
        }
        told = {name: share for name, share in one.run.items() if isinstance(share, float)}
        assert sorted(shares.values()) == sorted(s for s in told.values() if 0 < s < 1)
        # Defect Y4: whether there is a log, and whether it is synced, is the cell's.
        assert bool(one.writes) == (sync["wal_bytes"] > 0) == (sync["tap_syncs"] > 0)
    checks = (ycsb.folder() / "checks.jsonl").read_text().splitlines()
    assert {json.loads(line)["cell"] for line in checks} == {row["cell"] for row in ycsb.rows()}


def test_one_is_measured_without_a_sync(waltax: Any, tiny: Tiny) -> None:
    ycsb = waltax.of("ycsb-f")
    done = ycsb.run("--profile", tiny(), "--device", "nvme", "--wal", "flush")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "YCSB F (read-modify-write) on RocksDB, profile tiny, 2 threads" in done.stdout
    rows = [row for row in ycsb.rows() if row["durability"] == "flush"]
    assert rows
    for row in rows:
        assert row["wal_bytes"] > 0
        assert row["tap_syncs"] == 0
        assert row["op_READ-MODIFY-WRITE_count"] > 0


@pytest.mark.parametrize("engine", ["myrocks", "innodb"])
def test_they_run_on_a_server_and_their_checks_pass(
    served: Any, tiny_of: Tiny, engine: str
) -> None:
    ycsb = served.of("ycsb-e", "ycsb-f")
    profile = tiny_of(engine, rounds_per_session="1", time_budget_s="0.5")
    done = ycsb.run("--engine", engine, "--profile", profile, "--device", "nvram", "--wal", "sync")
    assert done.returncode == 0, done.stdout + done.stderr
    checks = [json.loads(line) for line in (ycsb.folder() / "checks.jsonl").open()]
    assert {one["cell"] for one in checks} == {row["cell"] for row in ycsb.rows()}
    for row in ycsb.rows():
        assert row[f"op_{_COUNTED[row['workload']]}_count"] > 0
