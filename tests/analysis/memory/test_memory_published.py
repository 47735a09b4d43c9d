"""What the study of data against memory says, and how ours is held against it."""

from __future__ import annotations

import pytest
from waltax.analysis.memory import published
from waltax.shop.workload import BYTES_PER_ROW


def test_its_data_sets_are_below_just_above_and_well_above_its_memory() -> None:
    ratios = [published.ratio_to_memory(data, BYTES_PER_ROW) for data in published.ROWS]
    assert ratios == pytest.approx([0.78, 1.33, 2.58], abs=0.01)


def test_a_value_of_two_data_sets_is_said_of_each() -> None:
    (large,) = published.said("cpu_idle", "large", 4)
    assert (large.least, large.most, large.unit) == (7, 10, "%")
    assert published.said("cpu_idle", "medium", 4) == [large]
    (small,) = published.said("cpu_idle", "small", 4)
    assert small != large
    words = {one.words for one in published.said("latency_p999", "small", 4)}
    assert words == {"about 60 ms", "at most 200 ms"}
    assert published.said("iowait", "small", 2) == []


@pytest.mark.parametrize(
    ("what", "data", "threads", "ours", "holds"),
    [
        ("iowait", "small", 4, 22, True),
        ("iowait", "small", 4, 26, False),
        ("throughput_4_over_1_threads", "medium", None, 1.2, True),
        ("throughput_4_over_1_threads", "large", None, 0.8, False),
        ("latency_p99_medium_over_large", "medium", 4, 0.9, True),
        ("latency_p999_medium_over_large", "medium", 4, 0.9, False),
    ],
)
def test_ours_is_held_against_its_range(
    what: str, data: str, threads: int | None, ours: float, holds: bool
) -> None:
    (one,) = published.said(what, data, threads)
    assert one.holds(ours) is holds


def test_a_range_can_be_widened() -> None:
    (one,) = published.said("throughput_4_over_1_threads", "small", None)
    assert not one.holds(3.5)
    assert one.holds(3.5, slack=0.15)
    assert not one.is_a_bound


def test_what_has_no_figure_is_a_bound() -> None:
    for one in published.table():
        assert one.is_a_bound or not one.remark.startswith("no figure"), one
        assert one.words
