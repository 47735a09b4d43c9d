"""Campaigns of kv's shapes on the real driver."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.mark.parametrize("batch", [1, 100])
def test_shapes_take_turns_on_clones_of_one_data_set_with_their_evidence(
    waltax: Any, tiny: Callable[..., Path], batch: int
) -> None:
    kv = waltax.of("kv")
    profile = tiny(rounds_per_session=1, num="20000")
    run = f"[kv.run]\nbatch_size = {batch}\n\n[kv.column_family]"
    text = profile.read_text().replace("[kv.column_family]", run)
    profile.write_text(text)
    done = kv.run("--profile", profile, "--device", "nvme", "--wal", "flush", "--seed", 7)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = kv.rows()
    assert {row["workload"] for row in rows} == {"kv-fillseq", "kv-fillrandom", "kv-overwrite"}
    for row in rows:
        assert (row["status"], row["throughput_unit"]) == ("ok", "writes/s")
        assert (row["wal_bytes"] > 0) == (row["durability"] == "flush")
        assert row["wal_bytes"] == 0 or row["wal_bytes"] > batch * 100 * row["op_WRITE_count"]
    checks = [json.loads(line) for line in (kv.folder() / "checks.jsonl").open()]
    assert {one["cell"] for one in checks} == {row["cell"] for row in rows}


def test_two_phases_are_two_records_of_the_log_and_transactions_of_either_kind_are_one(
    waltax: Any, tiny: Callable[..., Path]
) -> None:
    names = ("kv-pessimistic", "kv-2pc", "kv-optimistic")
    kv = waltax.of(*names)
    profile = tiny(rounds_per_session=1, num="20000")
    done = kv.run("--profile", profile, "--device", "nvme", "--wal", "sync", "--seed", 7)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = kv.rows()
    assert {row["workload"] for row in rows} == set(names)
    assert {row["status"] for row in rows} == {"ok"}
    for row in rows:
        logged = row["wal_bytes"] / row["slice_requests"]
        assert (row["durability"] == "sync") == (logged > 100)
        assert (row["workload"] == "kv-2pc" and logged > 0) == (logged > 150)
