"""A campaign whose reads of data take a time, on a real RocksDB."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from waltax.evidence import judgement

_US = 300


def test_reads_of_data_wait_in_every_cell_and_the_baseline_s(
    waltax: Any, tiny: Callable[..., Path]
) -> None:
    # Whoever settles has read all of so few data before the first slice.
    profile = tiny(rounds_per_session=1, block_cache_mb=1, settle_s=0)
    direct = "[rocksdb.db]\nuse_direct_reads = true\n"
    profile.write_text(profile.read_text().replace("[rocksdb.db]\n", direct))
    asked = (
        "--profile",
        profile,
        "--device",
        "nvme",
        "--seed",
        7,
        "--read-latency-us",
        _US,
    )
    plan = waltax.run(*asked, "--plan")
    assert "data reads wait 300 us (emulated), with and without a log" in plan.stdout
    done = waltax.run(*asked)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = judgement.read(waltax.folder() / "rows.jsonl")
    assert {row["device"] for row in rows} == {"off", "nvme"}
    for row in rows:
        assert (row["status"], row["data_read_latency_us"]) == ("ok", _US)
        assert row["tap_data_reads"] > 0
        assert row["tap_data_reads_cached"] == 0
    folder = waltax.folder()
    kept = json.loads((folder / "campaign.json").read_text())
    assert kept["axes"] == {"read_latency": [str(_US)]}
    report = " ".join(done.stdout.split())
    assert "data reads wait 300 us (emulated), with and without a log" in report
    assert "delayed data reads a request; each" in report
    again = waltax.run("--resume", folder, "--read-latency-us", 200)
    assert again.returncode == 2
    assert "--resume: found --read-latency-us, which would change the campaign" in again.stderr
