"""Campaigns of several nodes: real servers, real stores, and a node that dies."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from waltax import profiles

TinyOf = Callable[..., Path]
_TINY = {
    'name = "shards"': 'name = "tiny"',
    "threads = 8": "threads = 2",
    "rounds_per_session = 4": "rounds_per_session = 2",
    "rounds_per_session = 6": "rounds_per_session = 2",
    "measure_s = 0.6": "measure_s = 0.3",
    "warmup_s = 0.3": "warmup_s = 0.1",
    "settle_s = 1.0": "settle_s = 0.1",
    "settle_s = 0.6": "settle_s = 0.1",
    "time_budget_s = 300.0": "time_budget_s = 1.5",
    "time_budget_s = 120.0": "time_budget_s = 1.5",
    '"64M"': '"32M"',
    "scale = 0.4": "scale = 0.02",
}


@pytest.fixture
def shards(tmp_path: Path) -> Callable[[str], Path]:
    """Write `shards` made tiny, of an engine's nodes, and return its path."""

    def write(file: str) -> Path:
        text = (profiles.model.FOLDER / file).read_text()
        for old, new in _TINY.items():
            text = text.replace(old, new)
        path = tmp_path / "tiny.toml"
        path.write_text(text)
        return path

    return write


@pytest.mark.nightly
def test_two_nodes_have_evidence_each_and_one_that_is_killed_fails_its_cell_by_name(
    served: Any, shards: Callable[[str], Path]
) -> None:
    """The campaign ends early, since nothing is left to compare."""
    words = ("--engine=myrocks-shards", "--nodes=2", "--wal-shared")
    profile = ("--profile", shards("myrocks-shards.toml"), "--device=nvme")
    campaign = served.of("ycsb-a").start(*words, *profile)
    served.wait_for_rows(campaign, 3)  # a round: off, its twin, and nvme
    cell = "myrocks-shards-ycsb-a-tiny-nvme-sync-t2-n2-shared"
    served.fail(campaign, f"{cell}.node1", "mariadbd")
    out, err = campaign.communicate(timeout=300)
    assert campaign.returncode == 1, out + err
    assert f"FAILED {cell}: {cell}.node1: the server died (killed by SIGKILL" in out
    (row, *_) = [one for one in served.rows() if one["cell"] == cell and one["status"] == "ok"]
    nodes = row["nodes"]
    assert sum(node["wal_syncs"] for node in nodes) == row["wal_syncs"]
    assert all(node["wal_bytes"] > 0 < node["commits"] for node in nodes)
    assert len({node["wal_dir"] for node in nodes}) == 2
    checks = [json.loads(line)["cell"] for line in (served.folder() / "checks.jsonl").open()]
    assert any("off-off" in name for name in checks)
    assert cell not in checks


def test_stores_of_one_process_own_keys_by_a_hash(
    waltax: Any, shards: Callable[[str], Path]
) -> None:
    words = ("--engine=rocksdb-shards", "--nodes=2", "--owner=hash", "--wal-shared")
    done = waltax.of("ycsb-f").run(*words, "--profile", shards("shards.toml"), "--device=nvme")
    assert done.returncode == 0, done.stdout + done.stderr
    for row in waltax.rows():
        logged = row["durability"] == "sync"
        assert [node["wal_bytes"] > 0 for node in row["nodes"]] == [logged, logged]
        assert sum(node["wal_bytes"] for node in row["nodes"]) == row["wal_bytes"]
