"""The report of a study of data over memory, from rows whose truth is known."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from memory_rows import RATES, memory_rows
from synthetic import make_row, published
from waltax import row
from waltax.analysis import reports
from waltax.base.errors import UsageError


@pytest.fixture
def campaigns(tmp_path: Path) -> list[Path]:
    """A campaign for each ratio."""
    folders = []
    for ratio in RATES:
        folder = tmp_path / f"r{ratio:g}"
        folder.mkdir()
        for one in memory_rows(ratio):
            row.append(folder / "rows.jsonl", one)
        folders.append(folder)
    return folders


def test_the_log_s_overhead_is_told_from_the_least_data_to_the_most(campaigns: list[Path]) -> None:
    text = " ".join(published(reports.memory(campaigns), width=120).split())
    assert "nvme, 4 clients: the log costs 20.0 %" in text
    assert "with data 0.25 times the memory and 5.0 %" in text
    assert "with data 5 times the memory, less" in text
    assert "128 MiB of memory each, held by direct I/O; at most 93.8 % of it was used" in text


def test_reads_hits_and_waits_stand_beside_the_cost(campaigns: list[Path]) -> None:
    published(reports.memory(campaigns))
    told = json.loads((campaigns[0] / "memory.json").read_text())
    points = {(one["device"], one["ratio"]): one for one in told["sweeps"][0]["points"]}
    missing = points["off", 5.0]
    assert missing["read_bytes_per_op"] == 8192
    assert missing["block_cache_hit_share"] == 0.3
    assert missing["iowait_share"] == pytest.approx(0.1)
    assert points["nvme", 0.25]["overhead"]["value"] == pytest.approx(0.2, abs=0.01)
    for name in ("memory.csv", "memory.png", "memory.svg"):
        assert (campaigns[0] / name).stat().st_size


def test_rows_without_a_bound_are_no_study(tmp_path: Path) -> None:
    row.append(tmp_path / "rows.jsonl", make_row("off", 100.0))
    with pytest.raises(UsageError, match="found no cell whose memory was bounded: see `waltax"):
        reports.memory([tmp_path])
