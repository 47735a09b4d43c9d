"""How figures are spelled: the same in every table and sentence."""

from __future__ import annotations

import math

import pytest
from waltax.analysis.numerals import measured, points, share, signed, spelled, times
from waltax.analysis.stats import NOTHING, Interval

KNOWN, ALONE = Interval(0.271, 0.25, 0.292), Interval(0.271, None, None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (share(KNOWN), "27.1 [25.0, 29.2]"),
        (share(ALONE), "27.1 (no interval)"),
        (points(KNOWN), "+27.1 [25.0, 29.2]"),
        (points(NOTHING), "-"),
        (times(KNOWN), "0.27 [0.25, 0.29]"),
        (times(ALONE, 3), "0.271"),
        (measured(Interval(666.0, 611.0, 727.0)), "666 [611, 727]"),
        (measured(NOTHING), "-"),
        (signed(-0.012), "\N{MINUS SIGN}1.2"),
        (signed(0.0001), "0.0"),
    ],
)
def test_an_interval_stands_behind_its_value(text: str, expected: str) -> None:
    assert text == expected


@pytest.mark.parametrize(
    ("value", "unit", "expected"),
    [
        (0.5, "%", "50.0"),
        (2.0, "x", "2.00"),
        (KNOWN, "x alone", "0.27"),
        (2048.0, "KiB", "2.00"),
        (None, "KiB", "-"),
        (0.25, "count", "0.25"),
        (16, "count", "16"),
        (None, "text", "-"),
        ("", "text", ""),
    ],
)
def test_a_value_is_spelled_in_the_unit_of_its_column(
    value: object, unit: str, expected: str
) -> None:
    assert spelled(value, unit) == expected


def test_an_interval_knows_on_which_side_of_a_value_it_lies() -> None:
    assert [KNOWN.side(of) for of in (0.2, 0.26, 0.3)] == [1, 0, -1]
    assert ALONE.side(0.0) is None
    assert NOTHING.scaled(100) == NOTHING
    assert KNOWN.mapped(math.log1p).low == math.log1p(0.25)
