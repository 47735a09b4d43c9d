from __future__ import annotations

import math
import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from swept import GRID, fitted, linear, slice_of, spoiled, sweep
from waltax.analysis import estimate
from waltax.analysis.results import words
from waltax.analysis.results.curve import Curve, curves
from waltax.analysis.stats import Interval
from waltax.row import Row


def the_curve(rows: list[Row]) -> Curve:
    (found,) = curves(rows)
    return found


def _few_rounds(**more: Any) -> list[Row]:
    """Three sessions of one."""
    return [one for one in sweep(**more) if one["round"] == 0]


def test_a_known_curve_is_recovered_at_the_points_and_between() -> None:
    curve = the_curve(sweep(sd=0.0))
    for us in (1.0, 3.0, 40.0, 100.0, 1000.0, 4999.0):
        assert curve.overhead_at(us).value == pytest.approx(linear(us), abs=1e-4)


def test_the_band_holds_the_truth_of_noisy_rows() -> None:
    curve = the_curve(sweep(sd=0.02))
    for us in (5.0, 40.0, 300.0):
        found = curve.overhead_at(us)
        assert found.low is not None
        assert found.high is not None
        assert found.low < linear(us) < found.high
        assert found.high - found.low < 0.1


def test_the_answer_is_the_inverse_of_the_curve() -> None:
    curve = the_curve(sweep(sd=0.02))
    for overhead in (0.3, 0.5, 0.9):
        answer = curve.latency_for(overhead)
        assert curve.overhead_at(answer.sync_us.value or 0).value == pytest.approx(overhead)
        assert answer.sync_us.value is not None
        assert answer.sync_us.low is not None
        assert answer.sync_us.high is not None
        assert answer.sync_us.low < answer.sync_us.value < answer.sync_us.high
        assert answer.sync_us.low < 100 * (1 / (1 - overhead) - 1.2) < answer.sync_us.high


def test_a_point_has_the_interval_that_the_report_gives_its_cell() -> None:
    rows = sweep(sd=0.02)
    cells = {one.device: one for one in estimate(rows)}
    for point in the_curve(rows).points:
        cell = cells[point.device]
        assert (point.low, point.high) == (cell.low, cell.high)


def test_outside_the_measured_range_there_is_the_bound_at_its_end() -> None:
    curve = the_curve(sweep(sd=0.0))
    assert [curve.outside(us) for us in (0.5, 1.0, 5000.0, 6000.0)] == ["below", "", "", "above"]
    assert curve.overhead_at(6000.0) == curve.overhead_at(5000.0)
    assert curve.overhead_at(6000.0).value == pytest.approx(linear(5000))


def test_a_log_that_costs_more_than_asked_has_no_sync_that_is_fast_enough() -> None:
    answer = the_curve(sweep(sd=0.01)).latency_for(0.05)
    assert answer.sync_us.value == 0
    assert answer.outside == "below"
    assert (
        "no measured sync is fast enough for LinkBench on RocksDB with 4 clients: the log costs"
        in answer.sentence
    )
    assert answer.sentence.endswith("with the fastest, of 0.999 us")
    assert answer.text.startswith("< ")


def test_a_grid_that_costs_less_than_asked_says_so() -> None:
    answer = the_curve(sweep(linear, 0.01)).latency_for(0.995)
    assert answer.outside == "above"
    assert answer.sentence.startswith("for at most 99.5 % overhead every measured sync")
    assert "the log costs 98.1 % [98.0, 98.1] with the slowest, of 5,000 us" in answer.sentence


def test_a_log_that_may_or_may_not_cost_what_was_asked_for_is_not_judged() -> None:
    answer = the_curve(sweep(sd=0.05)).latency_for(0.16)
    assert answer.outside == "below"
    assert "it is not known whether any measured sync is fast enough" in answer.sentence
    assert answer.sync_us.high is not None
    assert answer.text.endswith(f", {words.number(answer.sync_us.high)}]")


def test_an_answer_within_the_range_is_a_latency_with_its_interval() -> None:
    sentence = the_curve(sweep(sd=0.01)).latency_for(0.5).sentence
    assert sentence.startswith("for at most 50 % overhead LinkBench on RocksDB with 4 clients ")
    assert "needs a sync under 7" in sentence
    assert "us [" in sentence


def test_an_answer_of_which_nothing_is_known_says_so_first() -> None:
    curve = the_curve(_few_rounds(sd=1.0))
    answer = curve.latency_for(0.3)
    assert not answer.resolved
    assert answer.sentence.startswith(
        "for at most 30 % overhead it is not known how fast a sync LinkBench on RocksDB with 4 "
    )
    assert f"under {words.number(answer.sync_us.value)} us [< " in answer.sentence
    assert replace(answer, sync_us=Interval(5.0, 2.0, 9.0)).resolved


def test_with_few_rounds_the_band_goes_as_far_to_both_sides() -> None:
    """On the scale of slowdowns. The draws of three rounds may all lie on one side."""
    curve = the_curve(_few_rounds(sd=1.0, seed=0))
    assert curve.few_rounds
    for one in fitted(curve):
        assert one.value is not None
        assert one.low is not None
        assert one.high is not None
        assert one.low < one.value < one.high
        assert (1 - one.value) / (1 - one.high) == pytest.approx((1 - one.low) / (1 - one.value))


