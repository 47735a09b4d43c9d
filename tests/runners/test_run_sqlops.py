"""Campaigns of single SQL statements on real servers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

_NAMES = ("sqlops-insert-random", "sqlops-delete-present")


@pytest.mark.nightly
@pytest.mark.parametrize("engine", ["myrocks", "innodb"])
def test_statements_take_turns_on_clones_of_one_data_set(
    served: Any, tiny_of: Callable[..., Path], engine: str
) -> None:
    sqlops = served.of(*_NAMES)
    # Enough for the statement that deletes them.
    profile = tiny_of(engine, students="60000", rounds_per_session="1", time_budget_s="0.5")
    done = sqlops.run("--engine", engine, "--profile", profile, "--device", "nvram")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("loading sqlops-60000-") <= 1
    rows = sqlops.rows()
    assert {row["workload"] for row in rows} == set(_NAMES)
    assert {row["throughput_unit"] for row in rows} == {"statements/s"}
    for row in rows:
        assert row["status"] == "ok"
        assert row["durability"] != "sync" or row["tap_syncs"] > 0
    checks = [json.loads(line) for line in (sqlops.folder() / "checks.jsonl").open()]
    assert {one["cell"] for one in checks} == {row["cell"] for row in rows}
