"""A baseline that is measured twice is compared with itself, and counts twice."""

from __future__ import annotations

import math

import numpy as np
import pytest
from synthetic import make_row
from waltax import analysis
from waltax.analysis.results import Doubt, twins, words
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


def test_a_twin_is_no_cell_of_the_results() -> None:
    found = analysis.every_cell(_rows(100.0))
    assert [one.replica for one in found] == ["", ""]
    assert analysis.every_cell([one for one in _rows(100.0) if one["replica"]]) == []


def test_what_a_twin_achieved_counts_as_its_baselines() -> None:
    """Off achieved 101 on average and its twin 89.1: devices are compared with the mean of both."""
    off, nvme = analysis.every_cell(_rows(90.0))
    assert off.throughput is not None
    assert off.throughput == pytest.approx((101 + 0.9 * 99) / 2)
    assert nvme.overhead == pytest.approx(1 - 80 / off.throughput)


def test_a_twin_stands_in_where_the_baseline_was_disturbed() -> None:
    rows = _rows(100.0)
    next(one for one in rows if one["device"] == "off")["disturbed"] = ["steal"]
    _, nvme = analysis.every_cell(rows)
    assert (nvme.rounds, nvme.rounds_unmatched) == (12, 0)


def test_a_twin_stands_in_for_a_baseline_that_an_interrupted_campaign_did_not_come_to() -> None:
    rows = [make_row("off", 100.0, 0, 0, replica="twin"), make_row("nvme", 80.0, 0, 0)]
    (nvme,) = analysis.every_cell(rows)
    assert nvme.overhead == pytest.approx(0.2)


def test_a_baseline_of_two_makes_intervals_narrower() -> None:
    rng = np.random.default_rng(1)
    rows = []
    for number in range(600):
        for device, replica in (("off", ""), ("off", "twin"), ("nvme", "")):
            rate = 100 * math.exp(0.1 * rng.standard_normal())
            rows.append(make_row(device, rate, 0, number, replica=replica))
    (pooled,) = analysis.estimate(rows)
    (alone,) = analysis.estimate([one for one in rows if not one["replica"]])
    assert pooled.half_width is not None
    assert alone.half_width is not None
    assert pooled.half_width / alone.half_width == pytest.approx(math.sqrt(0.75), abs=0.05)


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
    return [one for one in nvme.doubts if one.kind == "A/A off zero"]