def test_with_few_rounds_an_answer_goes_as_far_to_both_sides() -> None:
    answer = the_curve(_few_rounds(sd=0.1)).latency_for(0.7)
    assert answer.sync_us.value is not None
    assert answer.sync_us.low is not None
    assert answer.sync_us.high is not None
    assert answer.sync_us.low < answer.sync_us.value < answer.sync_us.high
    assert answer.sync_us.value**2 == pytest.approx(answer.sync_us.low * answer.sync_us.high)
    answer = the_curve(_few_rounds(sd=1.0)).latency_for(0.3)  # the draws reach below the range
    assert not answer.outside
    assert (answer.sync_us.low, answer.sync_us.high) == (0, math.inf)
    assert not answer.resolved


def test_with_few_rounds_a_difference_goes_as_far_to_both_sides() -> None:
    rows = _few_rounds(sd=0.1, others={"nvme": 30.0})
    found = the_curve(rows).predict("nvme", 30.0).difference
    assert found is not None
    assert found.value is not None
    assert found.low is not None
    assert found.high is not None
    assert found.high - found.value == pytest.approx(found.value - found.low)


def test_with_enough_rounds_the_band_is_that_of_the_draws() -> None:
    curve = the_curve(sweep(sd=0.02))
    assert not curve.few_rounds
    found = fitted(curve)[4]
    drawn = 1 - 1 / curve.fit.slowdowns_at(curve.points[4].facts["sync_us"])[1:]
    assert (found.low, found.high) == pytest.approx(np.quantile(drawn, (0.025, 0.975)))


def test_a_bound_close_to_all_is_answered_without_an_overflow() -> None:
    """Where the last two points, out of order, are one after the fit."""
    curve = the_curve(spoiled(sweep(sd=0.02), {"sync-2000us": 0.3}))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert curve.latency_for(0.99999).outside == "above"
        assert curve.latency_for(1e-9).outside == "below"


def test_noise_that_makes_a_slower_sync_cheaper_is_flattened() -> None:
    rows = spoiled(sweep(sd=0.001), {"sync-28us": 0.8, "sync-65us": 1.2})
    curve = the_curve(rows)
    measured = [point.overhead for point in curve.points]
    lines = [one.value for one in fitted(curve)]
    assert measured[3] is not None
    assert measured[4] is not None
    assert measured[3] > measured[4]
    assert lines[3] == pytest.approx(lines[4])
    assert lines == sorted(lines, key=lambda value: value or 0.0)
    assert [lines[i] for i in (0, 9)] == pytest.approx([measured[i] for i in (0, 9)])


def test_the_latency_is_what_the_syncs_took_and_not_what_the_device_is_called() -> None:
    rows = [
        one | {"tap_sync_ns": 2 * one["tap_sync_ns"]} if one["device"] == "sync-28us" else one
        for one in sweep(sd=0.0)
    ]
    assert [point.facts["sync_us"] for point in the_curve(rows).points][3] == pytest.approx(
        56, rel=1e-3
    )


def test_what_callers_wait_for_a_core_is_told_from_what_the_device_takes() -> None:
    rows = [one | {"tap_sync_ns": one.get("tap_sync_ns", 0) + 10_000_000} for one in sweep(sd=0.0)]
    curve = the_curve(rows)
    assert curve.waited_us(40.0) == pytest.approx(50.0, rel=1e-3)
    assert curve.device_us(50.0) == pytest.approx(40.0, rel=1e-3)
    answer = curve.latency_for(0.4)
    assert answer.sync_us.value is not None
    assert answer.sync_us.value - answer.device_us == pytest.approx(10, rel=1e-2)
    assert "of which the device may take" in answer.sentence


def test_bytes_per_sync_grow_with_the_latency() -> None:
    curve = the_curve(sweep(sd=0.0))
    assert curve.bytes_per_sync_at(1000.0) == pytest.approx(300, rel=1e-3)
    assert curve.bytes_per_sync_at(9000.0) == pytest.approx(700, rel=1e-3)


def test_failed_devices_and_devices_without_syncs_are_no_points() -> None:
    rows = sweep(sd=0.01)
    rows.append(slice_of("sync-28us", 28, 1.0, 0, 9) | {"status": "failed", "failure": "x"})
    rows[-1]["throughput"] = None
    rows = [one | {"tap_syncs": 0} if one["device"] == "sync-5us" else one for one in rows]
    curve = the_curve(rows)
    assert len(curve.points) == len(GRID) - 2
    assert not {"sync-28us", "sync-5us"} & {point.device for point in curve.points}


@pytest.mark.parametrize("column", ["replica", "knob"])
def test_replicas_and_knobs_are_no_points(column: str) -> None:
    rows = sweep(sd=0.01)
    extra = [
        one | {column: "other", "cell": one["cell"] + "-other", "throughput": 1.0}
        for one in rows
        if one["device"] == "sync-5us"
    ]
    assert len(the_curve(rows + extra).points) == len(GRID)


def test_one_point_is_no_curve_and_each_group_has_its_own() -> None:
    assert curves(sweep(grid=(5,))) == []
    small = [one | {"build": "old", "cell": one["cell"] + "@old"} for one in sweep(seed=8)]
    assert [one.baseline.build for one in curves(sweep() + small)] == ["", "old"]


def test_one_round_gives_a_curve_without_intervals() -> None:
    rows = [one for one in sweep(sessions=1) if one["round"] == 0]
    curve = the_curve(rows)
    found = curve.overhead_at(40.0)
    assert found.value is not None
    assert (found.low, found.high) == (None, None)
    assert "(no interval)" in curve.latency_for(0.5).sentence
