"""The interval of a difference of two ratios, against a known truth."""

from __future__ import annotations

import numpy as np
import pytest
from waltax.analysis import stats
from waltax.analysis.stats import Floats

_SESSIONS, _ROUNDS = 6, 6
_CAMPAIGNS = 200


def _campaign(rng: np.random.Generator, rates: tuple[float, ...]) -> list[Floats]:
    """Cells that share the machine's drift; each has noise of its sessions and its slices."""
    drift = np.repeat(rng.lognormal(sigma=0.2, size=_SESSIONS), _ROUNDS)
    cells = []
    for rate in rates:
        session = np.repeat(rng.lognormal(sigma=0.02, size=_SESSIONS), _ROUNDS)
        cells.append(rate * drift * session * rng.lognormal(sigma=0.08, size=drift.size))
    return cells


@pytest.mark.parametrize(
    ("rates", "truth"),
    [((600.0, 1000.0, 600.0, 1000.0), 0.0), ((600.0, 1000.0, 540.0, 1000.0), 0.06)],
)
def test_it_holds_the_truth_about_as_often_as_it_says(
    rates: tuple[float, ...], truth: float
) -> None:
    rng = np.random.default_rng(11)
    by = stats.resample(np.repeat(np.arange(_SESSIONS), _ROUNDS))
    held = 0
    for _ in range(_CAMPAIGNS):
        a, b, c, d = _campaign(rng, rates)
        found = stats.difference_of_ratios((a, b), (c, d), by)
        assert found.low is not None
        assert found.high is not None
        held += found.low <= truth <= found.high
    print(f"held {held} of {_CAMPAIGNS}")
    assert 0.92 * _CAMPAIGNS <= held <= 0.995 * _CAMPAIGNS


def test_it_is_of_the_rounds_that_all_four_have() -> None:
    by = stats.resample(np.repeat(np.arange(2), 3))
    base, off = np.array([6.0] * 6), np.array([10.0] * 6)
    new = np.array([5.0, 5.0, 5.0, 5.0, 5.0, np.nan])
    found = stats.difference_of_ratios((base, off), (new, off), by)
    assert found.value == pytest.approx(0.1)
    base[5] = 1000.0  # of a round that the other build lacks
    assert stats.difference_of_ratios((base, off), (new, off), by).value == found.value


def test_a_single_round_has_no_interval_and_none_no_value() -> None:
    by = stats.resample(np.array([0]))
    one = np.array([1.0]), np.array([2.0])
    assert stats.difference_of_ratios(one, one, by) == stats.Interval(0.0, None, None)
    nothing = np.array([np.nan]), np.array([2.0])
    assert stats.difference_of_ratios(nothing, one, by).value is None
