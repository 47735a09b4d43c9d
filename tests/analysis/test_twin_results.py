"""A baseline that is measured twice is compared with itself, and with nothing else."""

from __future__ import annotations

import pytest
from synthetic import make_row
from waltax import analysis
from waltax.analysis.results import Doubt, doubts, twins, words
from waltax.row import Row


def _rows(twin_rate: float) -> list[Row]:
    rows = []
    for number in range(12):
        session, round_ = divmod(number, 4)
        noise = 1 + 0.01 * (number % 3)
        rows += [make_row("off", 100.0 * noise, session, round_)]
        rows += [make_row("off", twin_rate * (2 - noise), session, round_, replica="twin")]
        rows += [make_row("nvme", 80.0, session, round_)]
    return rows


def test_a_twin_is_in_no_comparison_of_devices() -> None:
    with_twin, without = _rows(100.0), [one for one in _rows(100.0) if not one["replica"]]
    found, wanted = analysis.every_cell(with_twin), analysis.every_cell(without)
    assert [(one.cell, one.overhead, one.low) for one in found] == [
        (one.cell, one.overhead, one.low) for one in wanted
    ]


def test_two_equals_that_agree_are_a_line_and_no_doubt() -> None:
    (one,) = twins(_rows(102.0))
    assert one.overhead == pytest.approx(0, abs=0.01)
    assert words.twin(one).startswith("A/A: off against off ")
    assert _doubts(_rows(102.0)) == []


def test_two_equals_that_differ_are_a_doubt() -> None:
    (doubt,) = _doubts(_rows(90.0))
    assert "A/A: off against off " in doubt.text
    assert "two equal cells differ by more than their interval" in doubt.text
    assert doubt.large  # as far apart as no interval of the device is wide
    assert _doubts([row for row in _rows(90.0) if not row["replica"]]) == []


def _doubts(rows: list[Row]) -> list[Doubt]:
    """What is said of the twin beside the device's overhead."""
    _, nvme = analysis.every_cell(rows, replicas=twins(rows))
    return [one for one in nvme.doubts if one.kind == doubts.TWIN]
