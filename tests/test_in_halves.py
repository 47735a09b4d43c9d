"""How the two halves of the tests become one exit code."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

HALVES = runpy.run_path(str(Path(__file__).parent / "in_halves.py"))


@pytest.mark.parametrize(
    ("codes", "code"),
    [
        ((0, 0), 0),
        ((0, 1), 1),
        ((-9, 0), 9),
        ((5, 0), 0),  # one half selected no test
        ((1, 5), 1),
        ((5, 5), 5),
    ],
)
def test_a_half_without_any_test_is_well_when_the_other_one_ran_some(
    codes: tuple[int, int], code: int
) -> None:
    assert HALVES["worse"](*codes) == code
