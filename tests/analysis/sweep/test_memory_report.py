"""The report of a study of data over memory, from rows whose truth is known."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from synthetic import EVIDENCE, NO_WAL, make_row, published
from waltax import row
from waltax.analysis import reports
from waltax.analysis.sweep.memory import memory_sweeps
from waltax.errors import UsageError
from waltax.row import Row

_MIB = 1 << 20
_OPS = 1000
# Throughputs at 4 clients: the log costs 20 % with little data, and 5 % where reads miss.
_RATES = {0.25: {"off": 1000.0, "nvme": 800.0}, 5.0: {"off": 500.0, "nvme": 475.0}}


def _slice(ratio: float, device: str, session: int, number: int) -> Row:
    """CPU of 200 us an operation, 100 in the queue; where reads miss 3,000 us of the disk's."""
    misses = ratio > 1
    return make_row(
        device,
        _RATES[ratio][device] * (1 + 0.001 * (number - 1)),
        session,
        number,
        **{
            **EVIDENCE,
            **(NO_WAL if device == "off" else {}),
            "slice_requests": _OPS,
            "campaign": f"20260101-r{ratio:g}",
            "profile": f"memory-m128-r{ratio:g}",
            "cell": f"rocksdb-linkbench-memory-m128-r{ratio:g}-{device}-t4",
            "memory_bound": "cgroup v1",
            "memory_bound_bytes": 128 * _MIB,
            "memory_limit_bytes": 128 * _MIB,
            "memory_used_bytes_max": 120 * _MIB,
            "memory_page_cache_bytes": 60 * _MIB,
            "memory_resident_bytes": 60 * _MIB,
            "memory_log_bytes": 0,
            "memory_outside": 0,
            "memory_ratio": ratio,
            "data_bytes_loaded": int(128 * _MIB * ratio),
            "process_read_bytes": _OPS * 8192.0 if misses else 0.0,
            "diskstats_data_read_ms": 3.0 * _OPS if misses else 0.0,
            "rocksdb_block_cache_hit": 30,
            "rocksdb_block_cache_miss": 70,
            "cpu_engine_s": 150e-6 * _OPS,
            "cpu_driver_s": 50e-6 * _OPS,
            "sched_wait_s": 100e-6 * _OPS,
            "tap_sync_ns": 10_000_000 if device == "nvme" else 0,
            "machine_elapsed_s": 2.0,
            "iowait_s": 0.4,
            "cores": 2,
            "cell_psi_io_some_s": 1.5 if misses else 0.0,
            "cell_psi_io_full_s": 1.0 if misses else 0.0,
            "cell_psi_cpu_some_s": 0.2,
            "cell_psi_memory_some_s": 0.1,
        },
    )


@pytest.fixture
def campaigns(tmp_path: Path) -> list[Path]:
    """A campaign for each ratio."""
    folders = []
    for ratio, rates in _RATES.items():
        folder = tmp_path / f"r{ratio:g}"
        folder.mkdir()
        for session in range(3):
            for number in range(3):
                for device in rates:
                    row.append(folder / "rows.jsonl", _slice(ratio, device, session, number))
        folders.append(folder)
    return folders


def test_the_log_s_overhead_is_told_from_the_least_data_to_the_most(campaigns: list[Path]) -> None:
    text = " ".join(published(reports.memory(campaigns), width=120).split())
    assert "nvme, 4 clients: the log costs 20.0 %" in text
    assert "with data 0.25 times the memory and 5.0 %" in text
    assert "with 5 times, less" in text
    assert "128 MiB of memory each, held by cgroup v1; at most 93.8 % of it was used" in text


def test_the_added_time_adds_up_and_the_rest_is_named(campaigns: list[Path]) -> None:
    published(reports.memory(campaigns))
    told = json.loads((campaigns[0] / "memory.json").read_text())
    points = {(one["device"], one["ratio"]): one for one in told["sweeps"][0]["points"]}
    missing, fitting = points["off", 5.0], points["off", 0.25]
    assert fitting["client_us_per_op"] == pytest.approx(4000, rel=1e-3)
    assert missing["added_us_per_op"] == pytest.approx(4000, rel=1e-3)
    assert missing["added_read_us_per_op"] == pytest.approx(3000)
    assert missing["added_cpu_us_per_op"] == missing["added_log_us_per_op"] == 0
    assert missing["added_remainder_us_per_op"] == pytest.approx(1000, rel=4e-3)
    assert missing["read_bytes_per_op"] == 8192
    assert missing["block_cache_hit_share"] == 0.3
    assert missing["psi_io_some_share"] == 0.75
    assert missing["iowait_share"] == pytest.approx(0.1)
    # Of 300 commits in 1,000 operations each waited for a sync of 100 us.
    assert points["nvme", 5.0]["log_us_per_op"] == pytest.approx(30.0)
    for name in ("memory.csv", "memory.png", "memory.svg"):
        assert (campaigns[0] / name).stat().st_size


def test_what_is_not_known_has_no_remainder(campaigns: list[Path]) -> None:
    rows = [json.loads(line) for line in (campaigns[1] / "rows.jsonl").open()]
    for one in rows:
        del one["diskstats_data_read_ms"]
    (sweep,) = memory_sweeps(rows)
    assert all(point.waits.remainder_us is None for point in sweep.points)
    assert sweep.sentences == []


def test_rows_without_a_bound_are_no_study(tmp_path: Path) -> None:
    row.append(tmp_path / "rows.jsonl", make_row("off", 100.0))
    with pytest.raises(UsageError, match="found no cell whose memory was bounded: see `waltax"):
        reports.memory([tmp_path])
