"""What the study of data against memory says, and how ours is held against it."""

from __future__ import annotations

import pytest
from waltax.analysis.reports.memory_beside import Published, published


def said(what: str, data: str, threads: int | None) -> list[Published]:
    """What it says of one data set; empty: nothing."""
    every = published()
    return [one for one in every if (one.what, one.threads) == (what, threads) and one.of(data)]


def test_a_value_of_two_data_sets_is_said_of_each() -> None:
    (large,) = said("cpu_idle", "large", 4)
    assert (large.least, large.most, large.unit) == (7, 10, "%")
    assert said("cpu_idle", "medium", 4) == [large]
    (small,) = said("cpu_idle", "small", 4)
    assert small != large
    words = {one.words for one in said("latency_p999", "small", 4)}
    assert words == {"about 60 ms", "at most 200 ms"}
    assert said("iowait", "small", 2) == []


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
    (one,) = said(what, data, threads)
    assert one.holds(ours) is holds


def test_a_range_can_be_widened() -> None:
    (one,) = said("throughput_4_over_1_threads", "small", None)
    assert not one.holds(3.5)
    assert one.holds(3.5, slack=0.15)


def test_what_has_a_figure_says_from_where_to_where() -> None:
    for one in published():
        is_a_bound = one.least is None or one.most is None
        assert is_a_bound or not one.remark.startswith("no figure"), one
        assert one.words
