from __future__ import annotations

import math
import sys
from types import FrameType
from typing import Any

import numpy as np
import pytest
from bench.sound.scenes import BOLD, QUIET, Scene, simulate
from scipy.stats import t
from waltax.analysis import stats


def test_each_draw_takes_as_many_slots_as_there_are_when_sessions_are_equal() -> None:
    by = stats.resample(np.repeat(np.arange(5), 6))
    assert by.weights.shape == (stats.RESAMPLES, 30)
    assert (by.weights.sum(axis=1) == 30).all()


def test_sessions_are_drawn_before_rounds() -> None:
    """Whole sessions are absent from a draw about (1 - 1/5)^5 of the time."""
    by = stats.resample(np.repeat(np.arange(5), 20))
    absent = by.weights.reshape(-1, 5, 20).sum(axis=2) == 0
    assert absent.mean() == pytest.approx(0.8**5, abs=0.02)


def test_the_same_rows_give_the_same_interval() -> None:
    session = np.repeat(np.arange(3), 4)
    values = np.linspace(1, 2, 12)
    first, second = (stats.mean(values, stats.resample(session)) for _ in range(2))
    assert first == second


def test_the_complement_of_an_interval_swaps_its_ends() -> None:
    assert stats.Interval(0.75, 0.5, 0.875).complement() == stats.Interval(0.25, 0.125, 0.5)


def test_the_difference_of_intervals_reaches_as_far_as_both_together() -> None:
    difference = stats.Interval(100.0, 97.0, 106.0).minus(stats.Interval(40.0, 32.0, 44.0))
    assert difference == stats.Interval(60.0, 55.0, 70.0)
    unknown = stats.Interval(40.0, None, None)
    assert difference.minus(unknown) == stats.Interval(20.0, None, None)
    assert difference.minus(stats.NOTHING) == stats.NOTHING


def test_sixty_rounds_of_four_cells_take_no_loop_over_draws() -> None:
    """A campaign asks for them after every round: 4,000 draws of 60 rounds are for numpy."""
    rng = np.random.default_rng(0)
    session = np.repeat(np.arange(6), 10)
    values = rng.lognormal(size=(4, 60))
    lines = 0

    def count(frame: FrameType, event: str, _: object) -> Any:
        nonlocal lines
        lines += event == "line"
        return count if frame.f_code.co_filename == stats.__file__ else None

    sys.settrace(count)
    try:
        by = stats.resample(session)
        for one in values:
            stats.draws(one, values[0], by).interval()
    finally:
        sys.settrace(None)
    assert 0 < lines < stats.RESAMPLES / 10


def _one(sessions: int, session_sd: float, round_sd: float, seed: int = 0) -> stats.Drawn:
    """What is drawn of a simulated device with so many sessions of four rounds."""
    scene, rng = Scene("", session_sd, round_sd), np.random.default_rng(seed)
    one = simulate(scene, sessions, 4, rng)
    by = stats.resample(np.repeat(np.arange(sessions), 4))
    return stats.draws(one.devices[0], one.off, by)


def _length(interval: stats.Interval) -> float:
    assert interval.low is not None
    assert interval.high is not None
    return math.log(interval.high / interval.low)


@pytest.mark.parametrize("sessions", [2, 3, 4, 6])
def test_an_interval_is_at_least_that_of_students_t_over_the_sessions(sessions: int) -> None:
    rng = np.random.default_rng(5)
    ratios = np.exp(0.05 * rng.standard_normal(sessions))
    by = stats.resample(np.repeat(np.arange(sessions), 4))
    found = stats.draws(np.repeat(ratios, 4), np.ones(4 * sessions), by).interval()
    error = np.log(ratios).std(ddof=1) / math.sqrt(sessions)
    asked = 2 * t.ppf(0.975, sessions - 1) * error
    assert _length(found) == pytest.approx(asked, rel=0.05) or _length(found) > asked


def test_which_term_decides_is_told_by_its_degrees_of_freedom() -> None:
    """Of six equal sessions the rounds do, and of two that differ one degree is all there is."""
    assert _one(6, 0.0, 0.1, seed=1).freedom == 23
    assert _one(2, 0.2, 0.01).freedom == 1


def test_sessions_that_agree_by_chance_are_not_believed_beyond_their_rounds() -> None:
    """Of equal means and rounds that differ, the t interval over sessions would be a point."""
    values = np.tile([0.8, 0.9, 1.1, 1.2], 3)
    by = stats.resample(np.repeat(np.arange(3), 4))
    found = stats.draws(values, np.ones(12), by).interval()
    error = values.std(ddof=1) / math.sqrt(12)
    assert _length(found) == pytest.approx(2 * t.ppf(0.975, 11) * error, rel=0.01)


def test_occasions_that_differ_widen_the_interval_of_their_sessions() -> None:
    rng = np.random.default_rng(2)
    session = np.repeat(np.arange(12), 4)
    occasion = session // 4
    ratios = np.exp(np.array([-0.1, 0.0, 0.1])[occasion] + 0.01 * rng.standard_normal(48))
    alone = stats.draws(ratios, np.ones(48), stats.resample(session)).interval()
    by = stats.resample(session, occasion)
    pooled = stats.draws(ratios, np.ones(48), by).interval()
    assert _length(pooled) == pytest.approx(2 * 4.30 * 0.1 / math.sqrt(3), rel=0.05)
    assert _length(pooled) > 2 * _length(alone)
    assert stats.resample(session).weights.shape == stats.resample(session, occasion).weights.shape


def test_intervals_that_hold_at_once_are_wider_and_never_narrower() -> None:
    rng = np.random.default_rng(0)
    one = simulate(QUIET, 4, 4, rng)
    by = stats.resample(np.repeat(np.arange(4), 4))
    drawn = [stats.draws(device, one.off, by) for device in one.devices]
    for one_alone in drawn:
        together = one_alone.interval(stats.at_once(drawn))
        assert 1.05 < _length(together) / _length(one_alone.interval()) < 1.9
    assert stats.at_once(drawn[:1]) == stats.at_once([]) == stats.CONFIDENCE
    twice = drawn[0].interval(stats.at_once([drawn[0], drawn[0]]))
    assert _length(twice) == pytest.approx(_length(drawn[0].interval()), rel=0.05)


def test_a_device_without_an_interval_leaves_those_of_the_others_alone() -> None:
    known = _one(3, 0.02, 0.1)
    unknown = stats.Drawn(0.5, np.full(stats.RESAMPLES, np.nan))
    confidence = stats.at_once([unknown, known])
    assert unknown.interval(confidence) == stats.Interval(0.5, None, None)
    assert known.interval(confidence) == known.interval()


def test_the_simulated_truth_is_what_long_campaigns_come_out_at() -> None:
    """Of a log-normal mean and of an `off` that ages, too."""
    for scene in (BOLD, Scene("", 0.02, 0.1, ages=0.15)):
        one = simulate(scene, 2000, 4, np.random.default_rng(0))
        measured = one.devices.mean(axis=1) / one.off.mean()
        assert measured == pytest.approx(one.truths, rel=0.02)
