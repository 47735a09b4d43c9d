"""Slices that were disturbed from outside are left out with their partners, unless most are."""

from __future__ import annotations

import pytest
from synthetic import make_row
from waltax import analysis
from waltax.analysis.results import disturbance
from waltax.row import Row

_ROUNDS = 12


def _rows(disturbed_rounds: int) -> list[Row]:
    """The device costs 20 %, but in disturbed rounds nearly all."""
    rows = []
    for number in range(_ROUNDS):
        hit = number < disturbed_rounds
        why = {"disturbed": ["foreign CPU"] if hit else []}
        rate = 8.0 if hit else 80.0
        session, round_ = divmod(number, 4)
        rows += [make_row("off", 100.0, session, round_, disturbed=[])]
        rows += [make_row("nvme", rate, session, round_, **why)]
    return rows


def test_a_disturbed_slice_is_left_out_with_its_partner() -> None:
    (one,) = analysis.estimate(_rows(2))
    assert one.overhead == pytest.approx(0.2)
    assert (one.rounds, one.throughput) == (_ROUNDS - 2, 80.0)
    said = disturbance.of(_rows(2)).words
    assert said == "2 of 24 slices disturbed (foreign CPU 2): left out with their partners"


def test_a_machine_that_is_mostly_disturbed_keeps_all_its_slices() -> None:
    (one,) = analysis.estimate(_rows(8))
    assert one.rounds == _ROUNDS
    assert one.overhead == pytest.approx(1 - (8 * 8 + 4 * 80) / 1200)
    assert "too many to leave out" in disturbance.of(_rows(8)).words


def test_rows_of_before_have_nothing_to_leave_out() -> None:
    rows = [{k: v for k, v in one.items() if k != "disturbed"} for one in _rows(2)]
    (one,) = analysis.estimate(rows)
    assert one.rounds == _ROUNDS
    assert disturbance.of(rows).words == ""
