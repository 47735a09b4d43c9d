"""The report of a study of shards, from rows whose truth is known."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from synthetic import NO_WAL, make_row, published
from waltax import row
from waltax.analysis import reports
from waltax.analysis.sweep.shards import shard_sweeps
from waltax.analysis.sweep.value_sizes import beside
from waltax.errors import UsageError
from waltax.row import Row

# Operations a second with the log off, and synced.
_RATES = {"n1": (1000, 800), "n2": (900, 600), "n2-redirect": (450, 360), "n2-hash": (900, 540)}
_SHARES = {"n2": (500, 500), "n2-redirect": (500, 500), "n2-hash": (600, 400)}


def _row(shards: str, device: str, rate: float, session: int, round_: int) -> Row:
    durability = "off" if device == "off" else "sync"
    more: Row = {
        "engine": "myrocks-shards",
        "workload": "ycsb-a",
        "throughput_unit": "ops/s",
        "cell": f"myrocks-shards-ycsb-a-quick-{device}-{durability}-t4-{shards}",
        "shards": shards,
        "cores": 2,
        "slice_requests": 1000,
        "requests": 900,
        "warmup_s": 0.1,
        "rocksdb_write_self": 300,
        "rocksdb_write_other": 200,
        "tap_syncs": 300,
        "wal_syncs": 300,
        "tap_sync_ns": 30_000_000,
        **(NO_WAL if device == "off" else {}),
    }
    if shards in _SHARES:
        more["nodes"] = [
            {"operations": count, "commits": count // 2, "wal_bytes": 25, "wal_syncs": 150}
            for count in _SHARES[shards]
        ]
        more["client_operations"] = [250, 240, 260, 250]
    if shards == "n2-redirect":
        more |= {"forwarded": 500, "local_latency_us_count": 500, "forwarded_latency_us_p50": 900.0}
        more |= {"local_latency_us_p50": 400.0}
    # Not the same in each round, and the same in all cells of it.
    drift = 1 + 0.02 * session + 0.01 * round_
    return make_row(device, rate * drift, session, round_, **more)


@pytest.fixture
def rows() -> list[Row]:
    return [
        _row(shards, device, rate, session, round_)
        for shards, rates in _RATES.items()
        for device, rate in zip(("off", "nvme"), rates, strict=True)
        for session in range(3)
        for round_ in range(3)
    ]


@pytest.fixture
def campaign(tmp_path: Path, rows: list[Row]) -> Path:
    for one in rows:
        row.append(tmp_path / "rows.jsonl", one)
    return tmp_path


def test_each_cut_is_compared_with_its_own_off_and_with_other_cuts(campaign: Path) -> None:
    text = " ".join(published(reports.shards([campaign]), width=120).split())
    assert "1 node, nvme (emulated): the log costs 20.0 %" in text
    assert "2 nodes, direct, nvme (emulated): the log costs 33.3 %" in text
    assert "0.600 syncs a commit" in text
    assert "2 nodes, redirect, off: redirection costs 50.0 %" in text
    assert "2 cores cannot show how 2 nodes scale" in text


def test_shares_hops_and_hashes_are_in_the_file_for_programs(campaign: Path) -> None:
    published(reports.shards([campaign]))
    (sweep,) = json.loads((campaign / "shards.json").read_text())["sweeps"]
    points = {(one["shards"], one["device"]): one for one in sweep["points"]}
    hashed, redirected = points["n2-hash", "nvme"], points["n2-redirect", "nvme"]
    assert hashed["imbalance"] == pytest.approx(1.2)
    assert points["n2", "nvme"]["imbalance"] == pytest.approx(1.0)
    assert hashed["hash"]["value"] == pytest.approx(0.1)
    assert redirected["hop"]["value"] == pytest.approx(0.4)
    assert redirected["forwarded_share"] == pytest.approx(0.5)
    assert redirected["forwarded_latency_us_p50"] == 900.0
    assert points["n2", "nvme"]["against_one_node"]["value"] == pytest.approx(0.25)
    assert points["n2", "nvme"]["throughput_per_node"] == pytest.approx(
        points["n2", "nvme"]["throughput"] / 2
    )
    assert points["n1", "nvme"]["hop"]["value"] is None
    for name in ("shards.csv", "shards.png", "shards.svg"):
        assert (campaign / name).stat().st_size


def test_a_cut_that_failed_is_left_out_by_name(rows: list[Row]) -> None:
    failed = _row("n2-hash", "nvme", 540, 0, 3)
    failed |= {"status": "failed", "throughput": None, "failure": "node 1: the server died"}
    (sweep,) = shard_sweeps([*rows, failed])
    assert sweep.left_out == (f"{failed['cell']}: FAILED",)
    assert len(sweep.points) == 7


def test_rows_of_one_store_are_no_study_of_shards(tmp_path: Path) -> None:
    row.append(tmp_path / "rows.jsonl", make_row("off", 10.0))
    with pytest.raises(UsageError, match="found no cell with several nodes"):
        reports.shards([tmp_path])


def test_sizes_of_values_stand_beside_the_published_ones(rows: list[Row]) -> None:
    told: dict[str, Any] = {"op_UPDATE_count": 10, "op_UPDATE_latency_us_mean": 50.0}
    sized = [one | {"fieldcount": 1, "fieldlength": 1024} | told for one in rows]
    found = {one.log: one for one in beside(sized)}
    one = found["n2, nvme (emulated)"]
    assert (one.value_bytes, one.update_us, one.read_us) == (1024, 50.0, None)
    assert (one.theirs.run_per_s, one.theirs.update_us) == (91_313, 35.8)
    assert beside([one | {"fieldlength": 1000} for one in sized]) == []
    assert beside(rows) == []
