from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom
from waltax.analysis import stats
from waltax.bench import coverage
from waltax.bench.coverage import Noise


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
            stats.ratio_of_means(one, values[0], by)
    finally:
        sys.settrace(None)
    assert 0 < lines < stats.RESAMPLES / 10


@pytest.mark.parametrize("noise", [Noise(0.02, 0.02), Noise(0.05, 0.02), Noise(0.05, 0.1)])
@pytest.mark.parametrize("sessions", [3, 4, 6])
def test_intervals_hold_the_truth_about_95_times_in_100(sessions: int, noise: Noise) -> None:
    """Few sessions that differ are the hard case; the plain percentiles reach 0.77 here."""
    trials = 500
    covered, _ = coverage.fixed(sessions, 4, noise, trials)
    assert covered * trials >= binom.ppf(0.001, trials, 0.92)


def test_intervals_are_not_much_too_wide_when_sessions_are_equal() -> None:
    """The t interval over four session means would have this half-width; ours is near it."""
    _, half_width = coverage.fixed(4, 10, Noise(0.0, 0.1), 300)
    exact = 0.7 * 3.18 * 0.1 / np.sqrt(40)
    assert half_width == pytest.approx(exact, rel=0.25)


def test_stopping_at_a_target_keeps_most_of_the_coverage() -> None:
    trials = 150
    covered, half_width, sessions = coverage.stopped(4, Noise(0.02, 0.05), trials)
    assert covered * trials >= binom.ppf(0.001, trials, 0.93)
    assert half_width <= 0.03
    assert 4 <= sessions < 12
