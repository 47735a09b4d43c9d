"""Campaigns whose cells have so much memory, on the real driver and a real RocksDB."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from waltax.evidence import judgement

_MIB = 1 << 20


def test_a_cell_stays_within_its_bound_and_its_row_says_so(
    waltax: Any, tiny: Callable[..., Path]
) -> None:
    profile = tiny(block_cache_mb=8, max_total_wal_mb=8)
    # Without a log nothing but their size makes memtables flush.
    profile.write_text(profile.read_text().replace("33554432", "1048576"))
    bounded = waltax.of("ycsb-a")
    flags = ("--memory", "72MiB", "--ratio", "0.5")
    done = bounded.run("--profile", profile, "--device", "nvme", *flags)
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = bounded.results.glob("2*/rows.jsonl")
    rows = judgement.read(path)
    assert {row["durability"] for row in rows} == {"sync", "off"}
    for row in rows:
        assert row["status"] == "ok"
        assert row["memory_bound"] == "direct I/O"
        assert row["memory_bound_bytes"] == 72 * _MIB
        assert row["memory_ratio"] == 0.5
        assert 0 < row["memory_used_bytes_max"] <= row["memory_limit_bytes"] == 72 * _MIB
        assert row["process_read_bytes"] > 0
