"""Intervals that ended a campaign, stretched until the widest has the half-width asked for."""

from __future__ import annotations

import pytest
from waltax.analysis import stats
from waltax.analysis.reports import campaign_end
from waltax.analysis.stats import Interval

# By far not as long to one side as to the other: what a ratio's interval is about its logarithm.
LOPSIDED = Interval(0.527, 0.49, 0.555)
NARROWER = Interval(0.1, 0.08, 0.118)
FEW, MANY = 2, 8  # sessions, of which the variance is hardly known, and known


def _half_widths(overheads: list[Interval], asked: float) -> list[float | None]:
    times = campaign_end.times(overheads, asked, FEW)
    return [stats.longer(one, times).half_width for one in overheads]


@pytest.mark.parametrize("asked", [0.0326, 0.05, 0.2])
def test_the_widest_gets_the_half_width_asked_for_and_no_other_a_larger(asked: float) -> None:
    widest, other = _half_widths([LOPSIDED, NARROWER], asked)
    assert widest == pytest.approx(asked, rel=1e-9)
    assert other is not None
    assert other <= asked


def test_a_wide_enough_interval_stays_as_it_is() -> None:
    assert campaign_end.times([LOPSIDED, NARROWER], 0.03, FEW) == 1.0


def test_an_interval_far_below_its_target_is_stretched_by_no_more_than_chance_explains() -> None:
    far = Interval(0.812, 0.803, 0.820)
    assert campaign_end.times([far], 0.05, MANY) == pytest.approx(1.797, abs=1e-3)
    assert campaign_end.times([far], 0.01, MANY) < 1.2


@pytest.mark.parametrize("overheads", [[], [Interval(0.5, 0.5, 0.5)], [Interval(0.5, None, None)]])
def test_there_is_no_multiple_of_no_length(overheads: list[Interval]) -> None:
    assert [
        stats.longer(one, campaign_end.times(overheads, 0.05, FEW)) for one in overheads
    ] == overheads
