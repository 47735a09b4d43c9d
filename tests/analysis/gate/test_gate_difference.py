"""The difference of two campaigns: its value, its interval, and what it may be computed of."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from paired import pair, write
from waltax.analysis.gate import difference
from waltax.analysis.results import read
from waltax.analysis.stats import NOTHING

NVME = "rocksdb-linkbench-quick-nvme-sync-t4"
OFF = "rocksdb-linkbench-quick-off-off-t4"


def test_a_slower_cell_differs_by_what_it_lost_in_every_measure(tmp_path: Path) -> None:
    base, new = pair(tmp_path, slower={"nvme": 0.9})
    found = {one.cell: one for one in difference.compared(base.rows, new.rows)}
    nvme = found[NVME]
    assert nvme.points.value == pytest.approx(0.07, abs=0.01)
    assert math.log(nvme.ratio.value or 0) == pytest.approx(-0.105, abs=0.01)
    for one, equal in ((nvme.points, 0), (nvme.ratio, 1)):
        low, high = one.low, one.high
        assert low is not None
        assert high is not None
        assert low < (one.value or 0) < high
        assert not low <= equal <= high


def test_a_baseline_has_a_throughput_alone(tmp_path: Path) -> None:
    base, new = pair(tmp_path)
    found = {one.cell: one for one in difference.compared(base.rows, new.rows)}
    assert found[OFF].points == NOTHING
    assert found[OFF].ratio.is_known


def test_intervals_of_several_cells_are_longer_than_that_of_one(tmp_path: Path) -> None:
    base, new = pair(tmp_path)
    (alone,) = difference.compared(base.rows, new.rows, devices=["nvme"])
    (beside,) = [one for one in difference.compared(base.rows, new.rows) if one.cell == NVME]
    for name in difference.MEASURES:
        widths = [one.said(name).half_width or 0.0 for one in (alone, beside)]
        assert 0 < widths[0] < widths[1]


def test_the_draws_of_the_two_are_independent(tmp_path: Path) -> None:
    """Beside each other as they were drawn, those of a campaign and its copy would cancel."""
    base = read([write(tmp_path / "a", 1)])
    copy = read([write(tmp_path / "b", 1)])
    (found,) = difference.compared(base.rows, copy.rows, devices=["nvme"])
    both = found.points
    assert both.value == 0
    assert found.base is not None
    assert found.base.half_width is not None
    assert both.low is not None
    assert -both.low == pytest.approx(2**0.5 * found.base.half_width, rel=0.1)


@pytest.mark.nightly
def test_equal_campaigns_are_told_apart_about_once_in_twenty_times(tmp_path: Path) -> None:
    apart = 0
    for seed in range(40):
        base, new = pair(tmp_path / str(seed), seed)
        (one,) = difference.compared(base.rows, new.rows, devices=["nvme"])
        found = one.points
        assert found.low is not None
        assert found.high is not None
        apart += not found.low <= 0 <= found.high
    assert apart <= 6


def test_a_cell_of_one_campaign_has_no_difference(tmp_path: Path) -> None:
    base = read([write(tmp_path / "a", 1)])
    new = read([write(tmp_path / "b", 2, rates={"off": 1000.0, "nvme": 700.0})])
    alone = [one for one in difference.compared(base.rows, new.rows) if one.new is None]
    assert [one.result.device for one in alone] == ["nvram"]
    assert alone[0].points == alone[0].ratio == NOTHING
