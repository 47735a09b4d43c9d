"""Rows of a study of shards, made up: what nodes and a hash cost is known of them."""

from __future__ import annotations

from synthetic import NO_WAL, make_row
from waltax.row import Row

# Operations a second with the log off, and synced.
_RATES = {"n1": (1000, 800), "n2": (900, 600), "n2-hash": (900, 540)}
_SHARES = {"n2": (500, 500), "n2-hash": (600, 400)}


def shard_row(shards: str, device: str, rate: float, session: int, round_: int) -> Row:
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
    # Not the same in each round, and the same in all cells of it.
    drift = 1 + 0.02 * session + 0.01 * round_
    return make_row(device, rate * drift, session, round_, **more)


def shard_rows() -> list[Row]:
    """Three sessions of three rounds of each cut, off and synced."""
    return [
        shard_row(shards, device, rate, session, round_)
        for shards, rates in _RATES.items()
        for device, rate in zip(("off", "nvme"), rates, strict=True)
        for session in range(3)
        for round_ in range(3)
    ]
