from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from waltax.devices.tap_page import TapCounters, TapFile
from waltax.evidence.observed import commits
from waltax.runners import cpu, observed


def _slice(requests: int, warmup: int, **operations: tuple[int, int]) -> dict[str, Any]:
    """Operations are how many there were in the measured part, and how many found nothing."""
    figures = {name: {"count": n, "not_found": none} for name, (n, none) in operations.items()}
    return {"requests": requests, "slice_requests": requests + warmup, "operations": figures}


def test_commits_are_those_of_the_whole_slice_as_the_syncs_are() -> None:
    slice_ = _slice(10_000, 2_500, ADD_LINK=(3000, 2000), GET_NODE=(7000, 0))
    assert commits("linkbench", slice_) == 3000 + 750 - 184
    without = _slice(10_000, 0, ADD_LINK=(3000, 2000), GET_NODE=(7000, 0))
    assert commits("linkbench", without) == 3000


def test_what_found_nothing_to_change_was_no_commit() -> None:
    slice_ = _slice(1000, 0, DELETE_LINK=(500, 200), UPDATE_LINK=(500, 300))
    assert commits("linkbench", slice_) == 300 + 500
    tpcc = _slice(1000, 0, NEW_ORDER=(450, 5), PAYMENT=(430, 0), STOCK_LEVEL=(40, 0))
    assert commits("tpcc", tpcc) == 445 + 430


def test_a_slice_too_short_to_tell_has_at_least_its_measured_commits() -> None:
    assert commits("tpcc", _slice(4, 4, PAYMENT=(4, 0))) == 4
    assert commits("tpcc", _slice(0, 4)) == 0


def test_only_the_logs_that_were_written_to_take_blocks(tmp_path: Path) -> None:
    (tmp_path / "000003.log").write_bytes(bytes(5000))  # the clone's
    (tmp_path / "000007.log").touch()
    log = TapFile(0, "000007.log", 9, 900, 0, 900, 0, 1, 0, 0)
    gone = replace(log, slot=1, name="000006.log")
    seen = TapCounters(1, {}, files=(log, gone))
    measured: Any = SimpleNamespace(nodes=[SimpleNamespace(wal_dir=tmp_path, tap_so_far=seen)])
    assert observed._blocks(measured) == 0
    (tmp_path / "000007.log").write_bytes(bytes(5000))
    assert observed._blocks(measured) > 0


def test_what_is_not_counted_of_a_whole_run_is_null_and_says_why() -> None:
    def campaign(counts: bool) -> Any:
        return SimpleNamespace(recipe=SimpleNamespace(cpu_counters=counts))

    whole: Any = SimpleNamespace(machine={"steal_s": 0.0})
    row = cpu.uncounted(campaign(True), whole)
    assert row == {
        **dict.fromkeys(("cpu_instructions", "cpu_cycles", "llc_misses")),
        "cpu_counters_missing": "counted only of programs that wait between slices",
    }
    assert cpu.uncounted(campaign(False), whole) == {}
    counted: Any = SimpleNamespace(machine={"cpu_instructions": 7})
    assert cpu.uncounted(campaign(True), counted) == {}
