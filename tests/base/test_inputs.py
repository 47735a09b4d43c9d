from __future__ import annotations

from typing import Any

import pytest
from waltax.base.inputs import MIN_SAMPLES, judge


def _lines(samples: int, mean: float) -> dict[str, Any]:
    """Lines per order: 5 to 15, each as likely (TPC-C clause 2.4.1.3), hence the variance."""
    return {
        "name": "order lines",
        "samples": samples,
        "sum": round(samples * mean),
        "mean": 10.0,
        "variance": 10.0,
        "low": 9.5,
        "high": 10.5,
    }


@pytest.mark.parametrize(
    ("samples", "mean", "verdict"),
    [
        (MIN_SAMPLES, 10.1, "PASS"),
        (MIN_SAMPLES, 9.5, "PASS"),
        (MIN_SAMPLES, 10.6, "FAIL"),
        (MIN_SAMPLES, 9.4, "FAIL"),
        (MIN_SAMPLES - 1, 10.0, "SKIP"),
        (MIN_SAMPLES - 1, 20.0, "SKIP"),
    ],
)
def test_an_average_is_judged_by_its_band_once_there_are_enough_samples(
    samples: int, mean: float, verdict: str
) -> None:
    (found,) = judge([_lines(samples, mean)])
    assert (found.verdict, found.samples) == (verdict, samples)
    assert found.value == pytest.approx(mean, rel=1e-3)


@pytest.mark.parametrize(("off_by", "verdict"), [(0.039, "SKIP"), (0.041, "FAIL")])
def test_an_average_that_chance_may_have_put_outside_a_narrow_band_is_no_failure(
    off_by: float, verdict: str
) -> None:
    """Four standard errors of 10,000 samples of variance 1 are 0.04."""
    narrow = _lines(10_000, 10 + off_by) | {"variance": 1.0, "low": 9.99, "high": 10.01}
    assert judge([narrow])[0].verdict == verdict


def test_slices_add_up_before_they_are_judged() -> None:
    (found,) = judge([_lines(6_000, 9.0), _lines(6_000, 11.0)])
    assert (found.verdict, found.samples, found.value) == ("PASS", 12_000, 10.0)


def test_rules_keep_their_order_and_one_without_samples_has_no_value() -> None:
    remote = _lines(0, 0) | {"name": "remote order lines"}
    found = judge([remote, _lines(10_000, 10.0), remote])
    assert [(one.name, one.value) for one in found] == [
        ("remote order lines", None),
        ("order lines", 10.0),
    ]
    assert found[0].verdict == "SKIP"


def test_no_inputs_give_no_verdicts() -> None:
    assert judge([]) == []
