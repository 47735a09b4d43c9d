"""The difference of two campaigns: its value, its interval, and what it may be computed of."""

from __future__ import annotations

from pathlib import Path

import pytest
from paired import pair, write
from waltax.analysis.gate import difference
from waltax.analysis.gate.difference import OVERHEAD, THROUGHPUT
from waltax.analysis.gate.sameness import side

NVME = "rocksdb-linkbench-quick-nvme-sync-t4"
OFF = "rocksdb-linkbench-quick-off-off-t4"


def test_a_slower_cell_differs_by_what_it_lost_in_every_measure(tmp_path: Path) -> None:
    base, new = pair(tmp_path, slower={"nvme": 0.9})
    found = {one.cell: one for one in difference.compared(base.rows, new.rows)}
    nvme = found[NVME].differences
    assert nvme[OVERHEAD].alone.value == pytest.approx(0.07, abs=0.01)
    assert nvme[THROUGHPUT].alone.value == pytest.approx(-0.105, abs=0.01)
    for one in nvme.values():
        low, high = one.alone.low, one.alone.high
        assert low is not None
        assert high is not None
        assert low < (one.alone.value or 0) < high
        assert not low <= 0 <= high


def test_a_baseline_has_a_throughput_alone(tmp_path: Path) -> None:
    base, new = pair(tmp_path)
    found = {one.cell: one for one in difference.compared(base.rows, new.rows)}
    assert set(found[OFF].differences) == {THROUGHPUT}


def test_intervals_that_hold_at_once_are_longer(tmp_path: Path) -> None:
    base, new = pair(tmp_path)
    for one in difference.compared(base.rows, new.rows):
        for found in one.differences.values():
            assert found.at_once.low is not None
            assert found.alone.low is not None
            assert found.at_once.low < found.alone.low


def test_the_draws_of_the_two_are_independent(tmp_path: Path) -> None:
    """Beside each other as they were drawn, those of a campaign and its copy would cancel."""
    base = side(write(tmp_path / "a", 1))
    copy = side(write(tmp_path / "b", 1))
    (found,) = [one for one in difference.compared(base.rows, copy.rows) if one.cell == NVME]
    both = found.differences[OVERHEAD]
    assert both.alone.value == 0
    assert found.base is not None
    assert found.base.half_width is not None
    assert both.alone.low is not None
    assert -both.alone.low == pytest.approx(2**0.5 * found.base.half_width, rel=0.1)


@pytest.mark.nightly
def test_equal_campaigns_are_told_apart_about_once_in_twenty_times(tmp_path: Path) -> None:
    apart = 0
    for seed in range(40):
        base, new = pair(tmp_path / str(seed), seed)
        (one,) = [c for c in difference.compared(base.rows, new.rows) if c.cell == NVME]
        found = one.differences[OVERHEAD].alone
        assert found.low is not None
        assert found.high is not None
        apart += not found.low <= 0 <= found.high
    assert apart <= 6


def test_a_cell_of_one_campaign_has_no_difference(tmp_path: Path) -> None:
    base = side(write(tmp_path / "a", 1))
    new = side(write(tmp_path / "b", 2, rates={"off": 1000.0, "nvme": 700.0}))
    alone = [one for one in difference.compared(base.rows, new.rows) if one.new is None]
    assert [one.result.device for one in alone] == ["nvram"]
    assert not alone[0].differences
