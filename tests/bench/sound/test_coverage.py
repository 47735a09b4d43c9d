"""The simulation follows the loop's own rule; its tables are `make bench NAME=coverage`."""

from __future__ import annotations

import pytest
from scipy.stats import binom
from waltax import profiles
from waltax.runners.stop_rule import LOOKS_FROM, Rule, Stop

from bench.sound import coverage
from bench.sound.scenes import BOLD, QUIET, SCENES

TRIALS = 150


@pytest.mark.parametrize("sessions", [2, 3, 4])
def test_few_sessions_that_differ_more_than_their_rounds_are_covered(sessions: int) -> None:
    """The plain percentiles reach 0.77 here, and 0.88 when they are stretched."""
    covered = coverage.fixed(BOLD, sessions, TRIALS)
    assert covered.share * TRIALS >= binom.ppf(0.001, TRIALS, 0.94)
    assert covered.together is not None
    assert covered.together * TRIALS >= binom.ppf(0.001, TRIALS, 0.92)


def test_intervals_are_not_much_too_wide_when_sessions_are_equal() -> None:
    """The t interval over four session means would have this half-width; ours is near it."""
    found = coverage.fixed(QUIET, 4, 100, rounds=10)
    exact = 0.7 * 3.18 * (0.02**2 / 4 + 0.1**2 / 40) ** 0.5
    assert found.half_width == pytest.approx(exact, rel=0.3)


def test_campaigns_end_by_the_rule_of_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    timing = profiles.load("ci", "rocksdb").timing.model_copy(update={"time_budget_s": 200.0})
    found = coverage.stopped(BOLD, timing, 20)
    assert found.stopped
    assert found.sessions is not None
    assert found.sessions >= timing.min_sessions
    monkeypatch.setattr(Rule, "at_session_end", lambda *_: Stop.BUDGET)
    at_once = coverage.stopped(BOLD, timing, 3)
    assert (at_once.sessions, at_once.stopped) == (LOOKS_FROM, 0)


@pytest.mark.nightly
def test_an_interval_that_ended_a_campaign_is_no_narrower_than_its_target() -> None:
    """Of quick: its eight sessions of rounds that hardly differ are narrow by chance."""
    timing = profiles.load("quick", "rocksdb").timing
    found = coverage.stopped(BOLD, timing, 40)
    assert found.stopped
    assert found.half_width >= 0.99 * timing.target_half_width


def test_pooled_occasions_hold_what_one_of_them_cannot_know() -> None:
    worst = SCENES[-1]
    assert coverage.fixed(worst, 4, 60).share < 0.8
    assert coverage.pooled(worst, 60).share * 60 >= binom.ppf(0.001, 60, 0.93)
