from __future__ import annotations

import numpy as np
import pytest
from bench.sound import curve_coverage as coverage
from bench.sound.scenes import Scene
from scipy.stats import binom
from waltax.analysis.results.curve import fit


def test_a_point_that_scatters_gives_way_to_one_that_does_not() -> None:
    sure, unsure = np.tile([0.001, -0.001], 50), np.tile([0.5, -0.5], 50)
    x, r = np.array([1.0, 2.0]), np.array([3.0, 2.0])
    nothing = np.zeros((100, 2))
    found = fit(x, r, nothing, np.column_stack([unsure, sure]))
    assert found.slowdown[0] == pytest.approx([2.0, 2.0], abs=0.01)


def test_draws_that_missed_a_point_say_nothing() -> None:
    x, r = np.array([1.0, 2.0]), np.array([1.0, 2.0])
    logs = np.zeros((3, 2))
    logs[1, 0] = np.nan
    found = fit(x, r, np.zeros((3, 2)), logs)
    assert np.isnan(found.slowdowns_at(1.5)[1:]).tolist() == [False, True, False]
    assert np.isnan(found.latencies_for(1.5)[1:]).tolist() == [False, True, False]


def test_draws_may_answer_beyond_the_range() -> None:
    x, r = np.array([1.0, 2.0]), np.array([1.0, 2.0])
    logs = np.log([[0.4, 0.4], [1.0, 1.0], [1.8, 1.8]])
    found = fit(x, r, np.zeros((3, 2)), logs)
    value, *drawn = found.latencies_for(1.5).tolist()
    assert value == pytest.approx(1.5)
    assert drawn == [np.inf, pytest.approx(1.5), 0]


def test_the_band_and_the_answers_hold_the_truth_about_95_times_in_100() -> None:
    """At the points and of the answers; between them the chord of a bent curve is too high."""
    trials = 20
    found = coverage.simulate(3, 4, Scene("", 0.02, 0.05), trials)
    assert found.at_points * trials >= binom.ppf(0.001, trials, 0.93)
    assert found.answers * trials >= binom.ppf(0.001, trials, 0.93)
    assert found.differences * trials >= binom.ppf(0.001, trials, 0.93)
    assert found.between > 0.8
    assert found.half_width < 0.05
