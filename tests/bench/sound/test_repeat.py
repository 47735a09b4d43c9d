"""Contradictions between campaigns of one recipe, counted."""

from __future__ import annotations

from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from waltax.bench.sound.repeat import counted


def _result(ratio: float, reach: float) -> Any:
    """An overhead with an interval that reaches so far in the logarithm of the ratio."""
    low, high = (1 - ratio * float(np.exp(end)) for end in (reach, -reach))
    return Mock(overhead=1 - ratio, low=low, high=high)


def test_intervals_that_lie_apart_contradict_and_so_do_some_that_overlap() -> None:
    """In units of the reach: 0, 1.5 and 4 lie 1.5, 4 and 2.5 apart; sqrt(2) and 2 are allowed."""
    each = [_result(float(np.exp(0.01 * place)), 0.01) for place in (0.0, 1.5, 4.0)]
    found = counted(each, 1 - float(np.exp(0.008)))
    assert (found.pairs, found.contradict, found.apart) == (3, 3, 2)
    assert (found.campaigns, found.hold) == (3, 2)


def test_honest_intervals_contradict_each_other_five_times_in_a_hundred() -> None:
    rng = np.random.default_rng(0)
    each = [_result(float(np.exp(0.01 * z)), 0.0196) for z in rng.standard_normal(300)]
    found = counted(each, 0.0)
    assert found.contradict / found.pairs == pytest.approx(0.05, abs=0.02)
    assert found.apart / found.pairs == pytest.approx(0.0056, abs=0.004)
    assert found.hold / found.campaigns == pytest.approx(0.95, abs=0.04)
    assert f"({0.05 * found.pairs:.1f} expected)" in found.words
