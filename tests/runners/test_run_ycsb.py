"""Campaigns of YCSB's workloads on the real driver."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from waltax import workloads
from waltax.evidence import judgement
from waltax.row import Row

Tiny = Callable[..., Path]
_COUNTED = {"ycsb-e": "SCAN", "ycsb-f": "READ-MODIFY-WRITE"}


def _measured(ycsb: Any, *words: object) -> list[Row]:
    """The rows of a campaign, which are true, and each of whose cells was checked."""
    done = ycsb.run(*words)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("loading mix-") <= 1
    rows = judgement.read(ycsb.folder() / "rows.jsonl")
    assert {(row["status"], row["throughput_unit"]) for row in rows} == {("ok", "ops/s")}
    checks = (ycsb.folder() / "checks.jsonl").read_text().splitlines()
    assert {json.loads(line)["cell"] for line in checks} == {row["cell"] for row in rows}
    return rows


def _require_operations(rows: list[Row]) -> None:
    """Each row counts the operations of its file, and no others."""
    for row in rows:
        operations = tomllib.loads(workloads.of(row["workload"]).text)["operations"]
        often = {f"op_{name}_count" for name, of in operations.items() if of["weight"] >= 50}
        counted = {name for name in row if name.startswith("op_") and name.endswith("_count")}
        assert often <= counted <= {f"op_{name}_count" for name in operations}


def test_one_that_reads_and_one_that_writes_take_turns_on_clones_of_one_data_set(
    waltax: Any, tiny: Tiny
) -> None:
    profile = tiny(rounds_per_session=1)
    ycsb = waltax.of("ycsb-c", "ycsb-f")
    rows = _measured(ycsb, "--profile", profile, "--device", "nvme", "--wal", "flush")
    assert {row["workload"] for row in rows} == {"ycsb-c", "ycsb-f"}
    _require_operations(rows)


@pytest.mark.nightly
def test_all_six_take_turns_on_clones_of_one_data_set(waltax: Any, tiny: Tiny) -> None:
    profile = tiny(rounds_per_session=1)
    rows = _measured(waltax.of("ycsb"), "--profile", profile, "--device", "nvme")
    assert {row["workload"] for row in rows} == set(workloads.named("ycsb"))
    _require_operations(rows)


@pytest.mark.nightly
@pytest.mark.parametrize("engine", ["myrocks", "innodb"])
def test_they_run_on_a_server_and_their_checks_pass(
    served: Any, tiny_of: Tiny, engine: str
) -> None:
    profile = tiny_of(engine, rounds_per_session="1", time_budget_s="0.5", min_sessions="1")
    words = ("--engine", engine, "--profile", profile, "--device", "nvram", "--wal", "sync")
    rows = _measured(served.of("ycsb-e", "ycsb-f"), *words)
    for row in rows:
        assert f"op_{_COUNTED[row['workload']]}_count" in row
