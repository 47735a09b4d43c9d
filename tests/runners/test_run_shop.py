"""Campaigns of the shop on a real server, and on RocksDB."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from waltax.evidence import kept as evidence

_SERVED = pytest.param("myrocks", marks=pytest.mark.nightly)


@pytest.mark.parametrize("engine", ["rocksdb", _SERVED])
def test_a_shop_is_measured_with_its_working_set_in_every_row(
    served: Any, tiny_of: Callable[..., Path], tiny: Callable[..., Path], engine: str
) -> None:
    shop = served.of("shop")
    profile = tiny(rows=20_000) if engine == "rocksdb" else tiny_of(engine, rows="20000")
    done = shop.run("--engine", engine, "--profile", profile, "--device", "nvram")
    assert done.returncode == 0, done.stdout + done.stderr
    rows = evidence.read(shop.folder() / "rows.jsonl")
    assert {row["workload"] for row in rows} == {"shop"}
    assert {row["throughput_unit"] for row in rows} == {"transactions/s"}
    for row in rows:
        assert row["status"] == "ok", row["failure"]
        assert row["logical_bytes"] == 6_344_000
        assert row["working_set_bytes"] > row["logical_bytes"]  # with the index
        assert sum(epoch["requests"] for epoch in row["epochs"]) == row["requests"]
        first = row["epochs"][0]
        assert 0 <= first["latency_us_p50"] <= first["latency_us_p99"] <= first["latency_us_p999"]
        assert (row["known_share"], row["load_order"]) == (1, "sorted")
    checks = [json.loads(line) for line in (shop.folder() / "checks.jsonl").open()]
    assert {one["cell"] for one in checks} == {row["cell"] for row in rows}
